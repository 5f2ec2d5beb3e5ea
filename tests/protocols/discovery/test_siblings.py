"""Several daemons on one host: each is found, however the host was asked, and nobody gets more than is due."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from protocols.discovery.service import DiscoveryService
from protocols.discovery.siblings import (
    FORGOTTEN_AFTER,
    MOST_SIBLING_BYTES,
    MOST_SIBLINGS,
    Present,
    Question,
    Repeated,
    Siblings,
    parse,
    render,
)
from protocols.discovery.wire import Identity, OpenRoom, Query, render_query
from tests.protocols.discovery.loopback import needs_ipv6
from tests.protocols.discovery.still_reactor import StillReactor

NAMES = ("attic", "cellar", "yard")
WILDCARD = ("0.0.0.0", "::")


class House:
    """Some daemons on this host, which read when they are told to."""

    def __init__(self, services: list[DiscoveryService], reactor: StillReactor) -> None:
        self.services, self.reactor = services, reactor
        self.port = services[0].port

    def settle(self) -> None:
        """Let everybody hear what was said, and what was said to that."""
        for _ in range(8):
            self.reactor.read_all()


@pytest.fixture
def house() -> Iterator[Callable[..., House]]:
    """Open daemons on one port, each heard at its own addresses."""
    with ExitStack() as stack:

        def build(*heard_at: tuple[str, ...]) -> House:
            reactor = StillReactor()
            services: list[DiscoveryService] = []
            for name, addresses in zip(NAMES, heard_at, strict=False):
                room = OpenRoom("nim", name, 0, 2, False, 9000)
                port = services[0].port if services else 0
                one = DiscoveryService(
                    port,
                    lambda kind, room=room: [room],
                    Identity(f"id-{name}", name),
                    reactor,
                    addresses,
                )
                one.startService()
                stack.callback(one.stopService)
                services.append(one)
            there = House(services, reactor)
            there.settle()
            return there

        yield build


@contextmanager
def asker_at(address: str) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asker:
        asker.bind(("::1" if ":" in address else "127.0.0.1", 0))
        asker.setblocking(False)
        asker.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        yield asker


def heard_by(asker: socket.socket) -> list[tuple[str, str]]:
    """Who answered, and from which address."""
    heard = []
    while True:
        try:
            reply, source = asker.recvfrom(2048)
        except BlockingIOError:
            return heard
        heard.append((json.loads(reply)["SERVER_NAME"], source[0]))


@pytest.mark.parametrize(
    ("heard_at", "asked"),
    [
        (("0.0.0.0",), "127.0.0.1"),
        (("0.0.0.0",), "127.3.2.1"),
        (("127.0.0.1",), "127.0.0.1"),
        (("127.0.0.1", "127.255.255.255"), "127.0.0.1"),
        (("127.0.0.1", "127.255.255.255"), "127.255.255.255"),
        (("0.0.0.0",), "127.255.255.255"),
        pytest.param(WILDCARD, "::1", marks=needs_ipv6),
        pytest.param(("::1",), "::1", marks=needs_ipv6),
    ],
)
@pytest.mark.parametrize("daemons", [1, 2, 3])
def test_each_daemon_of_a_host_answers_once_however_it_was_asked(
    house: Callable[..., House], heard_at: tuple[str, ...], asked: str, daemons: int
) -> None:
    there = house(*[heard_at] * daemons)
    with asker_at(asked) as asker:
        for _ in range(2):
            asker.sendto(render_query("*", "5f3a"), (asked, there.port))
            there.settle()
            from_there = asked if asked != "127.255.255.255" else "127.0.0.1"
            assert sorted(heard_by(asker)) == [(name, from_there) for name in NAMES[:daemons]]


def test_a_daemon_answers_for_its_own_addresses_alone(house: Callable[..., House]) -> None:
    there = house(("127.0.0.1",), ("127.0.0.2",), ("0.0.0.0",))
    with asker_at("127.0.0.1") as asker:
        for asked, who in (("127.0.0.1", "attic"), ("127.0.0.2", "cellar")):
            asker.sendto(render_query("*", None), (asked, there.port))
            there.settle()
            assert sorted(heard_by(asker)) == [(who, asked), ("yard", asked)]
        asker.sendto(render_query("*", None), ("127.255.255.255", there.port))
        there.settle()
        assert heard_by(asker) == [("yard", "127.0.0.1")]


def test_one_that_has_gone_is_not_missed(house: Callable[..., House]) -> None:
    there = house(("0.0.0.0",), ("0.0.0.0",))
    there.services[1].stopService()
    with asker_at("127.0.0.1") as asker:
        asker.sendto(render_query("*", None), ("127.0.0.1", there.port))
        there.settle()
        assert heard_by(asker) == [("attic", "127.0.0.1")]


def test_an_asker_has_the_same_budget_at_each_of_them(house: Callable[..., House]) -> None:
    there = house(("0.0.0.0",), ("0.0.0.0",))
    with asker_at("127.0.0.1") as asker:
        for _ in range(50):
            asker.sendto(render_query("*", None), ("127.0.0.1", there.port))
            there.settle()
        told = Counter(name for name, _ in heard_by(asker))
    assert set(told) == {"attic", "cellar"} and max(told.values()) <= 10


def test_a_house_that_is_renamed_answers_by_its_new_name(house: Callable[..., House]) -> None:
    there = house(("127.0.0.1",))
    there.services[0].rename("loft")
    with asker_at("127.0.0.1") as asker:
        asker.sendto(render_query("*", None), ("127.0.0.1", there.port))
        there.settle()
        assert [name for name, _ in heard_by(asker)] == ["loft"]


class Loopback:
    """What daemons say to each other, without sockets; and who answered what."""

    def __init__(self, clock: Clock, *names: str) -> None:
        self.said: list[bytes] = []
        self.answered: list[tuple[str, Question]] = []
        self.siblings = {
            name: Siblings(name, clock.seconds, self.said.append, self._answering(name))
            for name in names
        }

    def _answering(self, name: str) -> Callable[[Question], None]:
        return lambda question: self.answered.append((name, question))

    def settle(self, *deaf: str) -> int:
        """Let all hear all, the sayer too; give how many datagrams that took."""
        count = 0
        while self.said:
            datagram = self.said.pop(0)
            count += 1
            for name, each in self.siblings.items():
                if name not in deaf:
                    each.hear(datagram)
        return count


def question(number: int = 0) -> Question:
    stranger = ipaddress.ip_address("203.0.113.5")
    here = ipaddress.ip_address("192.0.2.7")
    return Question(Query("*", f"n{number}"), 512, stranger, 3981, 0, here, 2)


def acquainted(clock: Clock, *names: str) -> Loopback:
    there = Loopback(clock, *names)
    for each in there.siblings.values():
        each.present()
    there.settle()
    return there


def test_beyond_a_router_each_question_is_answered_by_one_of_them_in_turn(clock: Clock) -> None:
    there = acquainted(clock, *NAMES)
    first = there.siblings["cellar"]
    answered = []
    for number in range(6):
        if first.share(question(number), near=False):
            answered.append("cellar")
        there.settle()
        answered += [name for name, _ in there.answered]
        there.answered.clear()
    assert sorted(answered) == sorted(NAMES * 2)


def test_a_neighbours_question_is_repeated_once_and_by_nobody_else(clock: Clock) -> None:
    there = acquainted(clock, *NAMES)
    assert there.siblings["attic"].share(question(), near=True)
    assert there.settle() == 1
    assert there.answered == [("cellar", question()), ("yard", question())]


def test_who_is_alone_repeats_nothing(clock: Clock) -> None:
    there = acquainted(clock, "attic")
    for near in (True, False):
        assert there.siblings["attic"].share(question(), near=near)
    assert there.said == []


def test_one_that_falls_silent_is_counted_on_no_more(clock: Clock) -> None:
    there = acquainted(clock, "attic", "cellar")
    for _ in range(int(FORGOTTEN_AFTER // 30)):
        clock.advance(30)
        there.siblings["attic"].present()
        there.settle("cellar")
    assert [there.siblings["attic"].share(question(), near=False) for _ in range(4)] == [True] * 4


def test_however_many_say_that_they_are_there_so_many_are_remembered_and_greeted(
    clock: Clock,
) -> None:
    there = Loopback(clock, "attic")
    for number in range(5 * MOST_SIBLINGS):
        there.siblings["attic"].hear(render(Present(f"forged-{number}")))
    assert len(there.said) == MOST_SIBLINGS
    clock.advance(FORGOTTEN_AFTER + 1)
    assert there.siblings["attic"].share(question(), near=False)


addresses = st.one_of(
    st.tuples(st.ip_addresses(v=4), st.ip_addresses(v=4)),
    st.tuples(st.ip_addresses(v=6), st.ip_addresses(v=6)),
)
plain = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1)


@given(
    addresses,
    plain.filter(lambda text: len(text) <= 32),
    st.one_of(st.none(), plain.filter(lambda text: len(text) <= 64)),
    st.one_of(st.none(), st.just("id-attic")),
    st.one_of(st.none(), st.integers(0, 99999)),
)
def test_what_is_repeated_is_what_was_asked(
    ends: tuple[ipaddress.IPv4Address, ipaddress.IPv4Address],
    game: str,
    nonce: str | None,
    to: str | None,
    on: int | None,
) -> None:
    asker, at = (ipaddress.ip_address(str(end).partition("%")[0]) for end in ends)
    asked = Question(Query(game, nonce), 300, asker, 3981, 4, at, on)
    message = Repeated("id-cellar", asked, to)
    assert len(render(message)) <= MOST_SIBLING_BYTES
    assert parse(render(message)) == message


keys = ("COMMAND", "FROM", "TO", "GAME", "NONCE", "BYTES", "ASKER", "ASKER_PORT", "SCOPE", "AT")
values = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.just([]))


@given(st.dictionaries(st.sampled_from(keys), values))
def test_no_forged_message_makes_anybody_fail(forged: dict[str, object]) -> None:
    honest = json.loads(render(Repeated("id-cellar", question(), "id-attic")))
    parse(json.dumps({**honest, **forged}).encode())
    parse(json.dumps(forged).encode())
