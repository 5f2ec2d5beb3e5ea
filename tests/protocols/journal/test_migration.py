"""A journal of an older Parlour is brought up to date in one transaction; one of a newer is left alone.

``data/schema_1.db.gz`` was written by a daemon of the first schema, with each game waiting, under way and
finished, and that daemon was killed; ``data/schema_1.json`` has the codes, and the tokens of those who played.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gamecore.record import read_records
from gamecore.record_file import read_game
from gamecore.rules import Registry, installed_rules
from protocols.journal.compaction import expand_game
from protocols.journal.errors import JournalRefused
from protocols.journal.sqlite.schema import SCHEMA
from tests.protocols.journal.media import only_sqlite

pytestmark = only_sqlite

DATA = Path(__file__).parent / "data"
KEPT = json.loads((DATA / "schema_1.json").read_text())
TABLES = 12
FINISHED = 5


@pytest.fixture
def old(rig):
    """The path of a journal of the first schema."""
    Path(rig.path).write_bytes(gzip.decompress((DATA / "schema_1.db.gz").read_bytes()))
    return rig.path


def ask(path, question):
    with closing(sqlite3.connect(path)) as db:
        return db.execute(question).fetchall()


def version(path):
    return ask(path, "PRAGMA user_version")[0][0]


def test_all_that_was_live_rests_from_now_and_nobody_is_charged(rig, old):
    journal = rig.open()
    rows = rig.wait(journal.index())
    assert {(row.lasted, row.rested) for row in rows} == {(0.0, 0.0)}
    stages = {row.table: (row.kind, row.stage) for row in rows}
    assert len(stages) == TABLES
    for kind, kept in KEPT.items():
        assert stages[kept["waits"]["code"]] == (kind, "gathering")
        assert stages[kept["plays"]["code"]] == (kind, "playing")
    for code in stages:
        assert read_records(rig.wait(journal.read(code)))  # which checks the chain
    rig.close(journal)
    assert version(old) == SCHEMA


def test_all_that_was_finished_is_there_and_counts_its_age_from_now(rig, old):
    journal = rig.open()
    registry = Registry(installed_rules())
    assert len(rig.wait(journal.finished())) == FINISHED
    for kept in KEPT.values():
        blob = rig.wait(journal.read_finished(kept["finished"]))
        assert read_game(expand_game(blob, registry)).lines
    journal.forget(0.0)
    assert len(rig.wait(journal.finished())) == FINISHED


def test_an_older_journal_becomes_what_a_new_one_is(rig, old, tmp_path):
    rig.close(rig.open())
    rig.close(rig.open(str(tmp_path / "new.db")))
    made = "SELECT name, sql FROM sqlite_schema ORDER BY name"
    assert ask(old, made) == ask(tmp_path / "new.db", made)


def test_a_crash_meanwhile_leaves_it_old_or_new(rig, old, tmp_path):
    copies = []

    def copy(statement):
        path = tmp_path / f"copy{len(copies)}.db"
        for end in ("", "-wal"):
            if Path(f"{old}{end}").exists():
                Path(f"{path}{end}").write_bytes(Path(f"{old}{end}").read_bytes())
        copies.append(path)

    rig.disk.watch = copy
    rig.close(rig.open())
    rig.disk.watch = None
    versions = [version(path) for path in copies]
    assert versions == sorted(versions) and set(versions) == {1, SCHEMA}
    for path in copies[:: len(copies) // 8]:
        assert len(rig.wait(rig.open(str(path)).index())) == TABLES


def test_what_cannot_be_brought_up_to_date_is_refused_and_stays_as_it_was(rig, old):
    rig.disk.fail_before = 1
    with pytest.raises(JournalRefused, match="disk I/O error"):
        rig.open()
    assert version(old) == 1
    rig.open()
