"""Answers a LAN that asks which rooms are open: the sockets, the budgets, and who is near enough.

A UDP source can be forged, so an answer is a gift to whoever is named as the source. Three things
keep it harmless: who is beyond a router gets no more bytes than were sent in its name, each address
has a small budget of questions, and all together have one of answers. Reading has a budget too: in
a flood the kernel throws the rest away, and the games go on.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TypeAlias

from twisted.application.service import Service
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IReadDescriptor
from twisted.internet.task import LoopingCall
from twisted.logger import Logger
from twisted.python.failure import Failure
from zope.interface import implementer

from protocols.discovery.links import Link, host_links
from protocols.discovery.wire import (
    GROUP,
    LEAST_REPLY_BYTES,
    MOST_QUERY_BYTES,
    Identity,
    OpenRoom,
    parse_query,
    render_reply,
    rooms_asked_for,
)
from protocols.net.limits import AddressBuckets, TokenBucket, counted_as

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Seconds: TypeAlias = Callable[[], float]

ASKER_RATE, ASKER_BURST = 5.0, 10.0
MOST_ASKERS = 1024
REPLY_RATE, REPLY_BURST = 1000.0, 1000.0
MOST_ROOMS = 128
READ_RATE, READ_BURST = 1000.0, 256.0
READ_AT_ONCE = 32
READ_PAUSE = 0.05
LINKS_STAY = 5.0
REJOIN_EVERY = 30.0
# A datagram also costs its headers, IPv6 and UDP: an answer in two of them pays these twice.
HEADER_BYTES = 48

# Pythons before 3.14 do not name it.
IP_PKTINFO: int | None = getattr(socket, "IP_PKTINFO", {"linux": 8, "darwin": 26}.get(sys.platform))
ANCILLARY_BYTES = 128
EVERY_IPV4, EVERY_IPV6 = "0.0.0.0", "::"
NO_IPV6 = frozenset({errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT, errno.EADDRNOTAVAIL})


def is_on_link(source: Address, index: int | None, links: Iterable[Link]) -> bool:
    """Whether no router stands between the interface it was heard on and a source."""
    if source.is_loopback or (source.version == 6 and source.is_link_local):
        return True  # the kernel lets in no such source from elsewhere
    return any(
        source in link.address.network
        # What this host sends to itself is heard on another interface than its address is on.
        and (index in (None, link.index) or source == link.address.ip)
        for link in links
    )


class Links:
    """What the host is connected to, looked up anew every few seconds at most."""

    def __init__(self, look: Callable[[], Sequence[Link]], seconds: Seconds) -> None:
        self._look, self._seconds = look, seconds
        self._links: Sequence[Link] = ()
        self._good_until = seconds()

    def __call__(self) -> Sequence[Link]:
        """The links as they were a few seconds ago or less."""
        now = self._seconds()
        if now >= self._good_until:
            self._good_until = now + LINKS_STAY
            with suppress(OSError):  # then what was seen last still holds
                self._links = self._look()
        return self._links


class Answers:
    """Decides what a datagram gets for an answer; opens no socket."""

    def __init__(
        self,
        rooms: Callable[[], Iterable[OpenRoom]],
        identity: Identity,
        links: Callable[[], Sequence[Link]],
        seconds: Seconds,
    ) -> None:
        self._rooms, self._identity, self._links, self._seconds = rooms, identity, links, seconds
        self._askers = AddressBuckets(ASKER_RATE, ASKER_BURST, MOST_ASKERS)
        self._replies = TokenBucket(REPLY_RATE, REPLY_BURST)

    def to(self, datagram: bytes, source: Address, index: int | None) -> Iterator[bytes]:
        """The datagrams to send back, one a room, as far as the budgets go."""
        query = parse_query(datagram)
        if query is None:
            return
        now, near = self._seconds(), is_on_link(source, index, self._links())
        # Neighbours share one IPv6 network, a stranger may well have one alone.
        asker = str(source) if near else counted_as(str(source))
        left = len(datagram) + HEADER_BYTES
        if not self._askers.take(asker, now) or self._replies.wait(now):
            return
        if not near and left < LEAST_REPLY_BYTES + HEADER_BYTES:
            return
        for room in islice(rooms_asked_for(query, self._rooms()), MOST_ROOMS):
            reply = render_reply(room, self._identity, query)
            left -= len(reply) + HEADER_BYTES
            if not (near or left >= 0) or not self._replies.take(now):
                return
            yield reply


@implementer(IReadDescriptor)
class Ear:
    """One socket that hears questions, and answers from the address that was asked."""

    _log = Logger()

    def __init__(self, sock: socket.socket, answers: Answers, reactor: Any) -> None:
        self._socket, self._answers, self._reactor = sock, answers, reactor
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
            for reply in self._answers.to(datagram, asker, index):
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
    """The interface a datagram was heard on, and what makes its answer leave from where it went."""
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
    """A UDP socket beside which other daemons on this host can hear the same broadcast."""
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


class DiscoveryService(Service):
    """Tells a LAN which rooms are open, for as long as it runs.

    With no addresses given it hears IPv4 broadcast and the IPv6 group on every interface, and does
    without IPv6 where there is none. `rooms` is asked at each question that gets an answer.
    """

    _log = Logger()

    def __init__(
        self,
        port: int,
        rooms: Callable[[], Iterable[OpenRoom]],
        identity: Identity,
        reactor: Any,
        addresses: Sequence[str] = (),
        links: Callable[[], Sequence[Link]] = host_links,
    ) -> None:
        self.port = port
        self._asked_port, self._addresses, self._reactor = port, addresses, reactor
        self._links = Links(links, reactor.seconds)
        self._answers = Answers(rooms, identity, self._links, reactor.seconds)
        self._ears: list[Ear] = []
        self._group_ear: Ear | None = None
        self._joining: LoopingCall | None = None

    def privilegedStartService(self) -> None:
        """Bind the port while that is still allowed; CannotListenError if it cannot be had."""
        super().privilegedStartService()
        self._open()

    def startService(self) -> None:
        """Answer from now on; CannotListenError if the port cannot be had."""
        self._open()
        super().startService()
        for ear in self._ears:
            ear.start()
        if self._group_ear is not None:
            self._joining = LoopingCall(self._join, self._group_ear)
            self._joining.clock = self._reactor
            self._joining.start(REJOIN_EVERY)
        self._log.info("answering who looks for games on UDP port {port}", port=self.port)

    def stopService(self) -> None:
        """Fall silent and give the port back."""
        super().stopService()
        if self._joining is not None:
            self._joining.stop()
            self._joining = None
        self._close()

    def _open(self) -> None:
        if self._ears:
            return
        self.port = self._asked_port
        try:
            for host in self._addresses or (EVERY_IPV4,):
                self._listen(host)
            if not self._addresses:
                self._listen_if_there_is_ipv6()
        except CannotListenError:
            self._close()
            raise

    def _listen(self, host: str) -> None:
        try:
            sock = open_socket(host, self.port)
        except OSError as error:
            raise CannotListenError(host, self.port, error) from error
        self.port = sock.getsockname()[1]
        ear = Ear(sock, self._answers, self._reactor)
        self._ears.append(ear)
        if host == EVERY_IPV6:
            self._group_ear = ear

    def _listen_if_there_is_ipv6(self) -> None:
        try:
            self._listen(EVERY_IPV6)
        except CannotListenError as error:
            if getattr(error.socketError, "errno", None) not in NO_IPV6:
                raise
            self._log.info("this host has no IPv6: only IPv4 is answered")

    def _join(self, ear: Ear) -> None:
        for index in sorted({link.index for link in self._links() if link.address.version == 6}):
            ear.join(index)

    def _close(self) -> None:
        for ear in self._ears:
            ear.close()
        self._ears, self._group_ear = [], None
