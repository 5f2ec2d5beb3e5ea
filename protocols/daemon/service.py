"""The daemon as a Twisted service: every door, the responder, and the Host behind them.

``makeService(options)`` is what an application that embeds Parlour calls; ``twistd parlour`` does the same.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from typing import Any, cast

from twisted.application.service import MultiService, Service
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import Deferred, DeferredList, gatherResults, maybeDeferred
from twisted.internet.endpoints import serverFromString
from twisted.internet.interfaces import IListeningPort, IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.daemon.host import Host
from protocols.daemon.journal import MemoryJournal
from protocols.daemon.options import Options
from protocols.discovery.responder import DiscoveryService
from protocols.discovery.wire import Identity, OpenRoom
from protocols.door import Door, DoorFactory, TableDefaults

__all__ = ["Options", "Parlour", "makeService"]


class OpenDoor(Service):
    """One door that stands open on one or more endpoints."""

    _log = Logger()

    def __init__(
        self, door: Door, factory: DoorFactory, endpoints: list[str], reactor: Any
    ) -> None:
        self.door = door
        self.factory = factory
        self._endpoints = endpoints
        self._reactor = reactor
        self._ports: list[IListeningPort] = []

    @property
    def port(self) -> int | None:
        """The TCP port it can be reached on, if there is one."""
        addresses = (port.getHost() for port in self._ports)
        tcp = (each.port for each in addresses if isinstance(each, IPv4Address | IPv6Address))
        return next(tcp, None)

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
            listening = serverFromString(self._reactor, endpoint).listen(self.factory)
            listening.addCallback(self._opened, endpoint)
            listening.addErrback(problems.append)
            if problems:  # known at once for every kind of endpoint there is
                problems[0].raiseException()

    def _opened(self, port: IListeningPort, endpoint: str) -> None:
        self._ports.append(port)
        where = f"{endpoint} (port {self.port})" if self.port is not None else endpoint
        self._log.info("{title} at {where}", title=self.door.title, where=where)

    def stopService(self) -> Deferred[None]:
        """Let nobody in any more."""
        super().stopService()
        ports, self._ports = self._ports, []
        stopped = [maybeDeferred(port.stopListening) for port in ports]
        return gatherResults(stopped, consumeErrors=True).addCallback(lambda _: None)


class Parlour(MultiService):
    """The whole daemon; ``host`` to work with, ``doors`` to see where it can be reached."""

    _log = Logger()

    def __init__(self, options: Options, reactor: Any) -> None:
        super().__init__()
        hall = Hall(Registry(options.games.values()))
        self.host = Host(hall, MemoryJournal(reactor), reactor, time.time)
        self.doors: dict[str, OpenDoor] = {}
        for kind, endpoints in options.endpoints.items():
            if endpoints:
                self._add_door(options.doors[kind], options.defaults[kind], endpoints, reactor)
        self.discovery: DiscoveryService | None = None
        if options.discovery is not None:
            self._add_discovery(options, reactor)

    def _add_door(
        self, door: Door, defaults: TableDefaults, endpoints: list[str], reactor: Any
    ) -> None:
        opened = OpenDoor(door, door.build(self.host, defaults), endpoints, reactor)
        self.doors[door.kind] = opened
        opened.setServiceParent(self)

    def _add_discovery(self, options: Options, reactor: Any) -> None:
        where = options.discovery
        assert where is not None
        identity = Identity(secrets.token_hex(8), options.name)
        self.discovery = DiscoveryService(
            where.port, self._open_rooms, identity, reactor, where.addresses
        )
        self.discovery.setServiceParent(self)

    def _open_rooms(self) -> Iterator[OpenRoom]:
        """List what can be joined from the LAN: every public table, and the doors that open one."""
        waiting = set()
        for table in self.host.hall.joinable():
            kind = table.rules.kind
            port = self.doors[kind].port if kind in self.doors else None
            if port is not None:
                waiting.add(kind)
                seats = table.rules.seats[-1]
                name = table.name or table.rules.title
                yield OpenRoom(kind, name, table.players, seats, False, port, table.code)
        for kind, door in self.doors.items():
            if kind not in waiting and door.port is not None:
                seats = self.host.hall.registry.latest(kind).seats[-1]
                yield OpenRoom(kind, door.door.title, 0, seats, False, door.port)

    def startService(self) -> None:
        """Open every door; raises CannotListenError for one that cannot be opened."""
        super().startService()
        self._log.info("Parlour is open")

    def stopService(self) -> Deferred[None]:
        """Let nobody in, tell everyone, close the journal; fires when all is done."""
        closed = cast("Deferred[object]", super().stopService())
        closed.addCallback(lambda _: self.host.close())
        closed.addCallback(lambda _: self._see_out())
        return closed.addCallback(lambda _: self._log.info("Parlour is closed"))

    def _see_out(self) -> Deferred[Any]:
        return DeferredList([each.factory.dismiss_all("closing") for each in self.doors.values()])


def makeService(options: Options, reactor: IReactorTime | None = None) -> Parlour:
    """Build the whole daemon on a reactor, by default the installed one; start nothing."""
    if reactor is None:
        from twisted.internet import reactor as installed

        reactor = cast(IReactorTime, installed)
    return Parlour(options, reactor)
