"""Results stand with the records that end their games, and ratings follow from them alone, in every engine."""

from __future__ import annotations

from random import Random

import attrs
import pytest
from twisted.internet.task import Clock

from gamecore.contest.rating import FORMULA, Formula, Rating
from gamecore.contest.result import GameResult, SeatResult
from protocols.journal import ladder
from protocols.journal.durable import rows_of
from protocols.journal.errors import JournalFailed, JournalRefused
from protocols.journal.ladder import FOLDED_AT_ONCE, fold_all
from protocols.journal.memory import MemoryJournal
from protocols.journal.offline import held
from protocols.journal.results import results_of
from tests.protocols.journal.media import only_sqlite

LEVELS = ("random", "easy", "value", "perfect")
NAMES = [f"name:{each}" for each in ("ann", "ben")]


def result(number, *seats, kind="nim", why=None):
    """Make a result: ``seats`` are (name, level, place)."""
    return GameResult(
        game=f"{number:064x}",
        code=f"T{number:04}"[:5],
        number=1,
        kind=kind,
        seats=tuple(
            SeatResult(name, None if level is None else f"bot:{level}", place)
            for name, level, place in seats
        ),
        why=why,
        pool=kind,
    )


def bots(number, *levels, **how):
    """Make the result of a game of bots, the winner named first."""
    return result(number, *((f"a {each}", each, n) for n, each in enumerate(levels, 1)), **how)


def ended(chain, *results):
    """Make the records of a table each, the last of which ends a game with a result."""
    records = []
    for each in results:
        *before, last = chain(each.code, 2)
        records += [*before, attrs.evolve(last, result=each)]
    return records


def night(count, chance):
    """Make the results of many games of bots; some are not rated."""
    return [
        bots(n, *chance.sample(LEVELS, 2 + n % 3), why=chance.choice([None, None, "options"]))
        for n in range(count)
    ]


def whole(rows):
    return [(row.code, row.why, [seat[:1] + seat[2:] for seat in row.seats]) for row in rows]


def look(rig):
    """Give all that follows from the results, as the file has it."""
    with held(rig.path) as store:
        return dict(store.results.all_ratings()), store.results.all_met(), store.results.watermark()


# -- results --------------------------------------------------------------------------


def test_a_result_is_there_as_soon_as_its_record_is(rig, chain):
    journal = rig.open()
    (nim, gops) = result(1, ("Ann", None, 2), ("Ben", None, 1), why="guest"), bots(2, *LEVELS[:2])
    rig.keep(journal, *ended(chain, nim, gops))
    rows = rig.wait(journal.history(["name:ann"], 10))
    assert whole(rows) == [("T0001", "guest", [("Ann", 2, False), ("Ben", 1, False)])]
    assert rows[0].ended == 501.0  # the time of day in the record
    assert [row.code for row in rig.wait(journal.history(["bot:easy"], 10))] == ["T0002"]
    assert rig.wait(journal.history(["bot:none"], 10)) == []


@pytest.mark.parametrize("fails", ["fail_before", "fail_after"])
def test_a_commit_that_is_tried_again_leaves_one_result(rig, chain, fails):
    journal = rig.open()
    setattr(rig.disk, fails, 1)
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    assert len(rig.wait(journal.history(["bot:random"], 10))) == 1


def test_the_same_batch_twice_is_one_result(rig, chain):
    records = ended(chain, bots(1, "perfect", "random"), bots(2, "easy", "random"))
    with held(rig.path) as store:
        for _ in range(2):
            store.keep(rows_of(records), {}, (), results_of(records))
        assert store.add_results(results_of(records)) == 0
        assert len(store.results.history(["bot:random"], 10, False)) == 2


def test_a_result_whose_record_is_not_kept_is_not_there(rig, chain):
    """They are one transaction: what fails for good leaves neither."""
    records = ended(chain, bots(1, "perfect", "random"))
    with held(rig.path) as store:
        broken = [(*results_of(records)[0][:6], object(), *results_of(records)[0][7:])]
        with pytest.raises(Exception, match=r"."):
            store.keep(rows_of(records), {}, (), broken)
        store.settle()
        assert store.read("T0001") == []
        store.keep(rows_of(records), {}, (), results_of(records))
        store.settle()
        assert len(store.read("T0001")) == 2


def test_the_latest_come_first_and_no_more_than_were_asked_for(rig, chain):
    journal = rig.open()
    games = [result(n, ("Ann", None, 1), ("x", "easy", 2), why="guest") for n in range(1, 8)]
    rig.keep(journal, *ended(chain, *games))
    rows = rig.wait(journal.history(["name:ann", "bot:easy"], 3))
    assert [row.code for row in rows] == ["T0007", "T0006", "T0005"]


def test_what_is_hidden_is_told_to_nobody_but_the_keeper(rig, chain):
    journal = rig.open()
    two = (("Ann", None, 1), ("Ben", None, 2))
    rig.keep(
        journal,
        *ended(chain, result(1, *two, why="private"), result(2, *two, why="password")),
        *ended(chain, result(3, ("Ann", None, 1), ("x", "easy", 2), why="private")),
    )
    assert [row.code for row in rig.wait(journal.history(NAMES, 10))] == ["T0003"]
    rig.close(journal)
    with held(rig.path) as store:
        assert len(store.results.history(NAMES, 10, True)) == 3
        assert [len(store.results.history([], 10, also)) for also in (False, True)] == [1, 3]


def test_what_was_forgotten_of_a_game_is_not_its_result(rig, chain):
    journal = rig.open()
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    journal.retire("T0001")
    rig.wait(journal.finished())
    journal.forget(1e9)
    assert rig.wait(journal.finished()) == []
    assert len(rig.wait(journal.history(["bot:random"], 10))) == 1


# -- the fold -------------------------------------------------------------------------


def test_the_ratings_are_those_of_the_results_whenever_they_are_folded(rig, chain):
    """At once, in pieces, and anew: to the last bit."""
    chance = Random(3)
    results = night(3 * FOLDED_AT_ONCE + 7, chance)
    journal = rig.open(idle=0.001)
    for start in range(0, len(results), 13):
        rig.keep(journal, *ended(chain, *results[start : start + 13]))
        if chance.random() < 0.3:
            rig.wait(journal.ratings("bot:easy"))  # which folds a piece
    while rig.wait(journal.ratings("bot:perfect")) == []:
        pass
    rig.close(journal)
    with held(rig.path) as store:
        while store.fold(Formula()):
            pass
    ratings, met, (upto, formula) = look(rig)
    assert formula == FORMULA and {pool for pool, _ in ratings} == {"nim"}
    assert {account for _, account in ratings} == {f"bot:{each}" for each in LEVELS}
    with held(rig.path) as store:
        assert fold_all(store.results, upto) == (ratings, met)
        store.clear_ratings()
        assert store.results.all_ratings() == {}
        while store.fold(Formula()):
            pass
    assert look(rig) == (ratings, met, (upto, formula))


def test_no_more_than_some_are_rated_at_once(rig, chain):
    with held(rig.path) as store:
        store.add_results(results_of(ended(chain, *night(FOLDED_AT_ONCE + 5, Random(1)))))
        seen = []
        while store.fold(Formula()):
            seen.append(store.results.watermark()[0])
    assert len(seen) == 1


def test_what_is_not_rated_moves_the_watermark_alone(rig, chain):
    with held(rig.path) as store:
        store.add_results(results_of(ended(chain, bots(1, "easy", "random", why="options"))))
        store.fold(Formula())
        assert store.results.all_ratings() == {} and store.results.watermark()[0] > 0


def test_another_formula_makes_all_ratings_anew(rig, chain, monkeypatch):
    with held(rig.path) as store:
        store.add_results(results_of(ended(chain, *night(20, Random(2)))))
        monkeypatch.setattr(ladder, "FORMULA", "another")
        store.fold(Formula())
        assert store.results.watermark()[1] == "another"
        before = dict(store.results.all_ratings())
        monkeypatch.undo()
        while store.fold(Formula()):
            pass
        assert store.results.watermark()[1] == FORMULA
        assert dict(store.results.all_ratings()) == before  # each game counted once


def test_a_writer_without_openskill_keeps_results_and_rates_them_when_it_is_there(
    rig, chain, monkeypatch
):
    monkeypatch.setattr("gamecore.contest.rating.can_rate", lambda: False)
    journal = rig.open(idle=0.001)
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    assert rig.wait(journal.ratings("bot:perfect")) == []
    rig.close(journal)
    monkeypatch.undo()
    journal = rig.open(idle=0.001)
    assert [row.games for row in rig.wait(journal.ratings("bot:perfect"))] == [1]


def test_a_bug_in_the_rating_ends_that_and_nothing_else(rig, chain, monkeypatch, logged_failures):
    def break_down(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(ladder, "fold", break_down)
    journal = rig.open(idle=0.001)
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    assert rig.wait(journal.ratings("bot:perfect")) == []
    rig.keep(journal, *ended(chain, bots(2, "perfect", "random")))
    assert len(rig.wait(journal.history(["bot:random"], 10))) == 2
    assert len(logged_failures) == 1 and "ZeroDivisionError" in str(logged_failures.pop().value)


def test_a_disk_that_fails_while_games_are_rated_counts_none_twice(rig, chain):
    journal = rig.open()
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    rig.disk.fail_after = 1
    assert [row.games for row in rig.wait(journal.ratings("bot:perfect"))] == [1]


# -- who is listed --------------------------------------------------------------------


def put(store, *rows, pool="nim"):
    """Write ratings as they are: (account, mu, sigma, last), each having met all others."""
    ratings = {(pool, name): (mu, sigma, 40, last) for name, mu, sigma, last in rows}
    names = [name for name, *_ in rows]
    met = {(pool, one, other) for one in names for other in names if one != other}
    store.results.save(ratings, met, 0)


def listed(store, who="all", age=0.0, most=10):
    return [row.account for row in store.results.top("nim", who, age, most)]


def test_the_best_are_those_who_are_sure_and_play(rig):
    day = 86_400.0
    with held(rig.path) as store:
        put(
            store,
            ("bot:a", 20.0, 2.0, 100 * day),
            ("bot:b", 30.0, 2.0, 100 * day),
            ("bot:new", 40.0, 5.0, 100 * day),
            ("bot:gone", 40.0, 2.0, 9 * day),
            ("c", 25.0, 2.0, 100 * day),
        )
        assert listed(store, age=100 * day) == ["bot:b", "c", "bot:a"]
        assert listed(store, "bots", 100 * day) == ["bot:b", "bot:a"]
        assert listed(store, "people", 100 * day) == ["c"]
        assert listed(store, age=100 * day, most=1) == ["bot:b"]
        assert store.results.top("gops", "all", 0.0, 10) == []


def test_who_has_not_met_enough_others_is_not_listed(rig):
    with held(rig.path) as store:
        put(store, *((f"bot:{n}", 20.0 + n, 2.0, 0.0) for n in range(10)))
        store.results.save({("nim", "bot:shy"): (50.0, 2.0, 40, 0.0)}, set(), 0)
        assert len(listed(store, most=20)) == 10
        met = {("nim", "bot:shy", f"bot:{n}") for n in range(8)}
        store.results.save({}, met, 0)
        assert listed(store)[0] == "bot:shy"


# -- beside and instead ---------------------------------------------------------------


def test_a_journal_in_memory_answers_the_same(rig, chain):
    results = night(60, Random(5))
    clock = Clock()
    memory = MemoryJournal(clock)
    memory.append(ended(chain, *results))
    clock.advance(0)
    journal = rig.open()
    rig.keep(journal, *ended(chain, *results))
    rig.wait(journal.ratings("bot:easy"))  # which rates some, and the next question the rest

    def answer(ask):
        came = []
        ask(memory).addCallback(came.append)
        clock.advance(0)
        return came[0]

    for ask in (
        lambda each: each.ratings("bot:easy"),
        lambda each: each.top("nim", "bots", 5),
        lambda each: each.history(["bot:easy", "name:a value"], 7),
    ):
        assert list(rig.wait(ask(journal))) == list(answer(ask))


def test_nobody_adds_to_a_journal_that_a_daemon_holds(rig):
    journal = rig.open()
    with pytest.raises(JournalRefused, match="held by another daemon"), held(rig.path):
        pass
    rig.close(journal)
    with held(rig.path):
        pass


@only_sqlite
def test_what_cannot_be_written_is_said_without_a_traceback(rig, tmp_path):
    with pytest.raises(JournalRefused, match="cannot be used"), held(str(tmp_path)):
        pass
    with pytest.raises(JournalFailed, match="no such table"), held(rig.path) as store:
        store._db.execute("SELECT * FROM nowhere")


def test_a_rating_is_written_to_the_last_bit(rig):
    odd = Rating(25.1 + 1e-15, 8.3333333333333339, 1, 0.1 + 0.2)
    with held(rig.path) as store:
        row = attrs.astuple(odd)
        store.results.save({("nim", "bot:a"): row}, set(), 0)
        assert store.results.all_ratings() == {("nim", "bot:a"): row}
