"""Games of house bots: of every game that is installed, always the same, and as a table would have played them."""

from __future__ import annotations

import json

import pytest

from gamecore.bots import bots_of
from gamecore.replay import play_back, write_game
from gamecore.table_events import GameOver
from gamecore.verification import verify
from protocols.tournament.games import games_of, ranked
from protocols.tournament.games_file import journal_lines, read_line, write_line
from protocols.tournament.house_games import HouseBots

from .conftest import REGISTRY, house

LEVELS = [(kind, level) for kind in REGISTRY.kinds for level in bots_of(kind)]


def games(desk, kind, level, count=None, **settings):
    seats = REGISTRY.latest(kind).seats[0]
    count = seats if count is None else count
    bots = {f"bot {each}": level for each in range(max(2, seats))}
    desk.write(house(bots, game=kind, games=count, **settings))
    plan = desk.plan()
    names = [each.name for each in plan.entrants][: plan.seats]
    return plan, games_of(plan, "1.1", names)


@pytest.mark.parametrize(("kind", "level"), LEVELS)
def test_a_game_is_what_a_table_makes_of_the_same_commands(desk, kind, level):
    plan, found = games(desk, kind, level)
    game = found[0]
    result = read_line(write_line(HouseBots(plan).play(game)))
    lines = journal_lines(result, plan.rules)
    steps = list(play_back(lines, REGISTRY))
    ends = [each for each in steps[-1].events if isinstance(each, GameOver)]
    assert [ranked(each.outcome.places) for each in ends] == [result.places]
    assert steps[-1].table.names == game.entrants
    assert result.moves == sum("Play" in line.decode() for line in lines)
    findings = verify(write_game(lines, REGISTRY), REGISTRY)
    assert not [each for each in findings if each.holds is False]
    assert any(each.check == "events" and each.holds for each in findings)


@pytest.mark.parametrize("kind", REGISTRY.kinds)
def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(desk, kind):
    plan, found = games(desk, kind, "random")
    first = [write_line(HouseBots(plan).play(each)) for each in found]
    player = HouseBots(plan)
    assert [write_line(player.play(each)) for each in reversed(found)] == first[::-1]
    other, others = games(desk, kind, "random", seed=2)
    assert [write_line(HouseBots(other).play(each)) for each in others] != first


def test_all_sit_in_every_seat_with_the_same_deal(desk):
    _, found = games(desk, "gops", "random", 6)
    assert [each.group for each in found] == [0, 0, 1, 1, 2, 2]
    assert len({each.seed for each in found}) == 3
    assert len({each.code for each in found}) == 6
    assert found[0].seed == found[1].seed
    assert found[0].entrants == found[1].entrants[::-1]


def test_no_time_of_day_is_in_a_game(desk):
    plan, found = games(desk, "nim", "random")
    written = json.loads(write_line(HouseBots(plan).play(found[0])))
    assert written["at"] == []
    assert not [key for key in written if "wall" in key or "time" in key]
