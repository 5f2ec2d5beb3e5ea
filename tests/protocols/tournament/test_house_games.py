"""Games of house bots: of every game that is installed, always the same, and as a table would have played them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from time import process_time

import pytest

from gamecore.bots import bots_of
from gamecore.codec import plain
from gamecore.replay import play_back, write_game
from gamecore.table_events import GameOver
from gamecore.verification import verify
from protocols.tournament.games import games_of, ranked
from protocols.tournament.games_file import journal_lines, read_line, write_line
from protocols.tournament.house_games import HouseBots
from tests.patience import SECONDS

from .conftest import REGISTRY, house

THINKERS = {"thinker": "thinker 4", "thinker-fast": "thinker-fast 2", "hard": "hard 2"}
SHORT = {"rikiki": {"max": 2}}
LEVELS = [(kind, THINKERS.get(level, level)) for kind in REGISTRY.kinds for level in bots_of(kind)]


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
    shorter = SHORT.get(kind, {}) if level.startswith("thinker") else {}
    plan, found = games(desk, kind, level, **shorter)
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


@pytest.mark.parametrize("kind", REGISTRY.kinds)
def test_who_thinks_for_a_number_of_playouts_plays_the_same_game_in_every_process(desk, kind):
    plan, found = games(desk, kind, "thinker 3", **SHORT.get(kind, {}))
    other_hashes = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    elsewhere = subprocess.run(
        [sys.executable, "-m", "protocols.tournament.house_worker"],
        input="".join(
            f"{json.dumps(each)}\n" for each in (plan.written(), [plain(found[0])])
        ).encode(),
        env={**os.environ, "PYTHONHASHSEED": other_hashes},
        stdout=subprocess.PIPE,
        check=True,
        timeout=SECONDS,
    ).stdout
    assert elsewhere.rstrip() == write_line(HouseBots(plan).play(found[0])).rstrip()
    assert read_line(elsewhere).entrants == found[0].entrants


def test_who_plays_them_elsewhere_begins_without_all_that_doors_are_made_of():
    begin = "import sys, protocols.tournament.house_worker; sys.exit('twisted' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", begin], timeout=SECONDS).returncode == 0


def test_who_thinks_ahead_does_so_for_its_playouts_or_for_seconds_of_the_processor(
    desk, monkeypatch
):
    thought = []

    def note(thinker, guess, seat, chance, now, playouts, clock):
        thought.append((thinker.seconds, playouts, clock))
        return guess.legal_moves(seat)[0]

    monkeypatch.setattr("protocols.tournament.house_games.think_as", note)
    desk.write(house({"a": "thinker 7", "b": "thinker-fast"}, game="gops", games=2))
    HouseBots(desk.plan()).play(games_of(desk.plan(), "1.1", "ab")[0])
    assert set(thought) == {(0.2, 7, process_time), (0.05, None, process_time)}


def test_who_thinks_ahead_knows_what_its_seat_knows(desk, monkeypatch):
    def think(thinker, guess, seat, *_):
        seen.append((seat, guess))
        return guess.legal_moves(seat)[0]

    monkeypatch.setattr("protocols.tournament.house_games.think_as", think)
    seen: list = []
    desk.write(house({"a": "thinker 7", "b": "thinker 7"}, game="rikiki", games=2, seats=2))
    begun = []
    plan = desk.plan()
    rules = type(plan.rules)
    real = rules.begin
    monkeypatch.setattr(rules, "begin", lambda *given: begun.append(real(*given)) or begun[-1])
    HouseBots(plan).play(games_of(plan, "1.1", "ab")[0])
    assert seen
    assert all(guess is not begun[0] for _, guess in seen)


def test_where_the_quickest_wins_every_seat_is_as_likely_to_be_it(desk):
    plan, found = games(desk, "pass123", "collector", 60)
    player = HouseBots(plan)
    first = [player.play(each).places.index(1) for each in found]
    assert 10 < sum(first) < 50


def test_two_who_wait_for_each_others_cards_come_to_an_end(desk):
    plan, found = games(desk, "pass123", "thinker 20", 4)
    player = HouseBots(plan)
    assert all(sorted(player.play(each).places) == [1, 2] for each in found)


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
