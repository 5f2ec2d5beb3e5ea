"""Who is on this LAN: asks on every interface, and waits a moment for the answers."""

from __future__ import annotations

import ipaddress
import secrets
import selectors
import socket
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import Any

import attrs

from protocols.discovery.interfaces import Target, broadcast_targets, interface_addresses
from protocols.discovery.wire import (
    DISCOVERY_PORT,
    EVERY_GAME,
    MOST_QUERY_BYTES,
    MOST_REPLY_BYTES,
    SEED_GAME,
    FoundRoom,
    parse_reply,
    render_query,
)
from protocols.net.address import read_address

# Datagrams get lost: the question goes out at once, and again after these parts of the whole time.
ASKED_AGAIN_AT = (0.25, 0.5)
MOST_ROOMS = 4096
RECEIVE_BUFFER = 1 << 20


def targets_at(addresses: Iterable[str], port: int) -> list[Target]:
    """Give just these addresses or host names, each at this port if it names none behind it.

    Raises OSError for a host that is not known, ValueError for what is no address at all.
    """
    targets = []
    for host, its_port in map(read_address, addresses):
        there = socket.getaddrinfo(host, its_port or port, type=socket.SOCK_DGRAM)
        targets += [Target(family, to) for family, _, _, _, to in there]
    return list(dict.fromkeys(targets))


def find(
    game: str = EVERY_GAME,
    port: int = DISCOVERY_PORT,
    seconds: float = 2.0,
    addresses: Sequence[str] | None = None,
) -> list[FoundRoom]:
    """Ask for open rooms, by default everybody on the LAN, and give all that answered within so many seconds.

    Raises OSError for one of ``addresses`` that is not known, ValueError for what is no address at all.
    """
    nonce = secrets.token_hex(8)
    if addresses is None:
        targets = broadcast_targets(interface_addresses(), port)
        question = render_query(game, nonce)
    else:
        # An address that was named may lie behind a router: there, only who sends much gets much.
        targets = targets_at(addresses, port)
        question = render_query(game, nonce, padded_to=MOST_QUERY_BYTES)
    found = FoundRooms(None if game == SEED_GAME else nonce)
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        askers = _open(targets, stack)
        if not askers:
            return []
        for asker in askers.values():
            selector.register(asker, selectors.EVENT_READ)
        began = time.monotonic()
        for until in (*ASKED_AGAIN_AT, 1.0):
            _ask(targets, askers, question)
            _collect(selector, found, began + until * seconds)
    return found.rooms()


class FoundRooms:
    """The rooms told of so far, each once, however many ways it was heard."""

    def __init__(self, nonce: str | None) -> None:
        self._nonce = nonce
        self._rooms: dict[tuple[str, ...], FoundRoom] = {}

    def add(self, room: FoundRoom) -> None:
        """Note a room, if it answers our own question."""
        if room.nonce != self._nonce:
            return
        key = (room.server_id or room.address, room.game, room.table or str(room.port))
        known = self._rooms.get(key)
        if known is None and len(self._rooms) >= MOST_ROOMS:
            return
        if known is not None and _distance(known.address) <= _distance(room.address):
            room = attrs.evolve(room, address=known.address)
        self._rooms[key] = room

    def rooms(self) -> list[FoundRoom]:
        """All of them, daemon by daemon."""
        return sorted(
            self._rooms.values(),
            key=lambda room: (room.server_name, room.server_id, room.game, room.name, room.port),
        )


def _distance(address: str) -> int:
    """Of a room's several addresses the least is shown: the one most surely of use to the asker."""
    ip = ipaddress.ip_address(address)
    if ip.version == 4:  # doors stand open on IPv4 unless told otherwise
        return 0 if ip.is_loopback else 1
    return 3 if ip.is_link_local else 2


def _open(targets: Iterable[Target], stack: ExitStack) -> dict[tuple[int, str], socket.socket]:
    """One socket for each address that questions leave from."""
    askers: dict[tuple[int, str], socket.socket] = {}
    for target in targets:
        key = (target.family, target.leaves_from)
        if key in askers:
            continue
        with suppress(OSError):  # no such family here, or the address has just gone
            askers[key] = stack.enter_context(_asker(target))
    return askers


def _asker(target: Target) -> socket.socket:
    asker = socket.socket(target.family, socket.SOCK_DGRAM)
    try:
        asker.setblocking(False)
        asker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        if target.family == socket.AF_INET:
            asker.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        asker.bind((target.leaves_from, 0))
    except OSError:
        asker.close()
        raise
    return asker


def _ask(
    targets: Iterable[Target], askers: dict[tuple[int, str], socket.socket], question: bytes
) -> None:
    for target in targets:
        asker = askers.get((target.family, target.leaves_from))
        if asker is not None:
            with suppress(OSError):  # one interface that is down says nothing about the others
                asker.sendto(question, target.to)


def _collect(selector: selectors.BaseSelector, found: FoundRooms, until: float) -> None:
    while (left := until - time.monotonic()) > 0:
        for key, _ in selector.select(left):
            assert isinstance(key.fileobj, socket.socket)
            room = _heard(key.fileobj)
            if room is not None:
                found.add(room)


def _heard(asker: socket.socket) -> FoundRoom | None:
    """The room in the next datagram, if it tells of one."""
    try:
        datagram, source = asker.recvfrom(MOST_REPLY_BYTES + 1)
        return parse_reply(datagram, _shown(source))
    except OSError:  # nothing there after all, or its interface has just gone
        return None


def _shown(source: tuple[Any, ...]) -> str:
    """A datagram's source as people write it, with its interface where that is part of it."""
    host = str(source[0]).partition("%")[0]
    if len(source) == 4 and source[3] and ipaddress.ip_address(host).is_link_local:
        return f"{host}%{socket.if_indextoname(source[3])}"
    return host
