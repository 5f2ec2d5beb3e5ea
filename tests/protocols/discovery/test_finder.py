"""What the finder asks, whom it believes, and how it folds what it hears. Loopback only."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager

import attrs
import pytest

from protocols.discovery.finder import FoundRooms, find
from protocols.discovery.interfaces import (
    InterfaceAddress,
    Target,
    broadcast_targets,
    interface_addresses,
)
from protocols.discovery.wire import (
    FoundRoom,
    Identity,
    OpenRoom,
    Query,
    parse_query,
    render_reply,
)

ATTIC = Identity("9c1e", "attic")
FRIDAY = OpenRoom("nim", "Friday", 1, 2, False, 9000, "K7QX")
DOOR = OpenRoom("nim", "Expanding Nim", 0, 2, False, 9000)

Talking = Callable[..., AbstractContextManager[int]]


def honest(datagram: bytes) -> list[bytes]:
    query = parse_query(datagram)
    assert query is not None
    return [render_reply(room, ATTIC, query) for room in (FRIDAY, DOOR)]


def test_a_daemon_is_found_with_every_room_once(talking: Talking) -> None:
    with talking(honest) as port:
        found = find(port=port, seconds=0.2, addresses=["127.0.0.1", "127.0.0.1"])
    assert [(room.address, room.port, room.table) for room in found] == [
        ("127.0.0.1", 9000, None),
        ("127.0.0.1", 9000, "K7QX"),
    ]
    assert {room.server_name for room in found} == {"attic"}


def test_the_question_is_asked_three_times_with_the_same_nonce(talking: Talking) -> None:
    asked: list[Query | None] = []

    def note(datagram: bytes) -> list[bytes]:
        asked.append(parse_query(datagram))
        return []

    with talking(note) as port:
        assert find("nim", port, 0.2, ["127.0.0.1"]) == []
    assert len(asked) == 3
    assert len(set(asked)) == 1
    assert asked[0] is not None and asked[0].game == "nim" and len(asked[0].nonce or "") == 16


def test_nobody_is_believed_who_does_not_know_the_nonce(talking: Talking) -> None:
    def forger(_: bytes) -> list[bytes]:
        guesses = [Query("*"), Query("*", "0" * 16), Query("LastOfUs")]
        return [b"", b"noise", *(render_reply(FRIDAY, ATTIC, guess) for guess in guesses)]

    with talking(forger) as port:
        assert find(port=port, seconds=0.1, addresses=["127.0.0.1"]) == []


def test_a_server_that_knows_only_the_seed_is_found_by_the_seed(talking: Talking) -> None:
    def old(datagram: bytes) -> list[bytes]:
        assert json.loads(datagram.rstrip(b"\0"))["GAME"] == "LastOfUs"
        return [render_reply(FRIDAY, ATTIC, Query("LastOfUs"))]

    with talking(old) as port:
        (room,) = find("LastOfUs", port, 0.1, ["127.0.0.1"])
    assert (room.name, room.port, room.server_id) == ("Friday", 9000, "")


def test_a_broadcast_finds_who_listens_for_it(talking: Talking) -> None:
    with talking(honest, "127.255.255.255") as port:
        found = find(port=port, seconds=0.1, addresses=["127.255.255.255"])
    assert [room.address for room in found] == ["127.0.0.1"] * 2


def test_silence_is_an_empty_list() -> None:
    assert find(port=1, seconds=0.05, addresses=["127.0.0.1"]) == []
    assert find(port=1, seconds=0.05, addresses=[]) == []


def test_what_is_no_address_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> list[object]:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)  # no test asks a real name server
    with pytest.raises(OSError, match="not known"):
        find(seconds=0.05, addresses=["nowhere.example"])


def test_each_network_is_asked_at_its_own_broadcast_address() -> None:
    interfaces = [
        InterfaceAddress(1, ipaddress.ip_interface("127.0.0.1/8")),
        InterfaceAddress(1, ipaddress.ip_interface("::1/128")),
        InterfaceAddress(2, ipaddress.ip_interface("192.0.2.7/24")),
        InterfaceAddress(2, ipaddress.ip_interface("fe80::7/64")),
        InterfaceAddress(2, ipaddress.ip_interface("2001:db8::7/64")),
        InterfaceAddress(3, ipaddress.ip_interface("198.51.100.7/32")),
    ]
    assert broadcast_targets(interfaces, 3980) == [
        Target(socket.AF_INET, ("127.255.255.255", 3980), "127.0.0.1"),
        Target(socket.AF_INET6, ("ff12::3980", 3980, 0, 1)),
        Target(socket.AF_INET, ("192.0.2.255", 3980), "192.0.2.7"),
        Target(socket.AF_INET6, ("ff12::3980", 3980, 0, 2)),
    ]


def test_the_host_knows_its_loopback() -> None:
    loopback = ipaddress.ip_interface("127.0.0.1/8")
    assert loopback in [interface.address for interface in interface_addresses()]


def room_at(address: str, **changes: object) -> FoundRoom:
    room = FoundRoom(address, 9000, "nim", "Friday", 1, 2, False, "K7QX", "attic", "9c1e", "n")
    return attrs.evolve(room, **changes)


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_one_room_heard_in_many_ways_is_shown_once_at_its_best_address(first: int) -> None:
    ways = ["192.0.2.7", "2001:db8::7", "fe80::7%lo", "198.51.100.7"]
    found = FoundRooms("n")
    for address in ways[first:] + ways[:first]:
        found.add(room_at(address))
    (room,) = found.rooms()
    assert room.address in ("192.0.2.7", "198.51.100.7")
    found.add(room_at("127.0.0.1", players=2))
    assert found.rooms() == [room_at("127.0.0.1", players=2)]


def test_two_daemons_and_two_tables_stay_apart() -> None:
    found = FoundRooms("n")
    for changes in ({}, {"table": "ZZ42"}, {"table": None}, {"server_id": "77"}, {"game": "gops"}):
        found.add(room_at("192.0.2.7", **changes))
    assert len(found.rooms()) == 5


def test_a_peer_that_never_stops_talking_fills_no_memory() -> None:
    found = FoundRooms("n")
    for number in range(5000):
        found.add(room_at("192.0.2.7", table=str(number)))
    assert len(found.rooms()) == 4096
