"""A PostgreSQL journal as one sees it who only looks up what has ended; the daemon may be writing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import psycopg

from protocols.journal.errors import JournalFailed, JournalRefused
from protocols.journal.health import Health
from protocols.journal.location import shown
from protocols.journal.postgres.adoptions import bring_back
from protocols.journal.postgres.beats import AGE
from protocols.journal.postgres.connection import ask, transaction
from protocols.journal.postgres.health import examine
from protocols.journal.postgres.results import PostgresResults
from protocols.journal.postgres.schema import SCHEMA

T = TypeVar("T")

_PATIENCE = 5  # seconds for the server to take a connection
_FINISHED = "SELECT record FROM finished WHERE code = %s ORDER BY id DESC LIMIT 1"
_DRAIN = "UPDATE runs SET draining = %s WHERE run = %s AND NOT dead"
_LINES = "SELECT line FROM records WHERE code = %s ORDER BY sequence"


def _connect(where: str) -> psycopg.Connection[Any]:
    """Connect to the server that can be written, where the URL names several; else to whichever there is."""
    connect = partial(psycopg.connect, where, autocommit=True, connect_timeout=_PATIENCE)
    try:
        return connect(target_session_attrs="read-write")
    except psycopg.OperationalError:
        return connect()


class PostgresArchive:
    """The finished games in a journal of PostgreSQL, which is only read; raises JournalFailed or JournalRefused."""

    def __init__(self, where: str) -> None:
        self._where = where
        try:
            self._db = _connect(where)
            self._db.execute("SET default_transaction_read_only = on")
        except (
            psycopg.ProgrammingError
        ):  # whose text has parts of the URL, and perhaps of its password
            raise JournalRefused(
                f"the journal {shown(where)} has no URL that PostgreSQL understands"
            ) from None
        except psycopg.Error as problem:
            raise self._failed(problem) from problem

    def read(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that has ended; None if there is none."""
        rows = self._all(_FINISHED, table)
        return bytes(rows[0][0]) if rows else None

    def lines(self, table: str) -> Sequence[bytes]:
        """Read the lines of a table that has not ended, in their order; none if there is none of that code."""
        return [bytes(line) for (line,) in self._all(_LINES, table)]

    def _all(self, query: str, table: str) -> list[Any]:
        try:
            rows: list[Any] = self._db.execute(query, (table,), binary=True).fetchall()
        except psycopg.Error as problem:
            raise self._failed(problem) from problem
        return rows

    def look(self, question: Callable[[PostgresResults], T]) -> T:
        """Ask for results and ratings, all as they stand at one moment; raises JournalFailed."""
        with self._reading():
            self._check_schema()
            with transaction(self._db):
                self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                return question(PostgresResults(self._db))

    def _check_schema(self) -> None:
        """Raise JournalFailed for a journal that no daemon of today has opened yet."""
        if ask(self._db, "SELECT schema FROM house") < SCHEMA:
            raise JournalFailed(
                f"the journal {shown(self._where)} is of an older Parlour: start the daemon once, which brings"
                " it up to date"
            )

    @property
    def age(self) -> float:
        """How many seconds the house had lived at its last sign of life that was kept; raises JournalFailed."""
        with self._reading():
            self._check_schema()
            return float(ask(self._db, AGE))

    @contextmanager
    def _reading(self, done: str = "read") -> Iterator[None]:
        """Turn what goes wrong with the engine into JournalFailed; ``done`` is what was to be done."""
        try:
            yield
        except psycopg.Error as problem:
            raise self._failed(problem, done) from problem

    def examine(self) -> Health:
        """Look how the journal is, and which daemons are at it; raises JournalFailed."""
        with self._reading():
            return examine(self._db)

    def drain(self, run: int, seconds: float) -> bool:
        """Ask a run to end, and to wait for its players for so long; says whether it lives."""
        with self._reading("written"):
            self._check_schema()
            with transaction(self._db):
                self._db.execute("SET TRANSACTION READ WRITE")
                return self._db.execute(_DRAIN, (seconds, run)).rowcount > 0

    def bring_back(self, table: str) -> bool:
        """Have a table that is set aside replayed again; False if there is none of that code."""
        with self._reading("written"):
            self._check_schema()
            with transaction(self._db):
                self._db.execute("SET TRANSACTION READ WRITE")
                return bring_back(self._db, table)

    def copy_to(self, path: str) -> None:
        """Raise JournalFailed: a database is copied by PostgreSQL's own program, which is named."""
        raise JournalFailed(
            f"the journal {shown(self._where)} is a database: copy it with pg_dump, also while the daemon runs"
            f" (pg_dump --format=custom --file={path} and the URL)"
        )

    def _failed(self, problem: psycopg.Error, done: str = "read") -> JournalFailed:
        if isinstance(problem, psycopg.errors.UndefinedTable):
            return JournalFailed(f"no daemon has kept a journal in {shown(self._where)}")
        reason = " ".join(str(problem).split())
        return JournalFailed(f"the journal {shown(self._where)} cannot be {done}: {reason}")

    def close(self) -> None:
        """Let go of the journal."""
        self._db.close()
