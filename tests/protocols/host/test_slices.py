"""Long work in slices: how much of it a turn does, who waits for what, and that nobody finds a table half read."""

from __future__ import annotations

import pytest
from twisted.internet.task import Clock

from gamecore.table import Table
from protocols.host.slices import A_TURN, Slices

A_PIECE = A_TURN / 3
PER_TURN = 4  # pieces: one may go over the end of a turn's time, and sums of floats may


class Worked(Clock):
    """A clock that goes on while work is done, and not only when the test says so."""

    worked = 0.0

    def seconds(self):
        return super().seconds() + self.worked


def turn(clock):
    """Let one turn of the reactor pass: what is put off in it comes in the next."""
    due = [call for call in clock.calls if call.getTime() <= clock.seconds()]
    for call in due:
        clock.calls.remove(call)
        call.func(*call.args, **call.kw)


def turns(clock, count):
    for _ in range(count):
        turn(clock)


@pytest.fixture
def clock():
    return Worked()


def pieces(clock, count, done, name="it"):
    for _ in range(count):
        clock.worked += A_PIECE
        done.append(name)
        yield
    return name


def test_long_work_is_done_a_little_a_turn(clock):
    done, ended = [], []
    Slices(clock).run(pieces(clock, 20, done)).addCallback(ended.append)
    each = [len(done)]
    while not ended:
        turn(clock)
        each.append(len(done) - sum(each))
    assert sum(each) == 20 and max(each) <= PER_TURN and len(each) < 10
    turn(clock)
    assert clock.getDelayedCalls() == []


def test_what_takes_no_time_is_done_at_once(clock):
    ended = []
    Slices(clock).run(iter(())).addCallback(ended.append)
    assert ended == [None] and clock.getDelayedCalls() == []


def test_who_waits_for_little_does_not_wait_for_all_of_what_takes_long(clock):
    done, ended = [], []
    slices = Slices(clock)
    for name, count in (("long", 60), ("short", 2)):
        slices.run(pieces(clock, count, done, name)).addCallback(ended.append)
    turns(clock, 3)
    assert ended == ["short"]
    turns(clock, 30)
    assert ended == ["short", "long"]


def test_all_work_together_has_one_turn_s_time(clock):
    done = []
    slices = Slices(clock)
    for _ in range(30):
        slices.run(pieces(clock, 1, done))
    assert len(done) <= PER_TURN
    turns(clock, 30)
    assert len(done) == 30


def test_work_that_fails_fails_alone(clock):
    def failing():
        yield
        raise ValueError("no more")

    done, failed = [], []
    slices = Slices(clock)
    slices.run(failing()).addErrback(lambda failure: failed.append(failure.type))
    slices.run(pieces(clock, 3, done))
    turns(clock, 3)
    assert failed == [ValueError] and len(done) == 3


# -- tables with long records ---------------------------------------------------------


@pytest.fixture
def long_read(room, monkeypatch):
    """Give a table of Nim with a long record, at rest, where each command takes a piece of time to do again."""
    home = room("nim", absent="wait", options={"stones": 300})
    for _ in range(100):
        home.move()
    for name in home.tokens:
        home.drop(name)
    home.host.leave(home.watcher)
    home.clock.pump([1] * 62)
    assert home.code in home.host.service.dormant
    home.applied, apply, seconds = [], Table.apply, home.clock.seconds
    monkeypatch.setattr(
        home.clock, "seconds", lambda: seconds() + A_PIECE * len(home.applied), raising=True
    )

    def applying(table, command, at):
        home.applied.append(command)
        return apply(table, command, at)

    monkeypatch.setattr(Table, "apply", applying)
    yield home
    monkeypatch.undo()


def turns_until(home, there):
    """Let turns pass until it is so, and give the most commands that were done again in one of them."""
    most, before = len(home.applied), len(home.applied)
    for _ in range(200):
        if there():
            return most
        turn(home.clock)
        most, before = max(most, len(home.applied) - before), len(home.applied)
    raise AssertionError("they wait for ever")


def test_a_long_record_is_done_again_a_little_a_turn_and_once_for_all_who_wait(long_read):
    home = long_read
    lines = len(home.lines())
    watchers = [home.ear() for _ in range(3)]
    for each in watchers:
        home.host.watch(each, home.code)
    back = home.ask_back(home.tokens["player 0"])
    assert turns_until(home, lambda: back.heard) <= PER_TURN
    assert lines > 100 and len(home.applied) <= lines + 2  # to wake, and to return
    assert all(each.heard for each in watchers)
    for each in watchers:
        home.host.leave(each)


def test_everyone_who_waits_is_answered_also_where_the_table_rests_again_behind_one(long_read):
    home = long_read
    stranger, other = home.ask_back(f"{home.code}.wrong"), home.ask_back(f"{home.code}.none")
    back = home.ask_back(home.tokens["player 0"])
    turns_until(home, lambda: back.heard)
    assert stranger.heard == other.heard == [("back", "unknown-token")]
    assert back.place is not None


def test_a_table_that_is_given_up_while_it_is_read_is_none_that_wakes(long_read):
    home = long_read
    watcher = home.ear()
    home.host.watch(watcher, home.code, "watch")
    turn(home.clock)
    home.host.service.dormant.forget(-1.0)
    turns_until(home, lambda: watcher.heard)
    assert watcher.heard == [("watch", "no-such-table")]
    assert (home.code in home.host.hall, home.code in home.host.service.live) == (False, False)
