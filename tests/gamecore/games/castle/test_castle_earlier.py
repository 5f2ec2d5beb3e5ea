"""A duel that was recorded under version 1, where a stunned mage spoke as it rose, is what it was and goes on."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from gamecore import commands
from gamecore.fairness import commitment
from gamecore.game import Stage
from gamecore.games.castle import RULES
from gamecore.record import write_record
from gamecore.record_file import read_game, write_event
from gamecore.replay import play_back, write_game
from gamecore.rules import Registry, installed_rules
from gamecore.verification import verify

RECORDED = Path(__file__).parent / "recorded" / "version_1.jsonl"


def game_hash(game):
    """Give the hash that the next record is to hold."""
    return sha256(game.lines[-1]).hexdigest()


@pytest.fixture(scope="module")
def registry():
    return Registry([RULES])


@pytest.fixture(scope="module")
def game():
    return read_game(RECORDED.read_bytes())


def test_tables_are_opened_with_the_new_rules_and_the_old_are_there(registry):
    assert registry.latest("castle").version == 2
    assert registry.exactly("castle", 1).version == 1
    assert Registry(installed_rules()).exactly("castle", 1).version == 1


def test_the_record_gives_what_it_gave(registry, game):
    heard = [list(map(write_event, step.events)) for step in play_back(game.lines, registry)]
    assert heard == [list(events) for events in game.events]
    assert [each.holds for each in verify(RECORDED.read_bytes(), registry)].count(
        False
    ) == 3  # no end


def test_a_stunned_mage_spoke_in_it(game):
    events = [event for each in game.events for event in each]
    stunned = {event["spot"]["slot"] for event in events if event["is"] == "Stunned"}
    spoke = [e for e in events if e["is"] == "Announced" and e["doing"] == "level" and e["ability"]]
    assert {event["source"]["slot"] for event in spoke} & stunned


def test_it_goes_on_to_its_end_and_holds(registry, game):
    *_, last = play_back(game.lines, registry)
    table, now, chance = last.table, last.entry.at, Random(7)
    lines, previous = list(game.lines), game_hash(game)
    while table.stage is not Stage.OVER:
        seat = min(table.awaited())
        command = commands.Play(seat, chance.choice(table.legal_moves(seat)))
        table.apply(command, now)
        record = write_record(table.code, len(lines), now, now + 1e9, command, previous)
        lines.append(record.line)
        previous = record.hash
    promise = commitment(table.code, 1, game.opened.seed)
    findings = verify(write_game(lines, registry), registry, [promise], previous)
    assert all(finding.holds for finding in findings), findings
