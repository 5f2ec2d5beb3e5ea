"""Tables that were under way before the idle were missed and cards were chosen: they go on as they began.

The records were made by the code of then; nearly everything in them was decided by the clock.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.rikiki import CardsChosen, ChooseCards, Dealt
from gamecore.record import write_record
from gamecore.record_file import read_game, write_event
from gamecore.replay import play_back, write_game
from gamecore.rules import NextRound, Registry, installed_rules
from gamecore.table_events import Left
from gamecore.verification import verify

RECORDED = Path(__file__).parent / "recorded"
REGISTRY = Registry(installed_rules())


class Resumed:
    """A table of before, read from its file, that goes on."""

    def __init__(self, kind):
        self.data = (RECORDED / f"{kind}.jsonl").read_bytes()
        self.game = read_game(self.data)
        self.steps = list(play_back(self.game.lines, REGISTRY))
        self.table, self.now = self.steps[-1].table, self.steps[-1].entry.at
        self.lines = list(self.game.lines)

    def do(self, command, now):
        self.now = now
        events = self.table.apply(command, now)
        previous = sha256(self.lines[-1]).hexdigest()
        record = write_record(self.table.code, len(self.lines), now, 1e9 + now, command, previous)
        self.lines.append(record.line)
        return events

    def ring(self):
        alarm = self.table.alarm()
        return self.do(alarm.command, max(alarm.at, self.now))


@pytest.fixture(params=["pass123", "rikiki"])
def resumed(request):
    return Resumed(request.param)


def test_the_record_gives_what_it_gave(resumed):
    heard = [list(map(write_event, step.events)) for step in resumed.steps]
    assert heard == [list(events) for events in resumed.game.events]
    checks = {each.check: each.holds for each in verify(resumed.data, REGISTRY)}
    assert checks["chain"] and checks["sequence"] and checks["events"]


def test_nobody_is_missed_there_however_long_the_clock_decides(resumed):
    assert resumed.table.house.idle == 0
    for _ in range(10):
        assert not any(isinstance(each, Left) for each in resumed.ring())


def test_it_is_played_to_its_end_and_holds(resumed):
    chance = Random(7)
    for _ in range(2000):
        if resumed.table.stage is Stage.OVER:
            break
        seat = min(resumed.table.awaited())
        moves = resumed.table.legal_moves(seat)
        resumed.do(commands.Play(seat, chance.choice(moves)), resumed.now)
    findings = verify(write_game(resumed.lines, REGISTRY), REGISTRY)
    assert all(finding.holds is not False for finding in findings)
    assert [each.holds for each in findings if each.check in ("events", "end")] == [True, True]


def test_its_organizer_may_choose_the_cards_from_now_on():
    resumed = Resumed("rikiki")
    assert resumed.table.stage is Stage.BETWEEN_ROUNDS
    with pytest.raises(Refused, match="not-organizer"):
        resumed.do(commands.Organize(ChooseCards(5), 0), resumed.now)
    assert resumed.do(commands.Organize(ChooseCards(5)), resumed.now) == [CardsChosen(5)]
    events = resumed.do(commands.Play(1, NextRound()), resumed.now)
    assert [each.cards for each in events if isinstance(each, Dealt)] == [5]
    *_, last = play_back(resumed.lines, REGISTRY)
    assert last.table.seen_by(1, resumed.now) == resumed.table.seen_by(1, resumed.now)
