"""Nothing is told before what came before it is in the journal: the order itself, then through the Host."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from gamecore.games.nim import Board, PileSet, Take, Taken
from gamecore.hall import Hall
from gamecore.record import Record
from gamecore.rules import Registry, installed_rules
from gamecore.table_view import TableView
from protocols.host.commit_queue import CommitQueue
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal

RULES = Registry(installed_rules())


def record(number: int) -> Record:
    return Record("A", number, 0.0, b"%d" % number, str(number))


@pytest.fixture
def journal(hand_journal, clock: Clock):
    return hand_journal(clock)


@pytest.fixture
def outgoing(journal, clock: Clock) -> CommitQueue:
    return CommitQueue(journal, clock)


def test_a_letter_is_never_delivered_in_the_turn_that_posts_it(outgoing, clock):
    out: list[int] = []
    outgoing.post(lambda: out.append(1))
    assert out == []
    clock.advance(0)
    assert out == [1]


def test_a_letter_waits_for_every_record_before_it(outgoing, journal, clock):
    out: list[int] = []
    outgoing.record(record(0))
    outgoing.post(lambda: out.append(1))
    clock.advance(60)
    assert out == []
    journal.commit()
    assert out == [1]


def test_what_comes_during_a_commit_is_the_next_batch(outgoing, journal, clock):
    out: list[int] = []
    outgoing.record(record(0))
    clock.advance(0)
    outgoing.post(lambda: out.append(0))  # no record of its own, and yet behind the one under way
    outgoing.record(record(1))
    outgoing.record(record(2))
    clock.advance(0)
    assert (len(journal.batches), out) == (1, [])
    outgoing.post(lambda: out.append(1))  # behind what is not even under way
    journal.commit()
    assert (len(journal.batches), out) == (1, [0])  # the next batch has a turn of its own
    clock.advance(0)
    journal.commit()
    assert out == [0, 1]
    assert [[each.sequence for each in batch] for batch in journal.batches] == [[0], [1, 2]]
    clock.advance(0)


def test_letters_that_post_letters_and_records_keep_the_order(outgoing, journal, clock):
    out: list[str] = []

    def first() -> None:
        outgoing.record(record(1))
        outgoing.post(lambda: out.append("behind record 1"))

    outgoing.post(first)
    outgoing.post(lambda: out.append("first batch"))
    clock.advance(0)
    assert out == ["first batch"]
    journal.commit()
    assert out == ["first batch", "behind record 1"]


def test_one_letter_that_fails_keeps_no_other_back(outgoing, clock, logged_failures):
    out: list[int] = []
    outgoing.post(lambda: out.append(1 // 0))
    outgoing.post(lambda: out.append(2))
    clock.advance(0)
    assert out == [2]
    assert logged_failures.pop().check(ZeroDivisionError)


def test_when_the_journal_fails_nobody_is_told_anything_any_more(
    outgoing, journal, clock, logged_failures
):
    out: list[int] = []
    outgoing.record(record(0))
    outgoing.post(lambda: out.append(1))
    clock.advance(0)
    journal.fail()
    outgoing.post(lambda: out.append(2))
    outgoing.record(record(1))
    clock.advance(60)
    assert (out, len(journal.batches)) == ([], 1)
    assert logged_failures.pop().check(OSError)


def test_drained_fires_only_when_nothing_is_under_way(outgoing, journal, clock):
    outgoing.record(record(0))
    clock.advance(0)
    outgoing.post(lambda: None)
    drained = outgoing.drained()
    clock.advance(0)
    assert not drained.called
    journal.commit()
    assert drained.called
    again = outgoing.drained()
    clock.advance(0)
    assert again.called


# Through the Host


class Game:
    """A game of Nim between two faces whose commits the test fires, and all who ever listened."""

    def __init__(self, hand_journal: Any, ear: Callable[[], Any], early: str = "lose") -> None:
        self.clock = Clock()
        self.journal = hand_journal(self.clock)
        self.host = Host(Hall(RULES), self.journal, self.clock, lambda: 1e9, Random(1))
        self.table = self.host.hall.find(
            self.host.open("nim", "", {"stones": 500, "early_moves": early}, {}).code
        )
        self.new_ear = ear
        self.ears: list[Any] = [ear(), ear()]
        self.tags: list[int] = []  # how much a watcher would know when each request was answered
        self.told_by = [0]  # by number of records: how much a watcher may know
        for seat, name in enumerate(("north", "south")):
            self.host.sit(self.ears[seat], self.table.code, seat, name)
            self.told_by.append(self.table.watched)

    def move(self) -> None:
        """Let whoever is to move take a stone."""
        (mover,) = self.table.awaited()
        self.host.submit(self.ears[mover], Take(1), self.table.watched + 1)
        self.told_by.append(self.table.watched)

    def move_too_early(self) -> None:
        """Let the other one try to."""
        (mover,) = self.table.awaited()
        self.host.submit(self.ears[1 - mover], Take(1), self.table.watched)

    def watch(self) -> None:
        """Let one more look on."""
        self.ears.append(self.new_ear())
        self.host.watch(self.ears[-1], self.table.code)

    def go_away(self) -> None:
        """Let the last watcher go, if there is one."""
        if len(self.ears) > 2:
            self.host.leave(self.ears.pop())

    def turn(self) -> None:
        """Let the reactor go round."""
        self.clock.advance(0)

    def commit(self) -> None:
        """Let the journal finish a batch."""
        self.journal.commit()

    def finish(self) -> None:
        """Let everything reach everyone."""
        for _ in range(5):
            self.turn()
            self.commit()

    def check_nothing_uncommitted_was_told(self) -> None:
        if not self.journal.kept:
            assert all(each.heard == [] for each in self.ears)
            return
        allowed = self.told_by[self.journal.kept - 1]
        assert all(known(each.heard) <= allowed for each in self.ears)


def known(heard: list[Any]) -> int:
    """Count the events a face knows of: those its last View tells of, and all since."""
    count = 0
    for each in heard:
        if isinstance(each, TableView):
            count = each.told
        elif not isinstance(each, tuple | str):
            count += 1
    return count


def draw(heard: list[Any]) -> Any:
    """Draw the board from the View a face was shown and the events since."""
    views = [each for each in heard if isinstance(each, TableView)]
    assert len(views) == 1, "a face joins at one View"
    board = views[0].board and views[0].board.board
    for event in heard[heard.index(views[0]) + 1 :]:
        if isinstance(event, PileSet):
            each = event.options
            board = Board(each.stones, each.maximum, (each.resets, each.resets), (0, 0))
        elif isinstance(event, Taken):
            assert board.left - event.stones == event.board.left
            board = event.board
    return board


@pytest.mark.parametrize("early", ["keep", "lose"])
def test_of_a_batch_that_never_commits_nothing_reaches_anyone(hand_journal, ear, early):
    game = Game(hand_journal, ear, early)
    game.finish()
    before = [list(each.heard) for each in game.ears]
    game.move()
    game.move_too_early()
    game.watch()
    stranger = ear()
    game.host.submit(stranger, Take(1), "stranger")
    game.clock.advance(60)
    assert [each.heard for each in game.ears[:2]] == before
    assert (game.ears[2].heard, stranger.heard) == ([], [])
    game.finish()
    assert game.ears[2].names() == ["TableView"]
    assert stranger.heard == [("stranger", "not-seated")]


ACTIONS = ["move", "move_too_early", "watch", "go_away", "turn", "turn", "commit", "commit"]


@given(st.lists(st.sampled_from(ACTIONS), max_size=60))
def test_whoever_joins_when_hears_everything_once_and_nothing_too_soon(hand_journal, ear, actions):
    game = Game(hand_journal, ear, "keep")
    for action in actions:
        getattr(game, action)()
        game.check_nothing_uncommitted_was_told()
    game.finish()
    board = game.table.seen_by(None, 0).board.board
    for each in game.ears:
        assert draw(each.heard) == board
    streams = [game.table.player(0).told, game.table.player(1).told]
    streams += [game.table.watched] * (len(game.ears) - 2)
    assert [known(each.heard) for each in game.ears] == streams
    for seat in (0, 1):
        check_answers(game.ears[seat].heard, game.table.watched - streams[seat])
    assert [r.sequence for batch in game.journal.batches for r in batch] == list(
        range(len(game.told_by))
    )


def check_answers(heard: list[Any], missed: int) -> None:
    """Check that each answer stands right behind all that was applied before it, and in order."""
    tags = []
    for number, each in enumerate(heard):
        if isinstance(each, tuple) and each[0] is not None:
            assert known(heard[:number]) + missed == each[0]
            tags.append(each[0])
    assert tags == sorted(tags)


def test_a_refusal_does_not_overtake_the_move_before_it(hand_journal, ear):
    game = Game(hand_journal, ear, "keep")
    game.finish()
    game.move()
    game.turn()  # the commit of this move is under way
    game.host.submit(game.ears[0], Take(1), "early")
    game.clock.advance(60)
    assert "early" not in [each[0] for each in game.ears[0].heard if isinstance(each, tuple)]
    game.finish()
    assert game.ears[0].names()[-3:] == [
        "Taken",
        (game.told_by[-2] + 1, None),
        ("early", "not-your-turn"),
    ]


def test_nothing_is_told_inside_submit_not_even_over_the_memory_journal(ear, clock):
    host = Host(Hall(RULES), MemoryJournal(clock), clock, lambda: 1e9, Random(1))
    table = host.hall.find(host.open("nim", "", {}, {}).code)
    north, south = ear(), ear()
    host.sit(north, table.code, 0, "north")
    host.sit(south, table.code, 1, "south")
    assert (north.heard, south.heard) == ([], [])
    clock.advance(0)
    heard = len(north.heard)
    host.submit(north, Take(1), 1)
    assert len(north.heard) == heard
    clock.advance(0)
    assert north.names()[heard:] == ["Taken", (1, None)]
    host.leave(north)
    host.leave(south)
    clock.advance(0)


class Eager:
    """A face that moves as soon as it hears that it can, within ``told`` itself."""

    def __init__(self, host: Host, seat: int) -> None:
        self.place = None
        self.host = host
        self.seat = seat
        self.moves = 0

    def shown(self, view: TableView) -> None:
        if self.seat in view.to_move:
            self.move()

    def told(self, news: Any) -> None:
        for event in news.events:
            if isinstance(event, Taken) and event.seat != self.seat and not event.won:
                self.move()

    def move(self) -> None:
        self.moves += 1
        self.host.submit(self, Take(1))

    def answered(self, tag: object, refusal: object) -> None:
        assert refusal is None

    def parted(self, reason: str) -> None:
        raise AssertionError(reason)


def test_two_faces_that_answer_at_once_play_thousands_of_moves(clock):
    host = Host(Hall(RULES), MemoryJournal(clock), clock, lambda: 1e9, Random(1))
    table = host.hall.find(host.open("nim", "", {"stones": 5000}, {}).code)
    south, north = Eager(host, 1), Eager(host, 0)
    host.sit(south, table.code, 1, "south")
    host.sit(north, table.code, 0, "north")
    clock.advance(0)
    assert table.seen_by(None, 0).board.board.left == 0
    assert (north.moves, south.moves) == (2500, 2500)
    host.leave(north)
    host.leave(south)
    clock.advance(0)
    assert len(host.hall) == 0


# -- a daemon that stood still ----------------------------------------------------------


@pytest.mark.parametrize("shared", [True, False])
def test_who_stood_still_tells_nothing_before_the_journal_has_seen_whose_the_tables_are(
    outgoing, journal, clock, shared
):
    """Even what no record stands before: another daemon may have the tables by then."""
    journal.shared, out = shared, []
    outgoing.doubt()
    outgoing.post(lambda: out.append(1))
    clock.advance(0)
    assert out == ([] if shared else [1])
    if shared:
        assert journal.batches == [[]]
        journal.commit()
        assert out == [1]
    outgoing.post(lambda: out.append(2))
    clock.advance(0)
    assert out == [1, 2]


def test_what_is_in_the_record_already_is_delivered_at_once_if_nothing_waits(
    outgoing, journal, clock
):
    out: list[int] = []
    outgoing.deliver(lambda: (out.append(1), outgoing.post(lambda: out.append(2))))
    assert out == [1]
    clock.advance(0)
    assert out == [1, 2]
    outgoing.record(record(0))
    outgoing.post(lambda: out.append(3))
    outgoing.deliver(lambda: out.append(4))
    clock.advance(0)
    assert out == [1, 2]
    journal.commit()
    assert out == [1, 2, 3, 4]
