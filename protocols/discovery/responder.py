"""Decides what a datagram that asks for open rooms gets for an answer: the budgets, and who is near enough.

A UDP source can be forged, so an answer is a gift to whoever is named as the source. Three things
keep it harmless: who is beyond a router gets no more bytes than were sent in its name, each address
has a small budget of questions, and all together have one of answers.  The first few datagrams of an answer
have a budget of their own, and of the rest no source gets more than a share: who asks for everything, again and
again, silences nobody who asks for little.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TypeAlias

import attrs

from protocols.discovery.interfaces import InterfaceAddress
from protocols.discovery.wire import (
    LEAST_REPLY_BYTES,
    Identity,
    OpenRoom,
    Query,
    parse_query,
    render_reply,
)
from protocols.net.limits import AddressBuckets, TokenBucket, counted_as

Rooms: TypeAlias = Callable[[str | None], Iterable[OpenRoom]]
"""Gives the open rooms of one kind of game, or of all (None), each when it is asked for."""
Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Seconds: TypeAlias = Callable[[], float]

ASKER_RATE, ASKER_BURST = 5.0, 10.0  # questions a second of one address
MOST_ASKERS = 1024
REPLY_RATE, REPLY_BURST = (
    1000.0,
    1000.0,
)  # datagrams a second to all, behind the first few of each answer
FEW = 4  # datagrams of an answer that come first
FEW_RATE, FEW_BURST = 1000.0, 1000.0  # of those
SHARE_RATE, SHARE_BURST = (
    250.0,
    256.0,
)  # of the others, to one source: a neighbour, or a network far away
_FAR_PREFIX = 24  # bits of an IPv4 address that name such a network
MOST_ROOMS = 128  # told of in answer to one question
INTERFACES_STAY = 5.0  # seconds
# A datagram also costs its headers, IPv6 and UDP: an answer in two of them pays these twice.
HEADER_BYTES = 48


def is_on_link(source: Address, index: int | None, interfaces: Iterable[InterfaceAddress]) -> bool:
    """Whether no router stands between the interface it was heard on and a source."""
    if source.is_loopback or (source.version == 6 and source.is_link_local):
        return True  # the kernel lets in no such source from elsewhere
    return any(
        source in interface.address.network
        # What this host sends to itself is heard on another interface than its address is on.
        and (index in (None, interface.index) or source == interface.address.ip)
        for interface in interfaces
    )


class InterfaceCache:
    """What the host is connected to, looked up anew every few seconds at most."""

    def __init__(self, look: Callable[[], Sequence[InterfaceAddress]], seconds: Seconds) -> None:
        self._look, self._seconds = look, seconds
        self._interfaces: Sequence[InterfaceAddress] = ()
        self._good_until = seconds()

    def __call__(self) -> Sequence[InterfaceAddress]:
        """The interfaces as they were a few seconds ago or less."""
        now = self._seconds()
        if now >= self._good_until:
            self._good_until = now + INTERFACES_STAY
            with suppress(OSError):  # then what was seen last still holds
                self._interfaces = self._look()
        return self._interfaces


@attrs.frozen(slots=True)
class Admitted:
    """A question that gets an answer: of so many bytes at most, headers counted, None for as many as it takes.

    ``source`` is what a long answer is counted under.
    """

    query: Query
    bytes_left: int | None
    source: str

    @property
    def near(self) -> bool:
        """Whether no router stands between us and the asker."""
        return self.bytes_left is None


class Responder:
    """Decides what a datagram gets for an answer; opens no socket."""

    def __init__(
        self,
        rooms: Rooms,
        identity: Identity,
        interfaces: Callable[[], Sequence[InterfaceAddress]],
        seconds: Seconds,
    ) -> None:
        self.identity = identity
        self._rooms, self._interfaces, self._seconds = rooms, interfaces, seconds
        self._askers = AddressBuckets(ASKER_RATE, ASKER_BURST, MOST_ASKERS)
        self._first_few = TokenBucket(FEW_RATE, FEW_BURST)
        self._replies = TokenBucket(REPLY_RATE, REPLY_BURST)
        self._shares = AddressBuckets(SHARE_RATE, SHARE_BURST, MOST_ASKERS)

    def replies_to(self, datagram: bytes, source: Address, index: int | None) -> Iterator[bytes]:
        """Give the datagrams to send back, one a room, as far as the budgets go."""
        query = parse_query(datagram)
        admitted = None if query is None else self.admit(query, len(datagram), source, index)
        return iter(()) if admitted is None else self.replies(admitted)

    def admit(self, query: Query, size: int, source: Address, index: int | None) -> Admitted | None:
        """Take a question from its asker's budget; None is for one that gets no answer."""
        now, near = self._seconds(), is_on_link(source, index, self._interfaces())
        # Neighbours share one IPv6 network, a stranger may well have one alone.
        asker = str(source) if near else counted_as(str(source))
        if not self._askers.take(asker, now) or self._first_few.wait(now):
            return None
        if not near and size < LEAST_REPLY_BYTES:
            return None
        return Admitted(
            query, None if near else size + HEADER_BYTES, asker if near else _network_of(source)
        )

    def replies(self, admitted: Admitted) -> Iterator[bytes]:
        """Give the datagrams that answer a question, as far as the budgets go."""
        now, left = self._seconds(), admitted.bytes_left
        for number, room in enumerate(islice(self._rooms(admitted.query.kind), MOST_ROOMS)):
            reply = render_reply(room, self.identity, admitted.query)
            if left is not None:
                left -= len(reply) + HEADER_BYTES
                if left < 0:
                    return
            if not self._may_send(number, admitted.source, now):
                return
            yield reply

    def _may_send(self, number: int, source: str, now: float) -> bool:
        """Count one more datagram of an answer, if there is one left for it."""
        if number < FEW:
            return self._first_few.take(now)
        if self._replies.wait(now) or not self._shares.take(source, now):
            return False
        return self._replies.take(now)


def _network_of(source: Address) -> str:
    """Name the network of a source beyond a router."""
    if source.version == 6:
        return counted_as(str(source))
    return str(ipaddress.ip_network((source, _FAR_PREFIX), strict=False))
