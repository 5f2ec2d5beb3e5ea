"""Rounds that take long to pair are paired in a process, and come out as they would here."""

from __future__ import annotations

import io
import json

import pytest
from twisted.internet.error import ProcessDone
from twisted.python.failure import Failure

from gamecore.contest import Encounter, Field, find_format
from protocols.tournament.pairer import Pairer, PairingFailed
from protocols.tournament.pairing_worker import read_field, work, write_field

SWISS = find_format("swiss")


def field(count: int, rounds: int) -> Field:
    """Make a tournament of some entrants, of which the lower name has won every game."""
    now = Field(tuple(f"b{each:02}" for each in range(count)), frozenset(), bye_worth=1)
    now = Field(now.entrants, frozenset(now.entrants))
    for _ in range(rounds):
        paired = SWISS.pair(now)
        played = tuple(
            Encounter(each, ((1, 2) if min(each.entrants) == each.entrants[0] else (2, 1),) * 2)
            for each in paired.pairings
        )
        now = Field(
            now.entrants,
            now.present,
            rounds=(*now.rounds, paired),
            encounters=(*now.encounters, *played),
        )
    return now


class Process:
    """What the worker is to one who begins it: asked and answered at once."""

    def __init__(self, protocol, format):
        self.protocol, self.format = protocol, find_format(format)
        self.killed = False
        protocol.makeConnection(self)

    def write(self, data):
        told = io.BytesIO()
        work(self.format, [data], told)
        half = len(told.getvalue()) // 2
        for piece in (told.getvalue()[:half], told.getvalue()[half:]):
            self.protocol.outReceived(piece)

    def signalProcess(self, signal):
        self.killed = True
        self.end()

    def end(self, complaint=b""):
        self.protocol.errReceived(complaint)
        self.protocol.processEnded(Failure(ProcessDone(0)))


class Reactor:
    def __init__(self, process=Process):
        self.begun = []
        self.process = process

    def spawnProcess(self, protocol, path, arguments, env):
        self.begun.append(self.process(protocol, arguments[-1]))


class Deaf(Process):
    """One that never answers."""

    def write(self, data):
        json.loads(data)


def told(waiting):
    heard = []
    waiting.addBoth(heard.append)
    return heard


@pytest.mark.parametrize("rounds", range(3))
def test_a_field_is_read_as_it_was_written(rounds):
    before = field(9, rounds)
    assert read_field(json.loads(json.dumps(write_field(before)))) == before


def test_a_process_pairs_as_the_format_does_to_the_end():
    reactor = Reactor()
    pairer = Pairer("swiss", reactor)
    for rounds in range(5):
        now = field(9, rounds)
        assert told(pairer.pair(now)) == [SWISS.pair(now)]
    assert told(pairer.pair(field(9, 5))) == [None]
    assert len(reactor.begun) == 1
    pairer.stop()
    assert reactor.begun[0].killed


def test_what_is_quick_needs_no_process_unless_there_are_many():
    reactor = Reactor()
    pairer = Pairer("roundrobin", reactor)
    few, many = field(9, 0), field(40, 0)
    assert told(pairer.pair(few)) == [find_format("roundrobin").pair(few)]
    assert reactor.begun == []
    assert told(pairer.pair(many)) == [find_format("roundrobin").pair(many)]
    assert len(reactor.begun) == 1


def test_a_process_that_ends_fails_with_what_went_wrong_and_another_is_begun():
    reactor = Reactor(Deaf)
    pairer = Pairer("swiss", reactor)
    heard = told(pairer.pair(field(9, 0)))
    assert heard == []
    reactor.begun[0].end(b"Traceback\n  ...\nModuleNotFoundError: No module named 'networkx'\n")
    assert heard[0].check(PairingFailed)
    assert str(heard[0].value) == "ModuleNotFoundError: No module named 'networkx'"
    reactor.process = Process
    assert told(pairer.pair(field(9, 0))) == [SWISS.pair(field(9, 0))]


def test_who_stops_hears_nothing_more():
    reactor = Reactor(Deaf)
    pairer = Pairer("swiss", reactor)
    heard = told(pairer.pair(field(9, 0)))
    pairer.stop()
    assert heard == [] and reactor.begun[0].killed
