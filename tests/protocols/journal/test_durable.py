"""The durable journal keeps the promises of every journal, and knows which tables live."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing

import pytest
from attrs import evolve

from protocols.journal import worker as worker
from tests.patience import SECONDS
from tests.protocols.journal.media import only_sqlite


def lines(records):
    return [record.line for record in records]


@pytest.fixture
def untidy(monkeypatch):
    """Nothing is put in order unless a question needs it, so that commits can be counted."""
    monkeypatch.setattr(worker, "_HEAVY", 10**9)


def test_a_batch_is_never_kept_before_append_has_returned(rig, chain):
    journal = rig.open()
    done = journal.append(chain("AAAAA", 1))
    assert not done.called
    rig.wait(done)


def test_what_was_kept_is_read_in_order_and_without_the_others(rig, chain):
    journal = rig.open()
    a, b = chain("AAAAA", 3), chain("BBBBB", 2)
    rig.keep(journal, a[0], b[0], a[1])
    rig.keep(journal, b[1], a[2])
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    assert rig.wait(journal.read("BBBBB")) == lines(b)
    assert rig.wait(journal.read("CCCCC")) == []


def test_reading_comes_behind_what_was_handed_over_before(rig, chain):
    journal = rig.open()
    a = chain("AAAAA", 2)
    journal.append(a)
    assert rig.wait(journal.read("AAAAA")) == lines(a)


def test_the_next_daemon_finds_it_all_and_goes_on(rig, chain):
    a = chain("AAAAA", 6)
    for start in (0, 2, 4):
        journal = rig.open()
        assert rig.wait(journal.read("AAAAA")) == lines(a[:start])
        rig.keep(journal, *a[start : start + 2])
        rig.close(journal)
    assert rig.wait(rig.open().read("AAAAA")) == lines(a)


def test_lines_come_back_byte_by_byte(rig, chain):
    journal = rig.open()
    (a,) = chain("AAAAA", 1)
    odd = evolve(a, line=b'{"a":1.0e5, "b":"\\/\\u00e9\\u0000"}\x00\xff\n')
    rig.keep(journal, odd)
    assert rig.wait(journal.read("AAAAA")) == [odd.line]


@only_sqlite
def test_lines_that_somebody_has_stored_as_text_are_read_as_what_they_were(rig, chain):
    journal = rig.open()
    a = chain("AAAAA", 3)
    rig.keep(journal, *a)
    rig.close(journal)
    with closing(sqlite3.connect(rig.path, isolation_level=None)) as db:
        db.execute("UPDATE records SET line = CAST(line AS TEXT)")
    journal = rig.open()
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    rig.keep(journal, a[2])  # which is there


def test_a_batch_of_any_size_is_one_transaction(rig, chain, untidy):
    journal = rig.open()
    for table, size in enumerate((1, 2, 3, 63, 64, 65, 1024, 1025, 3000)):
        a = chain(f"AAAA{table}", size)
        before = rig.disk.commits
        rig.keep(journal, *a)
        assert rig.disk.commits == before + 1
        assert rig.wait(journal.read(f"AAAA{table}")) == lines(a)


def test_an_empty_batch_is_soon_done(rig):
    journal = rig.open()
    rig.keep(journal)
    assert journal.pending == 0


def test_pending_counts_what_is_not_durable_yet(rig, chain):
    journal = rig.open()
    a = chain("AAAAA", 5)
    rig.disk.goes.clear()
    journal.append(a[:2])
    last = journal.append(a[2:])
    assert journal.pending == 5
    rig.disk.goes.set()
    rig.wait(last)
    assert journal.pending == 0


def test_every_run_has_a_claim_of_its_own(rig):
    runs = []
    for _ in range(3):
        journal = rig.open()
        journal.note("AAAAA", "nim", "gathering", False, 0.0)
        rig.keep(journal)
        runs.append(rig.wait(journal.claim("AAAAA")).run)
        rig.close(journal)
    assert runs == [1, 2, 3]


# -- the index of live tables ---------------------------------------------------------


def test_the_index_says_what_was_noted(rig, chain):
    journal = rig.open()
    a, b = chain("AAAAA", 2), chain("BBBBB", 3)
    journal.note("AAAAA", "nim", "gathering", False, 0.0)
    rig.keep(journal, a[0])
    journal.note("AAAAA", "nim", "playing", False, 0.0)
    journal.note("BBBBB", "gops", "gathering", False, 0.0)
    journal.note("BBBBB", "gops", "playing", True, 0.0)
    rig.keep(journal, a[1], *b)
    one, two = rig.wait(journal.index())
    assert (one.table, one.kind, one.stage, one.bot) == ("AAAAA", "nim", "playing", False)
    assert (two.table, two.kind, two.stage, two.bot) == ("BBBBB", "gops", "playing", True)
    assert type(one.bot) is bool


def test_a_note_goes_in_with_the_next_batch_and_not_before(rig, chain):
    journal = rig.open()
    rig.keep(journal, *chain("AAAAA", 1))
    journal.note("AAAAA", "nim", "gathering", False, 0.0)
    assert rig.wait(journal.index()) == []
    rig.keep(journal, *chain("BBBBB", 1))
    assert [live.table for live in rig.wait(journal.index())] == ["AAAAA"]


def test_a_sign_of_life_brings_no_row_before_its_record(rig, chain):
    journal = rig.open()
    rig.keep(journal, *chain("AAAAA", 1))
    journal.note("AAAAA", "nim", "gathering", False, 0.0)
    journal.beat(1.0, True)  # while the record of it waits for its batch
    assert rig.wait(journal.index()) == []
    rig.keep(journal, *chain("BBBBB", 1))
    journal.note("CCCCC", "nim", "gathering", False, 0.0)
    journal.release("AAAAA")
    journal.beat(1.0, True)
    assert [live.table for live in rig.wait(journal.index())] == ["AAAAA"]
    journal.beat(1.0, True)  # and no batch has come for a whole second
    assert [live.table for live in rig.wait(journal.index())] == ["AAAAA", "CCCCC"]


def test_many_notes_are_one_transaction_with_their_records(rig, chain, untidy):
    journal = rig.open()
    opened = [chain(f"T{number:04}", 1)[0] for number in range(2500)]
    for record in opened:
        journal.note(record.table, "nim", "gathering", False, 0.0)
    before = rig.disk.commits
    rig.keep(journal, *opened)
    assert rig.disk.commits == before + 1
    listed = []
    while rows := rig.wait(journal.index(listed[-1] if listed else "")):
        listed += [live.table for live in rows]
    assert listed == [each.table for each in opened]


def test_no_more_than_one_sign_of_life_waits(rig):
    journal = rig.open()
    rig.wait(journal.read("AAAAA"))
    before = rig.disk.commits
    rig.disk.goes.clear()
    for _ in range(5):
        journal.beat(1.0, True)
    rig.disk.goes.set()
    rig.wait(journal.read("AAAAA"))
    assert rig.disk.commits == before + 1
    journal.beat(1.0, True)
    rig.wait(journal.read("AAAAA"))
    assert rig.disk.commits == before + 2


# -- order in the house, and the end --------------------------------------------------


@only_sqlite
def test_an_idle_journal_empties_its_log(rig, chain):
    journal = rig.open(idle=0.001)
    emptied = rig.disk.seen("wal_checkpoint")
    rig.keep(journal, *chain("AAAAA", 100))
    assert emptied.wait(SECONDS)  # nothing but its own clock tells the writer
    assert rig.wait(journal.read("AAAAA")) == lines(chain("AAAAA", 100))


@only_sqlite
def test_signs_of_life_alone_let_the_disk_sleep(rig):
    journal = rig.open(idle=0.0)
    seen = []
    rig.disk.watch = seen.append
    for _ in range(20):
        journal.beat(1.0, True)
        rig.wait(journal.claim("AAAAA"))
    assert seen.count("COMMIT") == 20
    assert not any("wal_checkpoint" in each for each in seen)


@only_sqlite
def test_a_busy_journal_empties_its_log_between_batches(rig, chain):
    journal = rig.open()
    seen = []
    rig.disk.watch = seen.append
    a = chain("AAAAA", 9000)
    for start in range(0, 9000, 100):
        rig.keep(journal, *a[start : start + 100])
    rig.wait(journal.claim("AAAAA"))
    assert sum("wal_checkpoint" in each for each in seen) == 4
    assert rig.wait(journal.read("AAAAA")) == lines(a)
    assert os.path.getsize(f"{rig.path}-wal") < 6_000_000


def test_closing_finishes_what_was_begun(rig, chain):
    journal = rig.open()
    a = chain("AAAAA", 2)
    done = journal.append(a)
    closed = journal.close()
    assert not closed.called
    rig.wait(closed)
    assert done.called
    assert not os.path.exists(f"{rig.path}-wal")  # of SQLite
    assert rig.wait(rig.open().read("AAAAA")) == lines(a)


def test_closing_twice_or_before_opening_does_no_harm(rig):
    journal = rig.open()
    rig.close(journal)
    rig.close(journal)


def test_a_journal_that_does_not_answer_is_trouble_until_it_does(rig, chain):
    """Nobody is told what happens at a table meanwhile, so no clock is to run there."""
    journal = rig.open()
    release = threading.Event()
    rig.disk.watch = lambda statement: release.wait(SECONDS)
    done = journal.append(chain("AAAAA", 1))
    journal.beat(1.0, True)
    journal.beat(2.0, True)
    assert rig.troubles == []
    journal.beat(3.0, True)
    assert rig.troubles == ["the journal does not answer"]
    journal.beat(4.0, True)
    assert len(rig.troubles) == 1
    rig.disk.watch = None
    release.set()
    rig.wait(done)
    rig.turns.turn_until(lambda: len(rig.troubles) == 2)
    assert rig.troubles[1] is None
