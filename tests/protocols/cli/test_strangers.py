"""`parlour doctor` and `parlour drain`, asked by somebody who has not read a page: one line says what is wrong."""

from __future__ import annotations

import io
import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager, redirect_stdout
from pathlib import Path

import pytest

from protocols.cli.main import main
from protocols.journal.engines import open_archive
from protocols.journal.errors import JournalFailed
from tests.protocols.cli.test_drain import take_lock_and_open

COMMANDS = ["doctor", "drain"]
NOBODY = 65534


def refused(capsys, *words: str) -> str:
    """Ask for what cannot be; gives the line that says why."""
    try:
        status = main(list(words))
    except SystemExit as ended:
        status = ended.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    said = told.err.splitlines()[-1]
    assert said.startswith(f"parlour {words[0]}: ")
    return said


@contextmanager
def somebody_else(path: str, mode: int):
    """Be a user to whom a file is no more than its last figure says."""
    os.chmod(path, mode)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        os.chmod(path, 0o600)


@pytest.fixture
def house():
    """A journal in a file of a folder that everybody may look into, and its daemon."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = str(Path(folder).resolve() / "parlour.db")
        with closing(take_lock_and_open(path)) as store:
            store.beat(1.0, False)
            with redirect_stdout(io.StringIO()):
                main(["doctor", "--journal", path])  # which loads what another user may not
            yield path, store


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_journal_is_told_as_what_it_is(capsys, tmp_path, command):
    empty = str(tmp_path / "empty.db")
    with closing(sqlite3.connect(empty)) as db:
        db.execute("CREATE TABLE other (one)")
    text = tmp_path / "text.db"
    text.write_text("This is a text, and long enough to be taken for one. " * 40)
    for where, why in (
        ("memory", "a journal in memory is for its daemon alone"),
        ("", "there is no journal without a name; name one with --journal"),
        (str(tmp_path), "cannot be read: it is a folder"),
        (empty, f"no daemon has kept a journal in {empty}"),
        (str(text), "cannot be read: file is not a database"),
        (f"{text}/parlour.db", "there is no journal"),
        ("a\0b", "there is no journal"),
    ):
        assert why in refused(capsys, command, "--journal", where), where


@pytest.mark.parametrize("command", COMMANDS)
def test_who_may_not_read_a_journal_is_told_so(capsys, house, command):
    with somebody_else(house[0], 0o000):
        said = refused(capsys, command, "--journal", house[0])
    assert said.endswith(f"the journal {house[0]} cannot be read: Permission denied")
    folder = str(Path(house[0]).parent)
    with somebody_else(folder, 0o000):
        said = refused(capsys, command, "--journal", house[0])
    assert said.endswith(f"the journal {house[0]} cannot be read: Permission denied")
    os.chmod(folder, 0o700)


def test_who_may_read_but_not_write_cannot_ask_a_daemon_to_end(capsys, house):
    path, store = house
    for each in ("-wal", "-shm"):
        os.chmod(path + each, 0o644)
    os.chmod(f"{path}.lock", 0o000)
    with somebody_else(path, 0o444):
        for command in COMMANDS:
            said = refused(capsys, command, "--journal", path)
            assert said.endswith(f"{path}.lock: Permission denied")
    os.chmod(f"{path}.lock", 0o600)
    with closing(open_archive(path)) as archive:
        archive.examine()
        with (
            somebody_else(path, 0o444),
            pytest.raises(JournalFailed, match="cannot be written: Permission denied"),
        ):
            archive.drain(store.run, 60.0)
    store.beat(2.0, False)
    assert store.draining is None


def test_a_user_of_the_database_who_may_not_is_told_so(capsys, database):
    psycopg = pytest.importorskip("psycopg")
    from protocols.journal.postgres.store import PostgresStore

    store = PostgresStore(database)
    store.open()
    name = f"stranger_{os.getpid()}"
    with psycopg.connect(database, autocommit=True) as db:
        (schema,) = db.execute("SELECT current_schema()").fetchone()
        db.execute(f"CREATE ROLE {name} LOGIN")
        try:
            as_other = database.replace("parlour@", f"{name}@")
            db.execute(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
            for command in COMMANDS:
                said = refused(capsys, command, "--journal", as_other)
                assert "cannot be read: permission denied for table house" in said
            db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {name}")
            said = refused(capsys, "drain", "1", "--journal", as_other)
            assert "cannot be written: permission denied for table runs" in said
        finally:
            db.execute(f"DROP OWNED BY {name}")
            db.execute(f"DROP ROLE {name}")
    store.beat(1.0, False)
    assert store.draining is None
    store.close()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_without_a_house_is_told_as_that(capsys, database, command):
    said = refused(capsys, command, "--journal", database)
    assert "no daemon has kept a journal in postgresql://" in said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--minutes", "1h"], "argument --minutes: '1h' is no number of minutes"),
        (["--minutes", ""], "argument --minutes: '' is no number of minutes"),
        (["--minutes", "inf"], "argument --minutes: between 0 and 1440 minutes"),
        (["x"], "argument RUN: 'x' is no number of a run"),
        (["1.5"], "argument RUN: '1.5' is no number of a run"),
        (["-1"], "argument RUN: '-1' is no number of a run"),
    ],
)
def test_what_is_no_number_is_said_to_be_none(capsys, words, why):
    assert refused(capsys, "drain", *words).endswith(f"error: {why}")


def test_nobody_is_asked_where_some_are_named_and_all_as_well(capsys, house):
    path, store = house
    said = refused(capsys, "drain", str(store.run), "--all", "--journal", path)
    assert said.endswith("say which daemons, or --all, and not both")
    said = refused(capsys, "drain", "9" * 30, "--journal", path)
    assert f"no daemon is run {'9' * 30}; there is {store.run} (process " in said
    store.beat(2.0, False)
    assert store.draining is None
