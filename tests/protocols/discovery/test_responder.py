"""Who gets an answer, and how much of one."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterable, Sequence
from itertools import islice

import pytest
from twisted.internet.task import Clock

from protocols.discovery.interfaces import InterfaceAddress
from protocols.discovery.responder import FEW, Address, InterfaceCache, Responder, is_on_link
from protocols.discovery.wire import Identity, OpenRoom, render_query

ATTIC = Identity("9c1e", "attic")
FRIDAY = OpenRoom("castle", "Friday", 1, 2, False, 3789, "K7QX")
DOOR = OpenRoom("nim", "Expanding Nim", 0, 2, False, 9000)
SEED = b'{"COMMAND": "FIND_SERVER", "GAME": "LastOfUs"}'
EVERYTHING = render_query("*", None)

LAN = [
    InterfaceAddress(1, ipaddress.ip_interface("127.0.0.1/8")),
    InterfaceAddress(2, ipaddress.ip_interface("192.0.2.7/24")),
    InterfaceAddress(2, ipaddress.ip_interface("2001:db8:1::7/64")),
    InterfaceAddress(3, ipaddress.ip_interface("198.51.100.7/24")),
]
NEIGHBOUR = ipaddress.ip_address("192.0.2.20")
FAR_AWAY = ipaddress.ip_address("203.0.113.5")


def answers(clock: Clock, rooms: Sequence[OpenRoom] = (FRIDAY, DOOR)) -> Responder:
    def of(kind: str | None) -> Iterable[OpenRoom]:
        return (room for room in rooms if kind in (None, room.game))

    return Responder(of, ATTIC, lambda: LAN, clock.seconds)


@pytest.mark.parametrize(
    ("source", "index", "near"),
    [
        ("192.0.2.20", 2, True),
        ("192.0.2.20", 3, False),  # of another interface's network: forged, or a wrong route
        ("192.0.2.20", None, True),  # a system that cannot say where it heard it
        ("198.51.100.9", 3, True),
        ("203.0.113.5", 2, False),
        ("192.0.3.1", 2, False),
        ("127.0.0.2", 1, True),
        ("192.0.2.7", 1, True),  # this host, asking itself by its LAN address
        ("169.254.3.4", 2, False),  # no such network here
        ("fe80::1", 2, True),
        ("2001:db8:1::20", 2, True),
        ("2001:db8:2::20", 2, False),
        ("::1", 1, True),
    ],
)
def test_a_source_is_near_if_no_router_stands_between(
    source: str, index: int | None, near: bool
) -> None:
    assert is_on_link(ipaddress.ip_address(source), index, LAN) is near


def test_a_neighbour_is_told_of_every_room(clock: Clock) -> None:
    told = [json.loads(reply) for reply in answers(clock).replies_to(EVERYTHING, NEIGHBOUR, 2)]
    assert [room.get("TABLE") for room in told] == ["K7QX", None]


def test_the_seed_is_told_of_the_rooms_of_its_own_game_alone(clock: Clock) -> None:
    assert list(answers(clock, [DOOR]).replies_to(SEED, NEIGHBOUR, 2)) == []
    assert len(list(answers(clock).replies_to(SEED, NEIGHBOUR, 2))) == 1


@pytest.mark.parametrize("size", [0, 100, 150, 200, 250, 300, 400, 512])
@pytest.mark.parametrize("game", ["LastOfUs", "*", "castle"])
def test_beyond_a_router_nobody_gets_more_than_they_sent(
    clock: Clock, game: str, size: int
) -> None:
    question = render_query(game, None, padded_to=size)
    told = list(answers(clock, [FRIDAY] * 9).replies_to(question, FAR_AWAY, 2))
    assert sum(map(len, told)) <= len(question)
    one = next(answers(clock).replies_to(question, NEIGHBOUR, 2))
    assert bool(told) == (len(one) <= len(question))


def never(kind: str | None) -> Iterable[OpenRoom]:
    raise AssertionError("nobody was to be told")


def test_rooms_are_not_looked_up_for_who_gets_no_answer(clock: Clock) -> None:
    silent = Responder(never, ATTIC, lambda: LAN, clock.seconds)
    assert list(silent.replies_to(b"noise", NEIGHBOUR, 2)) == []
    assert list(silent.replies_to(SEED, FAR_AWAY, 2)) == []


def hosts_of(network: str) -> Iterable[Address]:
    """Fifty addresses of a network."""
    return islice(ipaddress.ip_network(network).hosts(), 50)


def answered(told: Responder, askers: Iterable[Address]) -> int:
    """How many rooms the askers are told of, each asking once for everything."""
    question = render_query("*", None, padded_to=512)
    return sum(len(list(told.replies_to(question, asker, 2))) for asker in askers)


def test_one_address_gets_ten_answers_at_once_and_then_five_a_second(clock: Clock) -> None:
    told = answers(clock, [FRIDAY])
    assert answered(told, [NEIGHBOUR] * 50) == 10
    assert answered(told, [ipaddress.ip_address("192.0.2.21")]) == 1
    clock.advance(1)
    assert answered(told, [NEIGHBOUR] * 50) == 5
    clock.advance(3600)
    assert answered(told, [NEIGHBOUR] * 50) == 10


@pytest.mark.parametrize("network", ["fe80::/64", "2001:db8:1::/64"])
def test_neighbours_in_one_ipv6_network_have_a_budget_each(clock: Clock, network: str) -> None:
    assert answered(answers(clock, [FRIDAY]), hosts_of(network)) == 50


def test_a_stranger_has_one_budget_for_a_whole_ipv6_network(clock: Clock) -> None:
    told = answers(clock, [FRIDAY])
    assert answered(told, hosts_of("2001:db8:2::/64")) == 10
    assert answered(told, hosts_of("2001:db8:3::/64")) == 10


def test_all_together_get_so_many_answers_and_no_more(clock: Clock) -> None:
    looked_up = []

    def rooms(kind: str | None) -> Sequence[OpenRoom]:
        looked_up.append(clock.seconds())
        return [FRIDAY] * 100

    told = Responder(rooms, ATTIC, lambda: LAN, clock.seconds)
    crowd = [ipaddress.ip_address(f"192.0.2.{host}") for host in range(20, 60)]
    assert answered(told, crowd) == 1000 + 40 * FEW
    others = [ipaddress.ip_address(f"192.0.2.{host}") for host in range(60, 255)]
    assert answered(told, others) == 195 * FEW
    networks = [ipaddress.ip_address(f"198.51.{host}.1") for host in range(100)]
    assert answered(told, networks) < 100, "a stranger gets no more than was sent"
    looked_up.clear()
    assert answered(told, hosts_of("192.0.2.0/24")) == 0 and not looked_up


def test_who_asks_for_everything_again_and_again_silences_nobody_who_asks_for_little(
    clock: Clock,
) -> None:
    told = answers(clock, [FRIDAY] * 200 + [DOOR])
    greedy = [ipaddress.ip_address(f"192.0.2.{host}") for host in range(100, 106)]
    for asked in range(30):
        clock.advance(1 / 30)
        answered(told, [greedy[asked % len(greedy)]])
    one = render_query("nim", None)
    for host in range(10, 60):
        near = ipaddress.ip_address(f"192.0.2.{host}")
        assert len(list(told.replies_to(one, near, 2))) == 1


def test_one_source_gets_a_share_of_long_answers_and_leaves_the_rest(clock: Clock) -> None:
    told = answers(clock, [FRIDAY] * 200)
    assert answered(told, [NEIGHBOUR] * 10) == 256 + 10 * FEW
    assert answered(told, [ipaddress.ip_address("192.0.2.21")]) == 128


def test_one_question_is_answered_by_a_bounded_number_of_rooms(clock: Clock) -> None:
    assert len(list(answers(clock, [FRIDAY] * 5000).replies_to(EVERYTHING, NEIGHBOUR, 2))) == 128


def test_links_are_looked_up_every_few_seconds_only(clock: Clock) -> None:
    looks: list[Sequence[InterfaceAddress]] = []

    def look() -> Sequence[InterfaceAddress]:
        looks.append(LAN)
        if len(looks) == 2:
            raise OSError("no interfaces just now")
        return LAN[: len(looks)]

    interfaces = InterfaceCache(look, clock.seconds)
    assert interfaces() == interfaces() == LAN[:1]
    clock.advance(5)
    assert interfaces() == LAN[:1], "what was seen last still holds"
    clock.advance(5)
    assert interfaces() == LAN[:3]
