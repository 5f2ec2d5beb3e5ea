"""No duration is taken from a time of day: what clocks have run, how old the house is, and what is old in it."""

from __future__ import annotations

import pytest

from protocols.journal.age import aged


def live_on(rig, journal, *lived, matters=True):
    """Give signs of life, each answered before the next."""
    for each in lived:
        journal.beat(each, matters)
        rig.wait(journal.read("AAAAA"))  # which comes behind it


def row(rig, journal):
    (row,) = rig.wait(journal.index())
    return row


@pytest.fixture
def table(rig, chain):
    """A journal with a table that began at second 100 of the house's time."""
    journal = rig.open()
    journal.note("AAAAA", "nim", "playing", False, 100.0)
    rig.keep(journal, *chain("AAAAA", 1))
    return journal


# -- what a table's clocks have run -----------------------------------------------------


def test_a_table_lasted_until_the_last_sign_of_life_of_the_run_in_which_it_was_awake(
    rig, chain, table
):
    live_on(rig, table, 105.0, 109.0)
    rig.close(table)
    second = rig.open()
    assert row(rig, second).lasted == 9.0
    live_on(rig, second, 1.0, 4000.0)
    assert row(rig, second).lasted == 9.0  # nobody woke it
    second.note("AAAAA", "nim", "playing", False, 3990.0)
    rig.keep(second, *chain("AAAAA", 2)[1:])
    live_on(rig, second, 4001.0)
    rig.close(second)
    assert row(rig, rig.open()).lasted == 11.0


def test_without_a_sign_of_life_nothing_is_known_of_its_clocks(rig, table):
    rig.close(table)
    assert row(rig, rig.open()).lasted == 0.0


def test_no_clock_runs_at_a_table_that_was_released(rig, chain, table):
    live_on(rig, table, 105.0)
    table.release("AAAAA")
    rig.keep(table)
    live_on(rig, table, 900.0)
    rig.close(table)
    assert row(rig, rig.open()).lasted == 0.0


@pytest.mark.parametrize("flushed_by", ["beat", "close"])
def test_a_release_does_not_wait_for_a_record(rig, table, flushed_by):
    live_on(rig, table, 105.0)
    table.release("AAAAA")
    if flushed_by == "beat":
        live_on(rig, table, 106.0, matters=False)
    rig.close(table)
    assert row(rig, rig.open()).lasted == 0.0


def test_a_table_that_is_woken_at_once_is_not_released(rig, chain, table):
    table.release("AAAAA")
    table.note("AAAAA", "nim", "playing", False, 90.0)
    rig.keep(table, *chain("AAAAA", 2)[1:])
    live_on(rig, table, 105.0)
    rig.close(table)
    assert row(rig, rig.open()).lasted == 15.0


# -- how old the house is ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "lived", "seconds"),
    [(None, 1e9, 0.0), (10.0, 11.0, 1.0), (10.0, 1e9, 5.0), (10.0, 3.0, 0.0), (10.0, 10.0, 0.0)],
)
def test_a_sign_of_life_adds_five_seconds_at_most_and_never_takes_any(before, lived, seconds):
    assert aged(before, lived) == seconds


def test_the_house_ages_over_its_runs_and_not_between_them(rig):
    journal = rig.open()
    live_on(rig, journal, 1000.0, 1001.0, 1003.0)
    assert journal.age == 3.0
    rig.close(journal)
    journal = rig.open()
    assert journal.age == 3.0
    live_on(rig, journal, 9e9, 9e9 + 1)
    assert journal.age == 4.0


def test_while_no_clock_runs_a_minute_of_age_stays_in_memory(rig):
    journal = rig.open()
    live_on(rig, journal, 0.0, 1.0)
    before = rig.disk.commits
    live_on(rig, journal, *range(2, 61), matters=False)
    assert rig.disk.commits == before
    live_on(rig, journal, 61.0, matters=False)
    assert rig.disk.commits == before + 1
    assert journal.age == 61.0


# -- what is old in it ------------------------------------------------------------------


def test_a_table_that_was_awake_rests_since_its_run_ended(rig, table):
    live_on(rig, table, 105.0, 109.0, 112.0)
    rig.close(table)
    later = rig.open()
    live_on(rig, later, 1.0, 5.0)
    assert (row(rig, later).rested, later.age) == (7.0, 11.0)


def test_a_table_that_was_released_rests_since_then(rig, table):
    live_on(rig, table, 105.0, 109.0)
    table.release("AAAAA")
    rig.keep(table)
    live_on(rig, table, 112.0)
    rig.close(table)
    assert row(rig, rig.open()).rested == 4.0


def test_what_was_finished_long_ago_is_forgotten_and_counted(rig, chain):
    journal = rig.open()
    counted = []
    journal.on_forgotten = counted.append
    for number, table in enumerate(("AAAAA", "BBBBB", "CCCCC")):
        live_on(rig, journal, number * 2.0)
        rig.keep(journal, *chain(table, 1))
        journal.retire(table)
        rig.wait(journal.finished())
    journal.forget(4.0)
    assert [each.table for each in rig.wait(journal.finished())] == ["CCCCC"]
    assert rig.wait(journal.read_finished("AAAAA")) is None
    journal.forget(4.0)
    rig.wait(journal.finished())
    assert counted == [2]
