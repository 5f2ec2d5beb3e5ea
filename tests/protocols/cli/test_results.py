"""`parlour history`, `rating`, `top` and `ladder rebuild`: what a journal says of games that ended."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import attrs
import pytest

from gamecore.contest.rating import Formula
from gamecore.contest.result import GameResult, SeatResult
from protocols.cli.main import main
from protocols.journal.offline import held
from protocols.journal.results import written

NASTY = "robin\u202e\x1b[2J"


def game(number, *levels, why=None, name=None):
    seats = [SeatResult(each, f"bot:{each}", place) for place, each in enumerate(levels, 1)]
    if name is not None:
        seats[0] = attrs.evolve(seats[0], name=name, account=None)
    return GameResult(f"{number}", f"T{number:04}", 1, "nim", tuple(seats), why, "nim")


@pytest.fixture
def full(tmp_path):
    """A journal with games of bots, rated, and one of a guest."""
    path = str(tmp_path / "results.db")
    games = [
        game(n, *(("perfect", "random") if n % 3 else ("random", "perfect"))) for n in range(90)
    ]
    games.append(game(90, "x", "random", why="guest", name=NASTY))
    with held(path) as store:
        store.add_results([written(each, 1e9) for each in games])
        while store.fold(Formula()):
            pass
    return path


def run(capsys, *words):
    status = main([*words])
    told = capsys.readouterr()
    return status, told.out.splitlines(), told.err


def test_the_latest_games_are_told_and_nothing_of_a_name_moves_a_terminal(capsys, full):
    status, lines, _ = run(capsys, "history", "--journal", full, "-n", "2")
    assert status == 0 and len(lines) == 2
    assert lines[0] == (
        "2001-09-09 01:46  nim T0090: 1. robin[2J, 2. random [random] (not rated: a guest plays)"
    )
    status, lines, _ = run(capsys, "history", "perfect", "--journal", full)
    assert len(lines) == 10 and all("perfect" in line for line in lines)
    assert run(capsys, "history", "nobody", "--journal", full)[1] == [
        "no game of nobody has ended here"
    ]


def test_the_strongest_and_their_ratings_are_told(capsys, full):
    _, lines, _ = run(capsys, "top", "nim", "--journal", full)
    assert [line.split()[:2] for line in lines] == [["1", "perfect"], ["2", "random"]]
    rating = lines[0].split()[2]
    assert run(capsys, "rating", "perfect", "--journal", full)[1] == [
        f"nim: {rating} after 90 games"
    ]
    assert "has no rating" in run(capsys, "rating", "perfect", "gops", "--journal", full)[1][0]
    assert (
        "nobody has played enough" in run(capsys, "top", "nim", "people", "--journal", full)[1][0]
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["top", "chess"], "There is no game called chess here"),
        (["rating", "perfect", "chess"], "There is no game called chess here"),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(capsys, full, words, says):
    status, lines, told = run(capsys, *words, "--journal", full)
    assert (status, lines) == (2, []) and says in told and told.count("\n") == 1


@pytest.mark.parametrize("name", ["half \udcff", "nul \0", "\x1b[2J"])
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_name_that_nobody_can_have_is_nobody_s(capsys, full, name, engine, request):
    where = full if engine == "sqlite" else request.getfixturevalue("database")
    with held(where):
        pass
    for word in ("history", "rating"):
        status, (line,), told = run(capsys, word, name, "--journal", where)
        assert (status, told) == (0, "") and line.isprintable()


@pytest.mark.parametrize("words", [["history"], ["top", "nim"], ["ladder", "rebuild"]])
def test_no_journal_is_made_by_looking(capsys, tmp_path, words):
    path = tmp_path / "none.db"
    status, _, told = run(capsys, *words, "--journal", str(path))
    assert status == 2 and "there is no journal" in told and not path.exists()


@pytest.mark.parametrize("words", [["top", "nim"], ["rating", "a"], ["ladder", "rebuild"]])
def test_without_openskill_it_is_said_how_to_get_ratings(capsys, full, words, monkeypatch):
    for module in ("results", "ladder"):
        monkeypatch.setattr(f"protocols.cli.{module}.can_rate", lambda: False)
    status, _, told = run(capsys, *words, "--journal", full)
    assert status == 2 and "pip install 'parlour[ladder]'" in told
    assert run(capsys, "history", "--journal", full)[0] == 0


# -- ladder rebuild -------------------------------------------------------------------


def ratings(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT * FROM ratings ORDER BY pool, account").fetchall()


def test_a_ladder_that_is_as_its_results_say_is_so_to_the_last_bit(capsys, full):
    before = ratings(full)
    check = ["ladder", "rebuild", "--check", "--journal", full]
    assert run(capsys, *check)[:2] == (0, ["the ratings are those of the results, to the last bit"])
    assert run(capsys, "ladder", "rebuild", "--journal", full)[0] == 0
    assert ratings(full) == before and run(capsys, *check)[0] == 0


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE ratings SET mu = mu + 1e-12 WHERE account = 'bot:random'",
        "UPDATE ladder SET formula = 'another'",
        "UPDATE ladder SET upto = upto - 2",
        "DELETE FROM met",
    ],
)
def test_one_that_is_not_is_found_and_mended(capsys, full, damage):
    before = ratings(full)
    with closing(sqlite3.connect(full)) as db:
        db.execute(damage)
        db.commit()
    check = ["ladder", "rebuild", "--check", "--journal", full]
    status, (line,), _ = run(capsys, *check)
    assert status == 1 and line.startswith("the ratings are not those of the results")
    assert run(capsys, "ladder", "rebuild", "--journal", full)[0] == 0
    assert run(capsys, *check)[0] == 0 and ratings(full) == before


def test_a_journal_that_is_held_can_be_checked_and_not_rebuilt(capsys, full):
    with held(full):
        assert run(capsys, "ladder", "rebuild", "--check", "--journal", full)[0] == 0
        status, _, told = run(capsys, "ladder", "rebuild", "--journal", full)
    assert status == 2 and "is held by another daemon" in told


def test_a_database_answers_the_same(capsys, full, database):
    with held(full) as store:
        rows = store.results.due(0, 1000)
    assert len(rows) == 91
    games = [game(n, "perfect", "random") for n in range(40)]
    with held(database) as store:
        store.add_results([written(each, 1e9) for each in games])
        assert store.add_results([written(each, 1e9) for each in games]) == 0
    assert run(capsys, "ladder", "rebuild", "--journal", database)[0] == 0
    assert run(capsys, "ladder", "rebuild", "--check", "--journal", database)[0] == 0
    assert run(capsys, "rating", "perfect", "--journal", database)[1][0].endswith("after 40 games")
    assert len(run(capsys, "history", "random", "--journal", database)[1]) == 10
    assert run(capsys, "top", "nim", "bots", "--journal", database)[0] == 0
