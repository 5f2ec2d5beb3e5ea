"""`parlour backup`: the journal in one file, taken while the daemon writes it, and put back by a plain copy."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from protocols.cli.main import main
from protocols.journal.durable import rows_of
from protocols.journal.sqlite.store import SqliteStore


@pytest.fixture
def written(journal, nim_records):
    """A journal that is being written: its last batch is in the log beside it alone."""
    store = SqliteStore(journal)
    store.open()
    rows = [("BAAAA", *row[1:]) for row in rows_of(nim_records)]
    store.keep(rows, {"BAAAA": ("nim", "abandoned", False, 0.0, "")})
    yield journal, store, rows
    store.close()


def read_again(path, table):
    store = SqliteStore(str(path))
    store.open()
    try:
        return store.read(table)
    finally:
        store.close()


def test_a_copy_has_all_that_was_kept_while_the_daemon_goes_on(capsys, tmp_path, written):
    journal, store, rows = written
    copy = tmp_path / "copies" / "parlour.db"
    copy.parent.mkdir()
    assert main(["backup", str(copy), "--journal", journal]) == 0
    assert capsys.readouterr() == ("", "")
    assert os.listdir(copy.parent) == ["parlour.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    more = [("CAAAA", *row[1:]) for row in rows[:3]]
    store.keep(more, {})  # nobody had to wait, and it is not in the copy
    assert read_again(copy, "BAAAA") == [row[4] for row in rows]
    assert read_again(copy, "CAAAA") == []


def test_a_copy_is_put_back_by_a_plain_copy(tmp_path, written):
    journal, store, rows = written
    copy = tmp_path / "copy"
    assert main(["backup", str(copy), "--journal", journal]) == 0
    store.close()
    Path(journal).write_bytes(b"the disk was bad")
    for ending in ("-wal", "-shm"):
        Path(journal + ending).unlink(missing_ok=True)
    shutil.copy(copy, journal)
    assert read_again(journal, "BAAAA") == [row[4] for row in rows]
    assert main(["replay", "NAAAA", "--journal", journal]) == 0


def test_a_copy_takes_the_place_of_an_older_one_and_never_of_the_journal(capsys, tmp_path, written):
    journal, _, rows = written
    copy = tmp_path / "copy"
    copy.write_bytes(b"an older one")
    assert main(["backup", str(copy), "--journal", journal]) == 0
    assert read_again(copy, "BAAAA") == [row[4] for row in rows]
    assert main(["backup", journal, "--journal", journal]) == 2
    assert capsys.readouterr().err == f"parlour backup: {journal} is the journal itself\n"


def test_a_place_that_cannot_be_written_is_named(capsys, tmp_path, journal):
    copy = tmp_path / "no" / "copy"
    assert main(["backup", str(copy), "--journal", journal]) == 2
    told = f"parlour backup: {copy} cannot be written: No such file or directory\n"
    assert capsys.readouterr().err == told
