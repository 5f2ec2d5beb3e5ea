"""Bots that think ahead: what they are asked, and what becomes of the table if nobody answers."""

from __future__ import annotations

from pickle import PicklingError
from random import Random

import pytest
from twisted.internet.error import ProcessExitedAlready
from twisted.internet.task import Clock

from gamecore.game import Stage
from gamecore.games.nim import Take
from gamecore.hall import Hall
from gamecore.parcel import unpack
from gamecore.rules import Registry, installed_rules, sample
from protocols.host import table_actions
from protocols.host.host import Host
from protocols.host.thinker_pool import ThinkerPool
from protocols.host.thinker_process import frame
from protocols.host.thinking import NotThought, Question
from protocols.journal.memory import MemoryJournal
from protocols.testing import Ponder
from tests.protocols.host.test_host_hall import Visitor

KINDS = sorted(each.kind for each in installed_rules())
QUESTION = Question("nim", "thinker", 0, 0.0, 1, b"")


class Room:
    """A host, and a table of one person, or more, and bots that think ahead."""

    def __init__(self, kind="nim", people=1, house=None, thinking=None, begin=True, **options):
        self.clock, self.ponder = Clock(), Ponder()
        self.host = Host(
            Hall(Registry(installed_rules())),
            MemoryJournal(self.clock),
            self.clock,
            lambda: 0.0,
            Random(5),
            thinking=thinking or self.ponder,
        )
        self.people, self.table = self.open(kind, people, house or {}, options)
        self.wren = self.people[0]
        if begin:
            self.do(self.host.request, table_actions.start)

    def open(self, kind, people, house, options):
        card = self.host.open(kind, "", options, {"start": "asked", **house})
        table = self.host.hall.find(card.code)
        sitting = [Visitor() for _ in range(people)]
        for seat, visitor in enumerate(sitting):
            deck = sample(table.rules)
            self.host.sit(visitor, table.code, seat, f"wren {seat}", brought=deck)
        self.clock.advance(0)
        while len(table.seated()) < min(table.rules.seats):
            self.host.request(sitting[0], table_actions.add_bot("thinker"))
            self.clock.advance(0)
        return sitting, table

    def do(self, what, *rest):
        what(self.wren, *rest)
        self.clock.advance(0)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_asked_with_what_its_seat_knows_and_plays_what_is_answered(kind):
    room = Room(kind)
    while not room.ponder.asked and 0 in room.table.awaited():
        room.do(room.host.submit, room.table.legal_moves(0)[0])
    (question, answer), *_ = room.ponder.asked
    seat = question.seat
    guess = unpack(question.parcel)
    view = room.table.seen_by(seat, room.clock.seconds())
    assert guess.seen_by(seat) == view.board
    assert (question.kind, question.level) == (kind, "thinker")
    moves = room.table.legal_moves(seat)
    before = len(room.ponder.asked)
    answer.callback(moves[-1])
    room.clock.pump([0, 10, 0])
    assert (
        seat not in room.table.awaited()
        or room.table.legal_moves(seat) != moves
        or len(room.ponder.asked) > before
    )


def test_where_nothing_is_to_choose_nobody_is_asked(monkeypatch):
    def ask(*_):
        raise AssertionError("its position need not be guessed")

    monkeypatch.setattr("protocols.host.bots.ask_about", ask)
    room = Room(stones=2, maximum=1, resets=0)
    room.do(room.host.submit, Take(1))
    assert room.table.stage is Stage.OVER


def test_where_nobody_thinks_it_plays_at_once_as_well_as_it_can():
    room = Room(stones=12, resets=0)
    room.do(room.host.submit, Take(1))  # the other may take three of eleven now, and leaves eight
    room.ponder.asked[-1][1].errback(NotThought())
    room.clock.advance(0)
    assert room.table.awaited() == {0}


def test_a_game_that_cannot_be_packed_is_played_at_once_as_well_as_it_can(monkeypatch):
    def fail(_):
        raise PicklingError

    monkeypatch.setattr("protocols.host.thinking.pack", fail)
    room = Room(stones=12, resets=0)
    room.do(room.host.submit, Take(1))
    assert room.ponder.asked == []
    assert room.table.awaited() == {0}


def test_it_is_asked_once_however_much_else_is_said_meanwhile():
    room = Room(stones=12)
    room.do(room.host.submit, Take(1))
    watcher = Visitor()
    for _ in range(3):
        room.host.watch(watcher, room.table.code)
        room.host.drop(watcher)
        room.clock.advance(1)
    assert len(room.ponder.asked) == 1


def test_an_answer_to_a_table_that_is_given_up_hurts_nobody():
    room = Room(stones=12)
    room.do(room.host.submit, Take(1))
    room.do(room.host.request, table_actions.abandon)
    room.ponder.asked[-1][1].callback(Take(1))
    room.clock.advance(0)
    assert room.table.stage is Stage.ABANDONED


def test_thinking_ends_with_the_house():
    room = Room(stones=12)
    room.do(room.host.submit, Take(1))
    closed = room.host.close()
    room.clock.advance(0)
    assert room.ponder.asked[-1][1].called
    assert closed.called


# -- the processes --------------------------------------------------------------------


class Started:
    """What stands for a process: it is told things, and may be killed."""

    def __init__(self, protocol):
        self.protocol, self.written, self.killed = protocol, b"", 0

    def write(self, data):
        self.written += data

    def signalProcess(self, name):
        assert name == "KILL"
        if self.killed:
            raise ProcessExitedAlready
        self.killed += 1


class Processes(Clock):
    """A reactor whose processes do nothing by themselves."""

    def __init__(self):
        super().__init__()
        self.started = []

    def spawnProcess(self, protocol, *_, **__):
        protocol.transport = Started(protocol)
        self.started.append(protocol.transport)


def ended(answer):
    failures = []
    answer.addErrback(failures.append)
    return [each.type for each in failures]


def test_one_that_is_free_is_asked_again_and_no_more_are_started_than_may_be():
    reactor = Processes()
    pool = ThinkerPool(reactor, most=2)
    answers = [pool.think(QUESTION) for _ in range(3)]
    assert [each.written for each in reactor.started] == [frame(QUESTION)] * 2
    reply = frame(Take(2))
    for byte in reply:
        reactor.started[1].protocol.outReceived(bytes([byte]))
    assert [each.called for each in answers] == [False, True, False]
    assert answers[1].result == Take(2)
    assert reactor.started[1].written == frame(QUESTION) * 2
    pool.stop()
    assert [ended(answers[at]) for at in (0, 2)] == [[NotThought]] * 2
    assert reactor.getDelayedCalls() == []


def test_one_that_dies_is_replaced():
    reactor = Processes()
    pool = ThinkerPool(reactor, most=1)
    first, second = pool.think(QUESTION), pool.think(QUESTION)
    reactor.started[0].protocol.processEnded(None)
    assert ended(first) == [NotThought]
    reactor.started[1].protocol.outReceived(frame(Take(1)))
    assert second.result == Take(1)
    pool.stop()


def test_one_that_is_silent_is_ended():
    reactor = Processes()
    pool = ThinkerPool(reactor, most=1)
    answer = pool.think(QUESTION)
    reactor.advance(60)
    assert reactor.started[0].killed == 1
    assert ended(answer) == [NotThought]
    reactor.started[0].protocol.processEnded(None)
    assert reactor.getDelayedCalls() == []
    pool.stop()


def test_what_nobody_waits_for_any_more_is_not_begun():
    reactor = Processes()
    pool = ThinkerPool(reactor, most=1)
    first, second, third = (pool.think(QUESTION) for _ in range(3))
    second.cancel()
    ended(second)
    reactor.started[0].protocol.outReceived(frame(Take(1)))
    reactor.started[0].protocol.outReceived(frame(Take(2)))
    assert (first.result, third.result) == (Take(1), Take(2))
    assert reactor.started[0].written == frame(QUESTION) * 2
    pool.stop()


def test_so_many_wait_and_no_more():
    reactor = Processes()
    pool = ThinkerPool(reactor, most=1)
    answers = [pool.think(QUESTION) for _ in range(80)]
    refused = [each for each in answers if each.called]
    assert 0 < len(refused) < 20
    assert [ended(each) for each in refused] == [[NotThought]] * len(refused)
    pool.stop()
    for each in answers:
        ended(each)


def test_a_house_that_is_closed_starts_no_more():
    reactor = Processes()
    pool = ThinkerPool(reactor, most=1)
    pool.stop()
    assert ended(pool.think(QUESTION)) == [NotThought]
    assert reactor.started == []
