"""What listens for connections: on one or more endpoints, opened when the daemon starts."""

from __future__ import annotations

import errno
from typing import Any, cast

from twisted.application.service import Service
from twisted.internet.abstract import FileDescriptor
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import Deferred, gatherResults, maybeDeferred
from twisted.internet.endpoints import serverFromString
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort, IProtocolFactory
from twisted.internet.tcp import Port
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocols.daemon.port_holder import holder_of
from protocols.net.link_factory import LinkFactory
from protocols.net.proxy_header import ProxiedFactory

PROXIED = "haproxy:"  # before an endpoint behind a proxy that says who comes
HANDED = "systemd:"  # before one that others of this host may listen at, too
BACKLOG = 1024  # connections that the system lets wait until we take them in; it may allow fewer
AT_A_TIME = 3  # of them that one turn of the reactor takes in at a port


def _deep(endpoint: str) -> str:
    """Let a whole class come to a TCP endpoint at the same time, unless it says how many may wait."""
    tcp = endpoint.startswith(("tcp:", "tcp4:", "tcp6:", "ssl:"))
    return f"{endpoint}:backlog={BACKLOG}" if tcp and ":backlog=" not in endpoint else endpoint


def take_few(port: IListeningPort) -> None:
    """Let a port take in few connections at a time: those who are there already wait meanwhile.

    Twisted takes in a hundred, and the more the longer a crowd lasts.
    """
    if isinstance(port, Port):
        take_in = port.doRead

        def take_in_few() -> object:
            port.numberAccepts = AT_A_TIME
            return take_in()

        port.doRead = take_in_few  # type: ignore[method-assign]


def _number_of(port: IListeningPort) -> int | None:
    """Say which TCP port somebody listens on, if it is one."""
    address = port.getHost()
    return address.port if isinstance(address, IPv4Address | IPv6Address) else None


class CannotOpen(CannotListenError):
    """A door cannot be opened; says which option asked for it, why, and who holds the port if it is one of us."""

    def __init__(self, option: str, problem: BaseException) -> None:
        why = getattr(problem, "socketError", problem)
        super().__init__(None, getattr(problem, "port", None), why)
        self._option = option
        self._why = getattr(why, "strerror", None) or str(why)

    def __str__(self) -> str:
        taken = getattr(self.socketError, "errno", None) == errno.EADDRINUSE
        pid = holder_of(self.port) if taken and isinstance(self.port, int) else None
        held = "" if pid is None else f" (by another Parlour, process {pid})"
        return f"--{self._option}: {self._why}{held}"


class Listening(Service):
    """Listens for one factory; ``option`` is what asks for it, ``title`` what the log calls it."""

    _log = Logger()

    def __init__(
        self,
        option: str,
        title: str,
        factory: IProtocolFactory,
        endpoints: list[str],
        reactor: Any,
    ) -> None:
        self._option = option
        self._title = title
        self._factory = factory
        self._endpoints = endpoints
        self._reactor = reactor
        self._ports: list[IListeningPort] = []
        self._shared: list[IListeningPort] = []
        self._lets_in = True
        self._crowded = False

    @property
    def port(self) -> int | None:
        """The TCP port it can be reached on, if there is one."""
        numbers = map(_number_of, self._ports)
        return next((each for each in numbers if each is not None), None)

    @property
    def address(self) -> str:
        """The address that its TCP port is bound to; empty where it is not bound to one."""
        bound = (port.getHost() for port in self._ports)
        return next(
            (each.host for each in bound if isinstance(each, IPv4Address | IPv6Address)), ""
        )

    def privilegedStartService(self) -> None:
        """Open while that is still allowed; raises CannotListenError, as ``startService`` does."""
        super().privilegedStartService()
        self._open()

    def startService(self) -> None:
        """Open, if that has not been done already."""
        self._open()
        super().startService()

    def _open(self) -> None:
        for endpoint in [] if self._ports else self._endpoints:
            problems: list[Failure] = []
            plain, factory = self._proxied(endpoint)
            listening = serverFromString(self._reactor, _deep(plain)).listen(factory)
            listening.addCallback(self._opened, endpoint)
            listening.addErrback(problems.append)
            if problems:  # known at once for every kind of endpoint there is
                raise CannotOpen(
                    f"{self._option} {endpoint}", cast(Exception, problems[0].value)
                ) from None

    def _proxied(self, endpoint: str) -> tuple[str, IProtocolFactory]:
        """Where a proxy is to say who comes, give the endpoint beneath, and what waits for that word."""
        plain = endpoint.removeprefix(PROXIED)
        if plain == endpoint or not isinstance(self._factory, LinkFactory):
            return endpoint, self._factory
        return plain, ProxiedFactory(self._factory)

    def _opened(self, port: IListeningPort, endpoint: str) -> None:
        self._ports.append(port)
        if endpoint.removeprefix(PROXIED).startswith(HANDED):
            self._shared.append(port)
        take_few(port)
        self._read(port, self._lets_in and not self._crowded)
        number = _number_of(port)
        where = f"{endpoint} (port {number})" if number is not None else endpoint
        self._log.info("{title} at {where}", title=self._title, where=where)

    def leave_shared(self) -> None:
        """Let nobody in any more where others may: at the ports that systemd has handed over."""
        shared, self._shared = self._shared, []
        for port in shared:
            self._ports.remove(port)
            port.stopListening()

    def let_in(self, now: bool) -> None:
        """Let people in, or let those who come wait before the door."""
        self._lets_in = now
        self._review()

    def crowd(self, crowded: bool) -> None:
        """Let those who come wait while too many are served already."""
        self._crowded = crowded
        self._review()

    def _review(self) -> None:
        for port in self._ports:
            self._read(port, self._lets_in and not self._crowded)

    def _read(self, port: IListeningPort, now: bool) -> None:
        if isinstance(port, FileDescriptor):
            (port.startReading if now else port.stopReading)()

    def stopService(self) -> Deferred[None]:
        """Let nobody in any more."""
        super().stopService()
        ports, self._ports, self._shared = self._ports, [], []
        stopped = [maybeDeferred(port.stopListening) for port in ports]
        return gatherResults(stopped, consumeErrors=True).addCallback(lambda _: None)
