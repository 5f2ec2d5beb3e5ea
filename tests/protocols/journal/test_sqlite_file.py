"""The journal's file is private, and nothing but one of ours is opened."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from protocols.journal.errors import JournalRefused
from protocols.journal.sqlite.schema import SCHEMA
from tests.protocols.journal.media import only_sqlite

pytestmark = only_sqlite


def refusal(rig, path=None):
    with pytest.raises(JournalRefused) as refused:
        rig.open(path)
    said = str(refused.value)
    assert "\n" not in said and len(said) < 300
    return said


def mode(path):
    return os.stat(path).st_mode & 0o777


def change(path, statement):
    db = sqlite3.connect(path)
    db.execute(statement)
    db.commit()
    db.close()


def test_only_the_owner_may_read_it(rig, chain, tmp_path):
    path = str(tmp_path / "new" / "folder" / "games.db")
    before = os.umask(0)
    try:
        journal = rig.open(path)
        rig.keep(journal, *chain("AAAAA", 1))
    finally:
        os.umask(before)
    assert {mode(f"{path}{end}") for end in ("", "-wal", "-shm", ".lock")} == {0o600}
    assert mode(os.path.dirname(path)) == 0o700


def test_a_file_that_all_could_read_is_made_private(rig):
    rig.close(rig.open())
    os.chmod(rig.path, 0o644)
    rig.open()
    assert mode(rig.path) == 0o600


def test_every_commit_is_on_the_disk_and_no_commit_makes_a_checkpoint(rig):
    asked = []
    rig.disk.watch = asked.append
    rig.open()
    assert "PRAGMA synchronous = FULL" in asked
    assert "PRAGMA wal_autocheckpoint = 0" in asked


def test_a_second_journal_on_the_same_file_is_refused(rig, tmp_path):
    journal = rig.open()
    said = refusal(rig)
    assert said == f"the journal {rig.path} is held by another daemon, process {os.getpid()}"
    (tmp_path / "alias.db").symlink_to(rig.path)
    assert refusal(rig, str(tmp_path / "alias.db")) == said
    rig.close(journal)
    rig.open()


def test_a_lock_of_the_dead_is_free(rig):
    Path(f"{rig.path}.lock").write_text("1\n")
    rig.open()


def test_a_newer_schema_is_refused_and_left_alone(rig):
    rig.close(rig.open())
    change(rig.path, f"PRAGMA user_version = {SCHEMA + 1}")
    before = Path(rig.path).read_bytes()
    assert f"newer Parlour (schema {SCHEMA + 1}, known here: {SCHEMA})" in refusal(rig)
    assert Path(rig.path).read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_alone(rig):
    change(rig.path, "CREATE TABLE meta (run INTEGER)")
    before = Path(rig.path).read_bytes()
    assert "database of another program" in refusal(rig)
    assert Path(rig.path).read_bytes() == before


def test_what_is_no_database_is_refused_and_left_alone(rig):
    Path(rig.path).write_bytes(b"Dear diary, " * 1000)
    assert "file is not a database" in refusal(rig)
    assert Path(rig.path).read_bytes() == b"Dear diary, " * 1000


@pytest.mark.parametrize("size", [1, 100, 4096, 9000, -4096, -1])
def test_a_file_that_lost_its_end_is_refused(rig, chain, size):
    journal = rig.open()
    rig.keep(journal, *chain("AAAAA", 200))
    rig.close(journal)
    whole = Path(rig.path).read_bytes()
    Path(rig.path).write_bytes(whole[:size])
    refusal(rig)


def test_an_empty_file_is_as_good_as_none(rig):
    Path(rig.path).touch()
    rig.open()


def test_what_cannot_be_a_file_is_refused(rig, tmp_path):
    assert "Is a directory" in refusal(rig, str(tmp_path))
    (tmp_path / "file").touch()
    refusal(rig, str(tmp_path / "file" / "games.db"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(rig, tmp_path):
    (tmp_path / "closed").mkdir(0o500)
    assert "Permission denied" in refusal(rig, str(tmp_path / "closed" / "games.db"))


def test_a_refused_journal_leaves_the_file_to_others(rig):
    rig.close(rig.open())
    change(rig.path, f"PRAGMA user_version = {SCHEMA + 1}")
    refusal(rig)
    change(rig.path, f"PRAGMA user_version = {SCHEMA}")
    rig.open()
