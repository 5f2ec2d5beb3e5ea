"""``--results JOURNAL``: what a run came to is added to a journal that no daemon holds, once, and rated."""

from __future__ import annotations

import pytest

from protocols.journal.ladder import fold_all
from protocols.journal.offline import held
from protocols.tournament.results import game_results
from tests.protocols.tournament.conftest import house

BOTS = {"lucky": "random", "twin": "random", "best": "perfect"}
QUITTER = """
    import sys
    sys.exit(1)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def where(request, tmp_path):
    if request.param == "postgres":
        return request.getfixturevalue("database")
    return str(tmp_path / "house.db")


def look(where):
    with held(where) as store:
        upto, _ = store.results.watermark()
        ratings = dict(store.results.all_ratings())
        assert fold_all(store.results, upto)[0] == ratings
        return store.results.history([], 100, True), ratings


def test_a_run_s_games_are_added_once_and_rated(desk, where):
    desk.write(house(BOTS, game="nim", games=4))
    done = desk.run("--results", where)
    assert done.returncode == 0, done.stderr
    assert "results: 12 of 12 games added to " in done.stdout
    rows, ratings = look(where)
    whys = {frozenset(seat[0] for seat in row.seats): row.why for row in rows}
    assert whys == {
        frozenset({"lucky", "twin"}): "same-account",
        frozenset({"lucky", "best"}): None,
        frozenset({"twin", "best"}): None,
    }
    assert {key: games for key, (_, _, games, _) in ratings.items()} == {
        ("nim", "bot:random"): 8,
        ("nim", "bot:perfect"): 8,
    }
    again = desk.run("--results", where)
    assert "results: 0 of 12 games added to " in again.stdout
    assert look(where) == (rows, ratings)


def test_the_same_file_run_elsewhere_adds_nothing(desk, tmp_path):
    where = str(tmp_path / "house.db")
    desk.write(house({"a": "easy", "b": "perfect"}, game="nim", games=4))
    assert "4 of 4 games added" in desk.run("--results", where).stdout
    desk.run_folder = tmp_path / "elsewhere"
    assert "0 of 4 games added" in desk.run("--results", where).stdout


def test_games_by_other_options_are_results_and_not_rated(desk, tmp_path):
    where = str(tmp_path / "house.db")
    desk.write(house({"a": "easy", "b": "perfect"}, game="nim", games=2, stones=40))
    desk.run("--results", where)
    rows, ratings = look(where)
    assert {row.why for row in rows} == {"options"} and ratings == {}


def test_a_program_that_crashed_is_last_and_nobody_is_rated(desk, tmp_path):
    where = str(tmp_path / "house.db")
    text = house({"best": "perfect"}, game="nim", games=2)
    desk.write(text + "[bot north]\nrun = {python} north.py\nspeaks = json\n", north=QUITTER)
    done = desk.run("--results", where)
    assert "2 of 2 games added" in done.stdout, done.stderr
    rows, _ = look(where)
    assert {row.why for row in rows} == {"guest"}
    for row in rows:
        seats = {name: (account, place, left) for name, account, place, left in row.seats}
        assert seats == {"north": (None, 2, True), "best": ("bot:perfect", 1, False)}


def test_a_journal_that_a_daemon_holds_is_refused_before_anything_is_played(desk, where):
    desk.write(house({"a": "easy", "b": "perfect"}, game="nim", games=2))
    with held(where):
        done = desk.run("--results", where)
    assert done.returncode == 2 and "is held by another daemon" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (desk.run_folder / "games.jsonl").exists()


@pytest.mark.parametrize("where", ["memory", "mysql://here/x", "."])
def test_what_keeps_no_results_is_refused_in_one_line(desk, where):
    desk.write(house({"a": "easy", "b": "perfect"}, game="nim", games=2))
    done = desk.run("--results", where)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert not (desk.run_folder / "games.jsonl").exists()


def test_every_game_has_a_name_of_its_own_for_all_time(desk):
    desk.write(house({"a": "easy", "b": "perfect"}, game="nim", games=6))
    desk.run()
    first = list(game_results(desk.plan(), desk.run_folder / "games.jsonl"))
    assert len({each.game for each in first}) == 6
    desk.write(house({"a": "easy", "b": "perfect"}, game="nim", games=6, seed=2))
    other = list(game_results(desk.plan(), desk.run_folder / "games.jsonl"))
    assert not {each.game for each in first} & {each.game for each in other}
