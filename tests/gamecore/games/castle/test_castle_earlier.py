"""Duels that were recorded under earlier rules are what they were, and go on.

By version 1 a stunned mage spoke as it rose; by version 2 nothing was told of a stun that stunned nobody.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from gamecore import commands
from gamecore.fairness import commitment
from gamecore.game import Stage
from gamecore.games.castle import RULES
from gamecore.games.castle.events import Skipped
from gamecore.games.castle.rules import SecondCastleRules
from gamecore.record import write_record
from gamecore.record_file import read_game, write_event
from gamecore.replay import play_back, write_game
from gamecore.rules import Registry, installed_rules
from gamecore.verification import verify

RECORDED = Path(__file__).parent / "recorded"
VERSIONS = (1, 2)


def game_hash(game):
    """Give the hash that the next record is to hold."""
    return sha256(game.lines[-1]).hexdigest()


@pytest.fixture(scope="module")
def registry():
    return Registry([RULES])


class StunTold(SecondCastleRules):
    """Those of version 2, but for what has changed since."""

    tells_of_no_stun = True


def recorded(version):
    return (RECORDED / f"version_{version}.jsonl").read_bytes()


@pytest.fixture(scope="module", params=VERSIONS)
def game(request):
    return read_game(recorded(request.param))


def test_tables_are_opened_with_the_new_rules_and_the_old_are_there(registry):
    assert registry.latest("castle").version == 3
    for version in VERSIONS:
        assert registry.exactly("castle", version).version == version
        assert Registry(installed_rules()).exactly("castle", version).version == version


def test_the_record_gives_what_it_gave(registry, game):
    heard = [list(map(write_event, step.events)) for step in play_back(game.lines, registry)]
    assert heard == [list(events) for events in game.events]
    findings = verify(recorded(game.opened.rules), registry)
    assert [each.holds for each in findings].count(False) == 3  # no end


def test_nothing_was_told_of_a_stun_that_stunned_nobody(registry):
    game = read_game(recorded(2))
    then, now = (
        [event for step in play_back(game.lines, by) for event in step.events]
        for by in (registry, Registry([StunTold()]))
    )
    (told,) = (event for event in now if event not in then)
    assert (type(told), told.op) == (Skipped, "stun")


def test_a_stunned_mage_spoke_by_the_first_version():
    events = [event for each in read_game(recorded(1)).events for event in each]
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
