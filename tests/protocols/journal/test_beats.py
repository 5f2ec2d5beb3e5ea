"""A sign of life costs the same whatever an old snapshot keeps, as a dump does that takes an hour."""

from __future__ import annotations

import pytest

from protocols.journal.postgres import runs
from protocols.journal.postgres.beats import ROW_BEATS
from protocols.journal.postgres.store import PostgresStore
from tests.protocols.journal.media import only_postgres

pytestmark = only_postgres


@pytest.fixture
def stores(medium):
    """Three runs of a house, which nothing stands before."""
    three = [PostgresStore(medium.where) for _ in range(3)]
    for each in three:
        each.open()
    yield three
    for each in three:
        each.close()


def live(stores, beats, began=0):
    for second in range(began, began + beats):
        for each in stores:
            each.beat(float(second), False)


LOOKS = (
    runs._ALIVE,
    "SELECT * FROM runs WHERE run = 1 FOR SHARE",
    f"SELECT {runs._OVER} FROM runs WHERE run = 1",
)


def pages(medium):
    """Count the pages that the server looks at for each of these."""
    plans = [medium.do(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {look}")[0][0] for look in LOOKS]
    read = ("Shared Hit Blocks", "Shared Read Blocks")
    return [sum(plan["Plan"][each] for each in read) for (plan,) in plans]


def test_an_old_snapshot_makes_nobody_look_at_more_pages(medium, stores):
    with medium.connect() as old:
        old.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        old.execute("SELECT count(*) FROM records")
        live(stores, ROW_BEATS)
        before = pages(medium)
        live(stores, 9 * ROW_BEATS, began=ROW_BEATS)
        more = [now - then for now, then in zip(pages(medium), before, strict=True)]
        assert max(more) <= len(stores)


def test_a_run_has_one_sign_of_life(medium, stores):
    live(stores, 3 * ROW_BEATS)
    rows = medium.do("SELECT run, lived, age, lease > clock_timestamp() FROM beats ORDER BY run")
    last = 3 * ROW_BEATS - 1
    assert rows == [(run, last, rows[0][2], True) for run in (1, 2, 3)]
    assert stores[0].age == pytest.approx(last, abs=1)


def test_what_failed_in_between_is_written_over(medium, stores):
    one = stores[0]
    live([one], ROW_BEATS - 1)  # the next begins a row
    medium.do("INSERT INTO beats VALUES (1, 1, 7, 7, now())")  # committed, and the answer was lost
    live([one], 2, began=ROW_BEATS)
    ((lived, lasts),) = medium.do(
        "SELECT lived, lease > clock_timestamp() FROM beats WHERE run = 1"
    )
    assert (lived, lasts) == (ROW_BEATS + 1, True)
