"""The UDP sockets that questions come in by, and that their answers leave from.

Reading has a budget: in a flood the kernel throws the rest away, and the games go on.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterable
from typing import Any

from twisted.internet.interfaces import IReadDescriptor
from twisted.logger import Logger
from twisted.python.failure import Failure
from zope.interface import implementer

from protocols.discovery.responder import Responder
from protocols.discovery.wire import GROUP, MOST_QUERY_BYTES
from protocols.net.limits import TokenBucket

READ_RATE, READ_BURST = 1000.0, 256.0  # datagrams a second
READ_AT_ONCE = 32
READ_PAUSE = 0.05  # seconds, once the budget is spent

# Pythons before 3.14 do not name it.
IP_PKTINFO: int | None = getattr(socket, "IP_PKTINFO", {"linux": 8, "darwin": 26}.get(sys.platform))
ANCILLARY_BYTES = 128


@implementer(IReadDescriptor)
class ResponderSocket:
    """One socket that hears questions, and answers from the address that was asked."""

    _log = Logger()

    def __init__(self, sock: socket.socket, answers: Responder, reactor: Any) -> None:
        self._socket, self._responder, self._reactor = sock, answers, reactor
        self._reads = TokenBucket(READ_RATE, READ_BURST)
        self._pause: Any = None

    def start(self) -> None:
        """Listen from now on."""
        self._pause = None
        self._reactor.addReader(self)

    def close(self) -> None:
        """Listen no more."""
        self._reactor.removeReader(self)
        self._let_go()

    def join(self, index: int) -> None:
        """Hear the group on an interface too, if not already so."""
        membership = socket.inet_pton(socket.AF_INET6, GROUP) + struct.pack("@I", index)
        try:
            self._socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:  # that one says: joined long ago
                self._log.debug("no group on interface {index}: {error}", index=index, error=error)

    def fileno(self) -> int:
        return self._socket.fileno()

    def logPrefix(self) -> str:
        return "discovery"

    def connectionLost(self, reason: Failure) -> None:
        self._let_go()

    def doRead(self) -> None:
        """Hear out a few datagrams, then let the games have their turn."""
        now = self._reactor.seconds()
        for _ in range(READ_AT_ONCE):
            if not self._reads.take(now):
                self._reactor.removeReader(self)
                self._pause = self._reactor.callLater(READ_PAUSE, self.start)
                return
            try:
                heard = self._socket.recvmsg(MOST_QUERY_BYTES + 1, ANCILLARY_BYTES)
            except OSError:
                return
            self._answer(*heard)

    def _answer(self, datagram: bytes, ancillary: list[Any], _flags: int, source: Any) -> None:
        index, leave_from = asked_address(ancillary)
        asker = ipaddress.ip_address(source[0].partition("%")[0])
        try:
            for reply in self._responder.replies_to(datagram, asker, index):
                if not self._sent(reply, leave_from, source):
                    return
        except Exception:
            self._log.failure("the open rooms could not be told")

    def _sent(self, reply: bytes, leave_from: list[tuple[int, int, bytes]], source: Any) -> bool:
        """Send, unless there is no room, no way there, or a firewall: they will ask again."""
        try:
            self._socket.sendmsg([reply], leave_from, 0, source)
        except OSError:
            return False
        return True

    def _let_go(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        self._socket.close()


def asked_address(ancillary: Iterable[Any]) -> tuple[int | None, list[tuple[int, int, bytes]]]:
    """Give the interface a datagram was heard on, and what makes its answer leave from where it went."""
    for level, kind, data in ancillary:
        if level == socket.IPPROTO_IP and kind == IP_PKTINFO:
            index, ours, asked = struct.unpack("@I4s4s", data[:12])
            # A broadcast is answered where it was heard; else the routing table knows the way.
            way = struct.pack("@I4s4s", index if asked != ours else 0, ours, b"")
            return index, [(level, kind, way)]
        if level == socket.IPPROTO_IPV6 and kind == socket.IPV6_PKTINFO:
            asked, index = struct.unpack("@16sI", data[:20])
            address = ipaddress.IPv6Address(asked)
            if address.is_multicast:
                return index, []  # the kernel picks ours on the asker's link
            way = struct.pack("@16sI", asked, index if address.is_link_local else 0)
            return index, [(level, kind, way)]
    return None, []


def open_socket(host: str, port: int) -> socket.socket:
    """Open a UDP socket beside which other daemons on this host can hear the same broadcast.

    Raises OSError where the port cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVPKTINFO, 1)
        elif IP_PKTINFO is not None:
            sock.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
        if port:
            _share(sock)
        sock.bind((host, port))
        if not port:
            _share(sock)  # sooner, and "any port" could be one that others share already
    except OSError:
        sock.close()
        raise
    return sock


def _share(sock: socket.socket) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
