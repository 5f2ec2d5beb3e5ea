"""Responder a LAN that asks which rooms are open, for as long as the daemon runs."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from typing import Any

import attrs
from twisted.application.service import Service
from twisted.internet.error import CannotListenError
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from protocols.discovery.interfaces import InterfaceAddress, interface_addresses
from protocols.discovery.responder import InterfaceCache, Responder, Rooms
from protocols.discovery.responder_socket import ResponderSocket, open_socket
from protocols.discovery.siblings import BROADCAST, SAID_EVERY, Question, Siblings
from protocols.discovery.wire import Identity

EVERY_IPV4, EVERY_IPV6 = "0.0.0.0", "::"
NO_IPV6 = frozenset({errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT, errno.EADDRNOTAVAIL})


class DiscoveryService(Service):
    """Tells a LAN which rooms are open, for as long as it runs.

    With no addresses given it hears IPv4 broadcast and the IPv6 group on every interface, and does
    without IPv6 where there is none. `rooms` is asked at each question that gets an answer.
    """

    _log = Logger()

    def __init__(
        self,
        port: int,
        rooms: Rooms,
        identity: Identity,
        reactor: Any,
        addresses: Sequence[str] = (),
        interfaces: Callable[[], Sequence[InterfaceAddress]] = interface_addresses,
    ) -> None:
        self.port = port
        self._asked_port, self._addresses, self._reactor = port, addresses, reactor
        self._interfaces = InterfaceCache(interfaces, reactor.seconds)
        self._responder = Responder(rooms, identity, self._interfaces, reactor.seconds)
        self._siblings = Siblings(
            identity.server_id, reactor.seconds, self._say_to_siblings, self._answer
        )
        self._sockets: list[ResponderSocket] = []
        self._group_socket: ResponderSocket | None = None
        self._siblings_socket: ResponderSocket | None = None
        self._again: LoopingCall | None = None

    def rename(self, name: str) -> None:
        """Be called this on the LAN from now on."""
        self._responder.identity = attrs.evolve(self._responder.identity, name=name)

    def privilegedStartService(self) -> None:
        """Bind the port while that is still allowed; raises CannotListenError if it cannot be had."""
        super().privilegedStartService()
        self._open()

    def startService(self) -> None:
        """Answer from now on; raises CannotListenError if the port cannot be had."""
        self._open()
        super().startService()
        for sock in self._sockets:
            sock.start()
        self._again = LoopingCall(self._keep_in_touch)
        self._again.clock = self._reactor
        self._again.start(SAID_EVERY)
        self._log.info("answering who looks for games on UDP port {port}", port=self.port)

    def stopService(self) -> None:
        """Fall silent and give the port back."""
        super().stopService()
        if self._again is not None:
            self._again.stop()
            self._again = None
        self._close()

    def _open(self) -> None:
        if self._sockets:
            return
        self.port = self._asked_port
        try:
            for host in self._addresses or (EVERY_IPV4,):
                self._listen(host)
            if not self._addresses:
                self._listen_if_there_is_ipv6()
            self._listen_to_siblings()
        except CannotListenError:
            self._close()
            raise

    def _listen(self, host: str, *, siblings_alone: bool = False) -> None:
        try:
            opened = open_socket(host, self.port)
        except OSError as error:
            raise CannotListenError(host, self.port, error) from error
        self.port = opened.getsockname()[1]
        sock = ResponderSocket(
            opened, self._responder, self._reactor, self._siblings, siblings_alone=siblings_alone
        )
        self._sockets.append(sock)
        if host == EVERY_IPV6:
            self._group_socket = sock
        if host in (EVERY_IPV4, BROADCAST):
            self._siblings_socket = sock

    def _listen_if_there_is_ipv6(self) -> None:
        try:
            self._listen(EVERY_IPV6)
        except CannotListenError as error:
            if getattr(error.socketError, "errno", None) not in NO_IPV6:
                raise
            self._log.info("this host has no IPv6: only IPv4 is answered")

    def _listen_to_siblings(self) -> None:
        """Hear the other daemons of this host even where questions are heard at a few addresses alone."""
        if self._siblings_socket is None:
            try:
                self._listen(BROADCAST, siblings_alone=True)
            except CannotListenError as error:
                self._log.debug("the daemons of this host are not heard: {error}", error=error)

    def _keep_in_touch(self) -> None:
        if self._group_socket is not None:
            self._join(self._group_socket)
        self._siblings.present()

    def _join(self, sock: ResponderSocket) -> None:
        for index in sorted(
            {interface.index for interface in self._interfaces() if interface.address.version == 6}
        ):
            sock.join(index)

    def _say_to_siblings(self, datagram: bytes) -> None:
        if self._siblings_socket is not None:
            self._siblings_socket.say_to_siblings(datagram)

    def _answer(self, question: Question) -> None:
        """Answer a question that a sibling heard, by the socket that could have heard it; else it is not for us."""
        for sock in self._sockets:
            if sock.hears_at(question.at):
                sock.answer(question)
                return

    def _close(self) -> None:
        for sock in self._sockets:
            sock.close()
        self._sockets, self._group_socket, self._siblings_socket = [], None, None
