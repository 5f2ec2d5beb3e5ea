"""What journals of the tests are kept in: files of SQLite, or schemas of a PostgreSQL; a disk fails when told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from threading import Event
from typing import Any, Protocol

import pytest

from protocols.journal.interface import Store
from protocols.journal.sqlite import file
from protocols.journal.sqlite.store import SqliteStore
from tests.patience import SECONDS

NAMES = ("sqlite", "postgres")
only_sqlite = pytest.mark.parametrize("medium", ["sqlite"], indirect=True)
only_postgres = pytest.mark.parametrize("medium", ["postgres"], indirect=True)

# How the statements begin that write by themselves, and how one does that makes a connection ready.
_WRITES = ("INSERT", "UPDATE", "DELETE", "WITH")


class Disk:
    """What stands between the journal and its engine: it may fail, be full, or hold on."""

    def __init__(self, error: Exception) -> None:
        self.fail_before = 0  # so many commits do not happen
        self.fail_after = 0  # so many commits happen, and are said to have failed
        self.error = error
        self.most_pages: int | None = None  # of a file of SQLite
        self.watch: Callable[[str], None] | None = None  # sees every statement, in its thread
        self.opened = 0
        self.commits = 0
        self.goes = Event()
        self.goes.set()

    def run(self, sql: str, inside: bool, run: Callable[[], Any]) -> Any:
        """Run a statement, inside a transaction or not."""
        begins = sql.split()[0] in _WRITES
        return self.commit(run) if sql == "COMMIT" or (begins and not inside) else run()

    def look(self, sql: str) -> None:
        """Show a statement to whoever watches."""
        if self.watch is not None:
            self.watch(sql)

    def seen(self, words: str) -> Event:
        """Watch for a statement with these words from now on."""
        event = Event()
        self.watch = lambda sql: event.set() if words in sql else None
        return event

    def commit(self, run: Callable[[], Any]) -> Any:
        """Commit, or fail, as told."""
        assert self.goes.wait(SECONDS)
        if self.fail_before:
            self.fail_before -= 1
            raise self.error
        done = run()
        self.commits += 1
        if self.fail_after:
            self.fail_after -= 1
            raise self.error
        return done


class Medium(Protocol):
    """Where the journal of a test is, and what can go wrong there."""

    where: str
    prepares: str  # a piece of a statement that makes a new connection ready

    def failing(self) -> Exception:
        """Make the error of a disk that fails."""

    def full(self) -> Exception:
        """Make the error of a disk that is full."""

    def busy(self) -> Exception:
        """Make the error of an engine that cannot be used just now."""

    def damaged(self) -> Exception:
        """Make the error of a record that cannot be read."""

    def bug(self) -> Exception:
        """Make the error of a mistake of ours."""

    def find(self, disk: Disk, where: str) -> Store:
        """Make a store that goes by a disk."""

    def take_over(self) -> None:
        """Begin a run as a daemon does that does not see our lock."""


class SqliteMedium:
    """A file."""

    prepares = "PRAGMA synchronous"

    def __init__(self, where: str) -> None:
        self.where = where

    def failing(self) -> sqlite3.Error:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR  # type: ignore[misc]
        return error

    def full(self) -> sqlite3.Error:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL  # type: ignore[misc]
        return error

    def busy(self) -> sqlite3.Error:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY  # type: ignore[misc]
        return error

    def damaged(self) -> sqlite3.Error:
        return sqlite3.DatabaseError("database disk image is malformed")

    def bug(self) -> sqlite3.Error:
        return sqlite3.ProgrammingError("a bug")

    def find(self, disk: Disk, where: str) -> Store:
        return SqliteStore(where, connect=partial(_connect_to_file, disk))

    def take_over(self) -> None:
        with closing(sqlite3.connect(self.where)) as other:
            other.execute("UPDATE meta SET run = run + 1")
            other.commit()


def _connect_to_file(disk: Disk, path: str) -> sqlite3.Connection:
    disk.opened += 1

    class Watched(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
            disk.look(sql)
            if disk.most_pages is not None:
                super().execute(f"PRAGMA max_page_count = {disk.most_pages}").fetchall()
            return disk.run(sql, self.in_transaction, partial(super().execute, sql, values))

    return file.connect(path, Watched)


class PostgresMedium:
    """A schema of a database."""

    prepares = "SET lock_timeout"

    def __init__(self, where: str) -> None:
        self.where = where

    def failing(self) -> Exception:
        from psycopg import errors

        return errors.IoError("disk I/O error")

    def full(self) -> Exception:
        from psycopg import errors

        return errors.DiskFull("database or disk is full")

    def busy(self) -> Exception:
        from psycopg import errors

        return errors.CannotConnectNow("the database system is starting up")

    def damaged(self) -> Exception:
        from psycopg import errors

        return errors.DataCorrupted("invalid page in block 0")

    def bug(self) -> Exception:
        from psycopg import errors

        return errors.UndefinedColumn("a bug")

    def find(self, disk: Disk, where: str) -> Store:
        from protocols.journal.postgres.store import PostgresStore

        return PostgresStore(where, connect=partial(_connect_to_server, disk))

    def take_over(self) -> None:
        self.do("UPDATE runs SET dead = true")

    def connect(self) -> Any:
        """Connect beside everybody."""
        import psycopg

        return psycopg.connect(self.where, autocommit=True)

    def do(self, statement: str) -> list[Any]:
        """Do something in the database, beside everybody."""
        with self.connect() as other:
            done = other.execute(statement)
            return done.fetchall() if done.description else []


def _connect_to_server(disk: Disk, where: str) -> Any:
    import psycopg

    from protocols.journal.postgres.connection import connect
    from protocols.journal.postgres.prepared import PreparingConnection, Statement

    disk.opened += 1

    class Watched(PreparingConnection):
        def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
            disk.look(query)
            idle = self.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
            return disk.run(query, not idle, partial(super().execute, query, params, **how))

        def run(self, statement: Statement, values: Mapping[str, bytes]) -> bytes | None:
            disk.look(statement.sql)
            return disk.commit(partial(super().run, statement, values))

    return connect(where, Watched)
