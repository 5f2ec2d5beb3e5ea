"""A table that has ended becomes one compact row, and in the end is forgotten."""

from __future__ import annotations

import shutil
import zlib

import pytest

from protocols.journal.interface import FinishedRow
from protocols.journal.packing import unpack
from tests.patience import SECONDS
from tests.protocols.journal.media import only_sqlite


def lines(records):
    return [record.line for record in records]


@pytest.fixture
def journal(rig, chain):
    """A journal with three tables, one record of each at a time."""
    journal = rig.open()
    keep_three(rig, journal, chain)
    return journal


def keep_three(rig, journal, chain):
    for table in ("AAAAA", "BBBBB", "CCCCC"):
        journal.note(table, "nim", "over", False, 0.0)
    rows = zip(*(chain(table, 40) for table in ("AAAAA", "BBBBB", "CCCCC")), strict=True)
    for row in rows:
        rig.keep(journal, *row)


def live(rig, journal):
    return [each.table for each in rig.wait(journal.index())]


def test_a_retired_table_is_one_compact_row(rig, journal, chain):
    journal.retire("BBBBB")
    assert live(rig, journal) == ["AAAAA", "CCCCC"]
    assert rig.wait(journal.read("BBBBB")) == []
    assert rig.wait(journal.finished()) == [FinishedRow("BBBBB", "nim", 539.0)]
    record = rig.wait(journal.read_finished("BBBBB"))
    assert unpack(record) == lines(chain("BBBBB", 40))
    assert len(record) < sum(map(len, lines(chain("BBBBB", 40)))) / 2
    for table in ("AAAAA", "CCCCC"):
        assert rig.wait(journal.read(table)) == lines(chain(table, 40))


def test_what_is_not_there_is_retired_in_vain(rig, journal):
    journal.retire("never")
    journal.retire("AAAAA")
    journal.retire("AAAAA")
    assert [each.table for each in rig.wait(journal.finished())] == ["AAAAA"]
    assert rig.wait(journal.read_finished("never")) is None


def test_what_follows_a_retired_table_is_found(rig, journal, chain):
    """The database gives the numbers of deleted rows out again if they were the last."""
    for table in ("CCCCC", "BBBBB", "AAAAA"):
        journal.retire(table)
    assert live(rig, journal) == []
    journal.note("DDDDD", "nim", "playing", False, 0.0)
    rig.keep(journal, *chain("DDDDD", 10))
    assert rig.wait(journal.read("DDDDD")) == lines(chain("DDDDD", 10))
    assert live(rig, journal) == ["DDDDD"]


def test_a_code_may_be_used_again(rig, journal, chain):
    journal.retire("AAAAA")
    rig.wait(journal.finished())
    rig.keep(journal, *chain("AAAAA", 3))
    journal.retire("AAAAA")
    assert [each.ended for each in rig.wait(journal.finished())] == [539.0, 502.0]
    assert unpack(rig.wait(journal.read_finished("AAAAA"))) == lines(chain("AAAAA", 3))


def test_retiring_does_not_wait_for_a_question(rig, chain):
    journal = rig.open(idle=0.001)
    rig.keep(journal, *chain("AAAAA", 3))
    retired = rig.disk.seen("INTO finished")
    journal.retire("AAAAA")
    assert retired.wait(SECONDS)  # nothing but its own clock tells the writer


def test_many_tables_are_retired(rig, chain):
    journal = rig.open()
    for number in range(100):
        rig.keep(journal, *chain(f"T{number:04}", 3))
        journal.retire(f"T{number:04}")
    assert len(rig.wait(journal.finished())) == 100


def test_closing_retires_what_was_to_be_retired(rig, journal):
    journal.retire("AAAAA")
    rig.close(journal)
    assert live(rig, rig.open()) == ["BBBBB", "CCCCC"]


def test_the_integrator_says_what_compact_means(rig, chain):
    journal = rig.open(compact=lambda lines: b"%d lines" % len(lines))
    rig.keep(journal, *chain("AAAAA", 7))
    journal.retire("AAAAA")
    assert rig.wait(journal.read_finished("AAAAA")) == b"7 lines"


def test_a_bug_in_making_it_compact_loses_nothing(rig, chain, logged_failures):
    journal = rig.open(compact=lambda lines: lines[99])
    rig.keep(journal, *chain("AAAAA", 7))
    journal.retire("AAAAA")
    assert unpack(rig.wait(journal.read_finished("AAAAA"))) == lines(chain("AAAAA", 7))
    assert "IndexError: list index out of range" in str(logged_failures.pop().value)
    assert rig.lost == []


@only_sqlite
def test_a_crash_while_retiring_leaves_the_table_live_or_finished(rig, journal, chain, tmp_path):
    copies = []

    def copy(statement):
        number = len(copies)
        for end in ("", "-wal"):
            shutil.copyfile(f"{rig.path}{end}", tmp_path / f"copy{number}.db{end}")
        copies.append(str(tmp_path / f"copy{number}.db"))

    rig.disk.watch = copy
    journal.retire("BBBBB")
    assert live(rig, journal) == ["AAAAA", "CCCCC"]
    rig.disk.watch = None
    outcomes = [look_at(rig, path, chain) for path in copies]
    assert outcomes == sorted(outcomes) and set(outcomes) == {False, True}


def look_at(rig, path, chain):
    """Open a copy and tell whether the table is finished; retiring it again finishes it."""
    journal = rig.open(path)
    finished = rig.wait(journal.read_finished("BBBBB"))
    tables = ["AAAAA", "CCCCC"] if finished else ["AAAAA", "BBBBB", "CCCCC"]
    assert live(rig, journal) == tables
    for table in tables:
        assert rig.wait(journal.read(table)) == lines(chain(table, 40))
    journal.retire("BBBBB")
    assert unpack(rig.wait(journal.read_finished("BBBBB"))) == lines(chain("BBBBB", 40))
    assert len(rig.wait(journal.finished())) == 1
    rig.close(journal)
    return finished is not None


def test_what_is_packed_is_what_any_tool_can_read(rig, journal, chain):
    journal.retire("AAAAA")
    record = rig.wait(journal.read_finished("AAAAA"))
    assert zlib.decompress(record).splitlines() == lines(chain("AAAAA", 40))
