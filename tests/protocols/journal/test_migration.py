"""A journal of an older Parlour is brought up to date in one transaction; one of a newer is left alone.

``data/schema_1.db.gz`` was written by a daemon of the first schema, with each game waiting, under way and
finished, and that daemon was killed; ``data/schema_1.json`` has the codes, and the tokens of those who played.
``data/schema_4.db.gz`` is the same journal after a run of a daemon of the fourth schema, the last without results.
``data/schema_1.sql.gz`` is a dump of a PostgreSQL's first schema with three of these tables, and two finished.
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
from protocols.journal.engines import open_archive
from protocols.journal.errors import JournalFailed, JournalRefused
from protocols.journal.postgres import schema as postgres_schema
from protocols.journal.sqlite.schema import SCHEMA
from tests.protocols.journal.media import only_postgres, only_sqlite
from tests.protocols.journal.test_results import bots, ended

DATA = Path(__file__).parent / "data"
KEPT = json.loads((DATA / "schema_1.json").read_text())
TABLES = 12
FINISHED = 5


@pytest.fixture(params=[1, 4])
def schema(request):
    """The schema that the journal of a test had."""
    return request.param


@pytest.fixture
def old(rig, schema):
    """The path of a journal of an older schema."""
    Path(rig.path).write_bytes(gzip.decompress((DATA / f"schema_{schema}.db.gz").read_bytes()))
    return rig.path


def ask(path, question):
    with closing(sqlite3.connect(path)) as db:
        return db.execute(question).fetchall()


def refuses_to_look(where):
    """See that nobody looks for results in a journal that has no place for them yet."""
    said = pytest.raises(JournalFailed, match="of an older Parlour: start the daemon once")
    with closing(open_archive(where)) as archive, said:
        archive.look(lambda results: results.watermark())


def version(path):
    return ask(path, "PRAGMA user_version")[0][0]


@only_sqlite
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


@only_sqlite
def test_all_that_was_finished_is_there_and_counts_its_age_from_now(rig, old):
    journal = rig.open()
    registry = Registry(installed_rules())
    assert len(rig.wait(journal.finished())) == FINISHED
    for kept in KEPT.values():
        blob = rig.wait(journal.read_finished(kept["finished"]))
        assert read_game(expand_game(blob, registry)).lines
    journal.forget(0.0)
    assert len(rig.wait(journal.finished())) == FINISHED


@only_sqlite
def test_an_older_journal_becomes_what_a_new_one_is(rig, old, tmp_path):
    rig.close(rig.open())
    rig.close(rig.open(str(tmp_path / "new.db")))
    made = "SELECT name, sql FROM sqlite_schema ORDER BY name"
    assert ask(old, made) == ask(tmp_path / "new.db", made)


@only_sqlite
def test_a_crash_meanwhile_leaves_it_old_or_new(rig, old, schema, tmp_path):
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
    assert versions == sorted(versions) and set(versions) == {schema, SCHEMA}
    for path in copies[:: len(copies) // 8]:
        assert len(rig.wait(rig.open(str(path)).index())) == TABLES


@only_sqlite
def test_what_cannot_be_brought_up_to_date_is_refused_and_stays_as_it_was(rig, old, schema):
    rig.disk.fail_before = 1
    with pytest.raises(JournalRefused, match="disk I/O error"):
        rig.open()
    assert version(old) == schema
    rig.open()


@only_sqlite
def test_a_journal_from_before_has_no_results_and_takes_new_ones(rig, old, chain):
    refuses_to_look(old)
    journal = rig.open()
    assert rig.wait(journal.history(["bot:random"], 10)) == []
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    assert len(rig.wait(journal.history(["bot:random"], 10))) == 1
    assert [row.games for row in rig.wait(journal.ratings("bot:random"))] == [1]


# -- PostgreSQL -----------------------------------------------------------------------


@pytest.fixture
def old_database(rig):
    """The URL of a journal of the first schema in PostgreSQL."""
    rig.medium.do(gzip.decompress((DATA / "schema_1.sql.gz").read_bytes()).decode())
    return rig.path


@only_postgres
def test_a_database_of_the_first_schema_is_brought_up_to_date(rig, old_database, chain):
    refuses_to_look(old_database)
    journal = rig.open()
    assert len(rig.wait(journal.index())) == 3 and len(rig.wait(journal.finished())) == 2
    for row in rig.wait(journal.index()):
        assert read_records(rig.wait(journal.read(row.table)))
    assert rig.wait(journal.history(["bot:random"], 10)) == []
    rig.keep(journal, *ended(chain, bots(1, "perfect", "random")))
    assert [row.games for row in rig.wait(journal.ratings("bot:random"))] == [1]


@only_postgres
def test_how_long_tables_were_awake_and_how_old_the_house_is_stays_known(rig, old_database):
    rig.medium.do("UPDATE runs SET lived = 70, age = 90")
    rig.medium.do("UPDATE tables SET began = 7, rested = NULL, run = (SELECT max(run) FROM runs)")
    journal = rig.open()
    assert [row.lasted for row in rig.wait(journal.index())] == [63.0] * 3
    assert journal.age == 90.0


@only_postgres
def test_it_becomes_what_a_new_one_is(rig, old_database):
    def made():
        return rig.medium.do(
            "SELECT table_name, column_name, data_type, is_nullable, collation_name"
            " FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1, 2"
        )

    rig.close(rig.open())
    brought_up = made()
    rig.medium.do("DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || current_schema() || ' CASCADE'; END $$")
    rig.medium.do(f"CREATE SCHEMA {rig.path.rpartition('search_path%3D')[2]}")
    rig.close(rig.open())
    assert brought_up == made()


@only_postgres
def test_what_fails_meanwhile_leaves_it_as_it_was(rig, old_database):
    rig.disk.fail_before = 1
    with pytest.raises(JournalRefused, match="disk I/O error"):
        rig.open()
    assert rig.medium.do("SELECT schema FROM house") == [(1,)]
    rig.close(rig.open())
    assert rig.medium.do("SELECT schema FROM house") == [(postgres_schema.SCHEMA,)]
