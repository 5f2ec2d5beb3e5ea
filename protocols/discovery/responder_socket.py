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
from contextlib import suppress
from typing import Any, TypeAlias

import attrs
from twisted.internet.interfaces import IReadDescriptor
from twisted.logger import Logger
from twisted.python.failure import Failure
from zope.interface import implementer

from protocols.discovery.responder import Address, Admitted, Responder
from protocols.discovery.siblings import BROADCAST, MOST_SIBLING_BYTES, Question, Siblings
from protocols.discovery.wire import GROUP, Query, parse_query
from protocols.net.limits import TokenBucket

READ_RATE, READ_BURST = 1000.0, 256.0  # datagrams a second
READ_AT_ONCE = 32
READ_PAUSE = 0.05  # seconds, once the budget is spent

# Pythons before 3.14 do not name it.
IP_PKTINFO: int | None = getattr(socket, "IP_PKTINFO", {"linux": 8, "darwin": 26}.get(sys.platform))
ANCILLARY_BYTES = 128
Ancillary: TypeAlias = list[tuple[int, int, bytes]]


@attrs.frozen(slots=True)
class Arrival:
    """By which interface a datagram came in, and to which address of ours; None where the system does not say.

    ``alone`` is whether it was sent to that address, so that no other daemon of this host hears it.
    """

    on: int | None = None
    at: Address | None = None
    alone: bool = False

    def way_back(self) -> Ancillary:
        """Give what makes an answer leave from where the question went."""
        if self.at is None or self.on is None:
            return []  # the kernel picks ours on the asker's link
        if self.at.version == 6:
            way = struct.pack("@16sI", self.at.packed, self.on if self.at.is_link_local else 0)
            return [(socket.IPPROTO_IPV6, socket.IPV6_PKTINFO, way)]
        assert IP_PKTINFO is not None
        # A broadcast is answered where it was heard; else the routing table knows the way.
        way = struct.pack("@I4s4s", 0 if self.alone else self.on, self.at.packed, b"")
        return [(socket.IPPROTO_IP, IP_PKTINFO, way)]


@implementer(IReadDescriptor)
class ResponderSocket:
    """One socket that hears questions, and answers from the address that was asked."""

    _log = Logger()

    def __init__(
        self,
        sock: socket.socket,
        responder: Responder,
        reactor: Any,
        siblings: Siblings | None = None,
        *,
        siblings_alone: bool = False,
    ) -> None:
        """Hear questions, and what the siblings say; with ``siblings_alone`` nothing but that."""
        self._socket, self._responder, self._reactor = sock, responder, reactor
        self._siblings, self._siblings_alone = siblings, siblings_alone
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
                heard = self._socket.recvmsg(MOST_SIBLING_BYTES + 1, ANCILLARY_BYTES)
            except OSError:
                return
            self._hear(*heard)

    def hears_at(self, address: Address) -> bool:
        """Say whether a question to this address of ours could have come in here."""
        ours = ipaddress.ip_address(self._socket.getsockname()[0].partition("%")[0])
        same = ours.version == address.version
        return same and not self._siblings_alone and (ours.is_unspecified or ours == address)

    def say_to_siblings(self, datagram: bytes) -> None:
        """Let the other daemons of this host hear something; what cannot be sent they do without."""
        with suppress(OSError):
            self._socket.sendto(datagram, (BROADCAST, self._socket.getsockname()[1]))

    def answer(self, question: Question) -> None:
        """Answer a question that a sibling heard."""
        arrival = Arrival(question.on, question.at, alone=True)
        admitted = self._responder.admit(question.query, question.size, question.asker, arrival.on)
        if admitted is not None:
            self._send(admitted, arrival, question.source)

    def _hear(self, datagram: bytes, ancillary: list[Any], _flags: int, source: Any) -> None:
        arrival = arrival_of(ancillary)
        asker = ipaddress.ip_address(source[0].partition("%")[0])
        query = parse_query(datagram)
        if query is None:
            here = asker.is_loopback and arrival.at is not None and arrival.at.is_loopback
            if here and self._siblings is not None:
                self._siblings.hear(datagram)
        elif not self._siblings_alone:
            self._answer(query, len(datagram), arrival, asker, source)

    def _answer(
        self, query: Query, size: int, arrival: Arrival, asker: Address, source: Any
    ) -> None:
        admitted = self._responder.admit(query, size, asker, arrival.on)
        if admitted is None:
            return
        if arrival.alone and arrival.at is not None and self._siblings is not None:
            scope = source[3] if asker.version == 6 else 0
            question = Question(query, size, asker, source[1], scope, arrival.at, arrival.on)
            if not self._siblings.share(question, admitted.near):
                return
        self._send(admitted, arrival, source)

    def _send(self, admitted: Admitted, arrival: Arrival, to: Any) -> None:
        """Send, until there is no room, no way there, or a firewall: they will ask again."""
        way = arrival.way_back()
        try:
            for reply in self._responder.replies(admitted):
                self._socket.sendmsg([reply], way, 0, to)
        except OSError:
            return
        except Exception:
            self._log.failure("the open rooms could not be told")

    def _let_go(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        self._socket.close()


def arrival_of(ancillary: Iterable[Any]) -> Arrival:
    """Read by which way a datagram came in."""
    for level, kind, data in ancillary:
        if level == socket.IPPROTO_IP and kind == IP_PKTINFO:
            index, ours, asked = struct.unpack("@I4s4s", data[:12])
            return Arrival(index, ipaddress.IPv4Address(ours), asked == ours)
        if level == socket.IPPROTO_IPV6 and kind == socket.IPV6_PKTINFO:
            asked, index = struct.unpack("@16sI", data[:20])
            address = ipaddress.IPv6Address(asked)
            return Arrival(index) if address.is_multicast else Arrival(index, address, True)
    return Arrival()


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
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)  # to the siblings
            if IP_PKTINFO is not None:
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
