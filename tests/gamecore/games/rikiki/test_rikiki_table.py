"""Rikiki at a table: its rounds feed the life of the game, people come and go, and its record plays it again."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from gamecore import commands
from gamecore.events import RoundBegan, RoundOver
from gamecore.game import Stage
from gamecore.games.rikiki import RULES
from gamecore.hall import Hall
from gamecore.replay import write_game
from gamecore.rules import NextRound, Registry
from gamecore.table_events import GameOver, Left
from gamecore.verification import verify

REGISTRY = Registry([RULES])


def seated(watched, sitting, people, **options):
    table = watched(RULES, {"players": people, **options}, start="full", absent="forfeit")
    for seat in range(people):
        table.do(sitting(RULES, seat))
    return table


def move(table, chance):
    """Let somebody who is to move do anything that is legal."""
    seat = chance.choice(sorted(table.table.awaited()))
    return table.do(commands.Play(seat, chance.choice(table.table.legal_moves(seat))))


def test_a_table_begins_when_as_many_are_seated_as_it_was_opened_for(watched, sitting):
    table = seated(watched, sitting, 3)
    assert table.table.stage is Stage.PLAYING
    assert table.table.most_players == 3


def test_the_game_pauses_between_rounds_and_is_over_after_the_last(watched, sitting):
    table, chance = seated(watched, sitting, 3, first=3), Random(1)
    stages = []
    while table.table.stage is not Stage.OVER:
        events = move(table, chance)
        if any(isinstance(event, RoundBegan | RoundOver) for event in events):
            stages.append(table.table.stage)
    pause, play = Stage.BETWEEN_ROUNDS, Stage.PLAYING
    assert stages == [pause, play, pause, play, Stage.OVER]
    assert sum(isinstance(event, GameOver) for event in events) == 1


def test_a_table_left_to_itself_plays_to_its_end_by_its_clocks(watched, sitting):
    table = seated(watched, sitting, 2, first=3, seconds=20, pause=5)
    started = table.now
    while table.table.stage is not Stage.OVER:
        table.ring()
    decisions = 2 * (1 + 1 + 1) + 2 * (3 + 2 + 1)
    assert table.now == started + 20 * decisions + 5 * 2


def test_whoever_leaves_is_played_for_and_the_game_is_the_last_ones(watched, sitting):
    table = seated(watched, sitting, 3, first=3)
    assert any(isinstance(event, Left) for event in table.do(commands.Leave(1)))
    assert table.table.stage is Stage.PLAYING
    (over,) = [each for each in table.do(commands.Leave(0)) if isinstance(each, GameOver)]
    assert over.outcome.winners == (2,)
    assert over.outcome.reason == "left"


@pytest.mark.parametrize("people", [2, 3, 5])
def test_a_record_plays_the_game_again_and_its_deals_can_be_checked(watched, sitting, people):
    table, chance = seated(watched, sitting, people, first=4, schedule="down-up"), Random(people)
    while table.table.stage is not Stage.OVER:
        if chance.random() < 0.1:
            table.ring()
        else:
            move(table, chance)
    again = Hall(REGISTRY).replay(table.entries())
    for seat in table.seats():
        assert again.seen_by(seat, table.now) == table.table.seen_by(seat, table.now)
    lines, promises = table.lines(), [table.table.commitment]
    last = sha256(lines[-1]).hexdigest()
    assert all(each.holds for each in verify(write_game(lines, REGISTRY), REGISTRY, promises, last))


def test_a_game_after_the_game_begins_one_seat_on(watched, sitting):
    table, chance = seated(watched, sitting, 3, first=1), Random(1)
    while table.table.stage is not Stage.OVER:
        move(table, chance)
    first = table.table.names
    table.do(commands.Rematch("ab" * 32))
    table.do(commands.Start())
    assert table.table.names == (*first[1:], first[0])
    assert table.table.awaited() == {0}


def test_a_second_press_for_the_next_round_is_refused_and_changes_nothing(watched, sitting):
    table, chance = seated(watched, sitting, 2, first=2), Random(1)
    while table.table.stage is not Stage.BETWEEN_ROUNDS:
        move(table, chance)
    table.do(commands.Play(1, NextRound()))
    assert table.refuses(commands.Play(0, NextRound())) == "wrong-state"
