"""The reactor's time is shared out among peers: who is alone waits for nothing, who is many waits for himself."""

from __future__ import annotations

from itertools import pairwise

import pytest
from attrs import define
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from protocols.net.turns import BUDGET, Turns

from .wire import Socket, Wire, WireFactory

COST = 0.0005  # seconds that each piece takes


class Day:
    """A day on which time passes by what is served alone."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.now = 0.0
        self.served: list[tuple[str, bytes]] = []
        self.awaited: set[object] = set()
        self.turns = Turns(self.clock, lambda: self.now, self.awaited.__contains__)

    def crowd(self) -> One:
        """Let somebody say so much that others have to wait."""
        one = One(self, "crowd", "192.0.2.99")
        one.say(b"x\n" * 40)
        assert len(self.turns) == 1
        return one

    def names(self) -> list[str]:
        return [name for name, _ in self.served]

    def turn(self) -> None:
        """Let the reactor turn once: what is put off meanwhile is for the next turn."""
        for call in self.clock.getDelayedCalls():
            if call.getTime() <= self.clock.seconds():
                self.clock.calls.remove(call)
                call.called = 1
                call.func(*call.args, **call.kw)

    def end(self) -> None:
        """Serve all that waits."""
        while len(self.turns):
            self.turn()


@define(eq=False)
class One:
    """A peer that writes down when it is served."""

    day: Day
    name: str
    came_from: str | None
    held: bool = False
    aborted: bool = False
    fails: bool = False

    @property
    def speaker(self) -> object:
        return self

    def piece_end(self, data: bytes, start: int) -> int:
        return data.find(b"\n", start) + 1 or len(data)

    def serve_piece(self, piece: bytes) -> None:
        if self.fails:
            raise ZeroDivisionError
        self.day.served.append((self.name, piece))
        self.day.now += COST

    def hold_reading(self, held: bool) -> None:
        self.held = held

    def abort(self) -> None:
        self.aborted = True

    def say(self, data: bytes) -> None:
        self.day.turns.take(self, data)


class Door:
    crowded = False

    def crowd(self, crowded: bool) -> None:
        self.crowded = crowded


def test_what_comes_while_little_is_to_do_is_served_at_once_and_whole() -> None:
    day = Day()
    one = One(day, "one", "192.0.2.1")
    for _ in range(100):
        one.say(b"a\n")
        day.now += 0.01
    assert day.names() == ["one"] * 100 and not len(day.turns)


def test_of_many_lines_no_more_are_served_in_one_turn_than_the_budget_allows() -> None:
    day = Day()
    day.crowd()
    spent = len(day.served) * COST
    assert 0 < spent <= BUDGET + COST
    while len(day.turns):
        before = len(day.served)
        day.turn()
        assert 0 < (len(day.served) - before) * COST <= BUDGET + COST
    assert day.names() == ["crowd"] * 40


def test_one_a_table_waits_for_is_served_though_another_has_said_forty_lines() -> None:
    day = Day()
    day.crowd()
    player = One(day, "player", "192.0.2.1")
    day.awaited.add(player)
    day.now += 0.001
    player.say(b"take 1\n")
    assert day.names()[-1] == "player"


def test_one_for_whom_nobody_waits_is_served_in_the_next_turn_though_another_has_said_forty_lines() -> (
    None
):
    day = Day()
    day.crowd()
    One(day, "other", "192.0.2.1").say(b"who\n")
    day.turn()
    assert "other" in day.names() and len(day.turns) == 1


def test_a_hundred_links_of_one_address_are_served_as_often_as_the_one_of_another() -> None:
    day = Day()
    day.crowd()
    for _ in range(100):
        One(day, "many", "192.0.2.2").say(b"a\n")
    One(day, "one", "192.0.2.3").say(b"a\na\na\n")
    day.served.clear()
    day.end()
    order = [name for name in day.names() if name != "crowd"]
    assert order[:6] == ["many", "one"] * 3


@pytest.mark.parametrize(
    ("hosts", "turns_each"), [(["::ffff:192.0.2.2", "192.0.2.2"], 1), ([None, None], 2)]
)
def test_addresses_are_counted_as_everywhere_and_what_has_none_shares_a_turn_with_nobody(
    hosts: list[str | None], turns_each: int
) -> None:
    day = Day()
    day.crowd()
    for host in hosts:
        One(day, "some", host).say(b"a\na\n")
    One(day, "one", "192.0.2.3").say(b"a\na\n")
    day.served.clear()
    day.end()
    order = [name for name in day.names() if name != "crowd"]
    assert order[: turns_each + 1] == ["some"] * turns_each + ["one"]


def test_a_table_waits_for_nobody_who_comes_first_hundreds_of_times_a_second() -> None:
    day = Day()
    day.crowd()
    for _ in range(400):
        player = One(day, "player", "192.0.2.1")
        day.awaited.add(player)
        player.say(b"a\n")
        day.now += 0.001
    assert 200 <= day.names().count("player") <= 270
    day.end()
    assert day.names().count("player") == 400


def test_what_one_peer_says_is_served_in_order_and_its_end_behind_it() -> None:
    day = Day()
    day.crowd()
    one = One(day, "one", "192.0.2.1")
    for number in range(5):
        one.say(b"%d\n" % number)
    day.turns.end(one, lambda: day.served.append(("one", b"end")))
    one.say(b"more\n")
    day.end()
    assert [said for name, said in day.served if name == "one"] == [
        b"0\n",
        b"1\n",
        b"2\n",
        b"3\n",
        b"4\n",
        b"end",
        b"more\n",
    ]


def test_no_more_is_read_of_a_peer_of_whom_enough_waits_until_that_is_served() -> None:
    day = Day()
    day.crowd()
    one = One(day, "one", "192.0.2.1")
    one.say(b"a" * 500 + b"\n")
    assert not one.held
    one.say(b"a" * 500 + b"\n")
    assert one.held
    day.end()
    assert not one.held


def test_nobody_new_is_let_in_while_many_are_full_or_gone_and_then_they_are_again() -> None:
    day = Day()
    door, late = Door(), Door()
    day.turns.guard(door)
    day.crowd()
    for number in range(500):
        one = One(day, "one", f"198.51.{number % 5}.1")
        one.say(b"a" * 600 + b"\n")
        if number % 2:
            day.turns.end(one, lambda: None)
    day.turns.guard(late)
    assert door.crowded and late.crowded
    day.end()
    assert not door.crowded and not late.crowded


def test_a_bug_in_serving_one_peer_closes_that_one_alone(logged_failures: list[Failure]) -> None:
    day = Day()
    day.crowd()
    one, other = One(day, "one", "192.0.2.1", fails=True), One(day, "other", "192.0.2.2")
    one.say(b"a\n")
    other.say(b"a\n")
    day.end()
    assert one.aborted and not other.aborted and "other" in day.names()
    assert logged_failures.pop().check(ZeroDivisionError) and not logged_failures


def test_less_is_served_in_a_turn_where_much_follows_from_it() -> None:
    day = Day()
    One(day, "crowd", "192.0.2.99").say(b"x\n" * 200)
    counts = []
    while len(day.turns):
        before = len(day.served)
        day.turn()
        counts.append(len(day.served) - before)
        day.now += 0.05  # what is told to others takes so long
    assert counts[0] >= 4 and counts[5] == 1
    assert all(later <= earlier for earlier, later in pairwise(counts))


# -- real links -----------------------------------------------------------------------


def linked(day: Day) -> tuple[Wire, Socket]:
    factory = WireFactory(day.clock, turns=day.turns)
    link = factory.buildProtocol(IPv4Address("TCP", "192.0.2.7", 4242))
    assert isinstance(link, Wire)
    socket = Socket()
    link.makeConnection(socket)
    return link, socket


def test_a_link_that_is_lost_is_gone_behind_what_it_said_last() -> None:
    day = Day()
    day.crowd()
    link, _ = linked(day)
    link.dataReceived(b"a\nb\n")
    link.readConnectionLost()
    link.connectionLost(Failure(ConnectionDone()))
    assert not link.heard and not link.ended
    day.end()
    assert link.heard == [b"a\n", b"b\n"] and link.inputs_ended == 1 and len(link.ended) == 1
    assert not day.clock.getDelayedCalls()


def test_a_lost_link_that_waits_for_its_turn_is_told_nothing_more() -> None:
    day = Day()
    day.crowd()
    link, socket = linked(day)
    link.connectionLost(Failure(ConnectionDone()))
    link.dismiss("closing")
    link.stop_reading()
    link.go_on_reading()
    assert socket.value() == b"" and not socket.write_ended
    day.end()
    assert len(link.ended) == 1


def test_two_reasons_not_to_read_are_kept_apart() -> None:
    day = Day()
    day.crowd()
    link, socket = linked(day)
    link.dataReceived(b"a" * 600 + b"\n")
    link.stop_reading()
    assert socket.producerState == "paused"
    day.end()
    assert socket.producerState == "paused"
    link.go_on_reading()
    assert socket.producerState == "producing"


def test_a_link_whose_input_is_over_is_not_read_again() -> None:
    day = Day()
    day.crowd()
    link, socket = linked(day)
    link.stop_reading()
    link.readConnectionLost()
    link.go_on_reading()
    assert socket.producerState == "paused"
    day.end()
    link.abort()
    link.connectionLost(Failure(ConnectionDone()))


def test_a_link_that_was_dismissed_before_its_turn_hears_no_more_and_closes_when_its_input_ends() -> (
    None
):
    day = Day()
    day.crowd()
    link, socket = linked(day)
    link.dataReceived(b"a\n")
    link.readConnectionLost()
    link.dismiss("closing")
    day.end()
    assert link.heard == [] and socket.disconnecting and socket.value() == b"BYE closing\n"
    link.connectionLost(Failure(ConnectionDone()))


def test_work_that_many_ask_for_is_shared_out_like_lines_and_keeps_no_player_waiting() -> None:
    day = Day()

    def draw(name: str) -> None:
        day.served.append((name, b""))
        day.now += 4 * COST

    for number in range(60):
        asker = One(day, "page", "192.0.2.50")
        day.turns.call(asker, lambda: draw("page"))
        day.turns.call_for_nobody(lambda number=number: draw(f"part {number}"))  # type: ignore[misc]
    assert 0 < len(day.served) < 6 and len(day.turns) > 100
    player = One(day, "player", "192.0.2.1")
    day.awaited.add(player)
    day.now += 0.001
    player.say(b"take 1\n")
    assert day.names()[-1] == "player"
    other = One(day, "other", "192.0.2.2")
    other.say(b"who\n")
    before = day.now
    while "other" not in day.names():
        day.turn()
    assert day.now - before < 0.2, "no later than one of each address and each part before it"
    day.end()
    assert len(day.served) == 122


def test_work_that_fails_is_logged_and_ends_the_asker_alone(logged_failures) -> None:
    day = Day()
    day.crowd()
    asker, done = One(day, "page", "192.0.2.50"), []
    day.turns.call(asker, lambda: 1 / 0)
    day.turns.call_for_nobody(lambda: 1 / 0)
    day.turns.call_for_nobody(lambda: done.append("done"))
    day.end()
    assert asker.aborted and done == ["done"]
    assert len(logged_failures) == 2
    logged_failures.clear()
