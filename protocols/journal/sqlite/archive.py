"""A SQLite journal as one sees it who only looks up what has ended; the daemon may be writing it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from protocols.journal.errors import JournalFailed
from protocols.journal.health import Health, RunHealth
from protocols.journal.sqlite.file import connect
from protocols.journal.sqlite.lock import holder
from protocols.journal.sqlite.results import SqliteResults
from protocols.journal.sqlite.schema import SCHEMA
from protocols.journal.sqlite.tables import bring_back, list_set_aside

T = TypeVar("T")

_FINISHED = "SELECT CAST(record AS BLOB) FROM finished WHERE code = ? ORDER BY id DESC LIMIT 1"
_COUNT_FINISHED = "SELECT count(*) FROM finished"
_AWAKE = "SELECT count(*) FROM tables JOIN meta USING (run) WHERE began IS NOT NULL"
_DRAINING = "SELECT draining FROM runs JOIN meta USING (run)"
_LINES = (
    "SELECT CAST(line AS BLOB), places.sequence FROM places JOIN records ON id = record"
    " WHERE places.code = ?1 UNION ALL"
    " SELECT CAST(line AS BLOB), sequence FROM records"
    " WHERE id > (SELECT filed FROM meta) AND code = ?1 ORDER BY 2"
)


class SqliteArchive:
    """The finished games in a journal of SQLite, which is only read; raises JournalFailed."""

    def __init__(self, path: str) -> None:
        self._path = path
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        try:
            self._db = sqlite3.connect(uri, uri=True)
        except sqlite3.Error as problem:
            raise self._failed(problem) from problem

    def read(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that has ended; None if there is none."""
        rows = self._all(_FINISHED, table)
        return rows[0][0] if rows else None

    def lines(self, table: str) -> Sequence[bytes]:
        """Read the lines of a table that has not ended, in their order; none if there is none of that code."""
        return [line for line, _ in self._all(_LINES, table)]

    def _all(self, query: str, table: str) -> list[Any]:
        try:
            return self._db.execute(query, (table,)).fetchall()
        except sqlite3.Error as problem:
            raise self._failed(problem) from problem

    def _one(self, question: str) -> Any:
        return self._db.execute(question).fetchone()[0]

    def look(self, question: Callable[[SqliteResults], T]) -> T:
        """Ask for results and ratings, all as they stand at one moment; raises JournalFailed."""
        with self._reading():
            self._check_schema()
            self._db.execute("BEGIN")
            try:
                return question(SqliteResults(self._db))
            finally:
                self._db.execute("COMMIT")

    def _check_schema(self) -> None:
        """Raise JournalFailed for a journal that no daemon of today has opened yet."""
        if self._db.execute("PRAGMA user_version").fetchone()[0] < SCHEMA:
            raise JournalFailed(
                f"the journal {self._path} is of an older Parlour: start the daemon once, which brings it"
                " up to date"
            )

    @property
    def age(self) -> float:
        """How many seconds the house had lived at its last sign of life that was kept; raises JournalFailed."""
        with self._reading():
            return self._db.execute("SELECT max(age) FROM runs").fetchone()[0] or 0.0

    def examine(self) -> Health:
        """Look how the journal is, and whether a daemon is at it; raises JournalFailed."""
        with self._reading():
            live, schema = (
                self._one("SELECT count(*) FROM tables"),
                self._one("PRAGMA user_version"),
            )
            run, finished = self._one("SELECT run FROM meta"), self._one(_COUNT_FINISHED)
            draining = None if schema < SCHEMA else self._one(_DRAINING)
            aside = [] if schema < SCHEMA else list_set_aside(self._db)
            process = self._holder()
            awake = 0 if process is None else self._one(_AWAKE)
        age = self.age
        runs = (
            []
            if process is None
            else [RunHealth(run, f"process {process}", awake, None, True, draining)]
        )
        return Health(schema, SCHEMA, age, awake, live - awake, finished, runs, set_aside=aside)

    def drain(self, run: int, seconds: float) -> bool:
        """Ask a run to end, and to wait for its players for so long; says whether it lives."""
        with self._reading("written"):
            self._check_schema()
            with closing(connect(self._path)) as db:
                asked = db.execute("UPDATE runs SET draining = ? WHERE run = ?", (seconds, run))
                return asked.rowcount > 0 and self._holder() is not None

    def _holder(self) -> int | None:
        """Say which process has the journal; raises JournalFailed where this user may not know."""
        try:
            return holder(self._path)
        except OSError as problem:
            raise JournalFailed(
                f"which daemon is at the journal cannot be read: {self._path}.lock: {problem.strerror}"
            ) from problem

    def bring_back(self, table: str) -> bool:
        """Have a table that is set aside replayed again; False if there is none of that code."""
        with self._reading("written"):
            self._check_schema()
            with closing(connect(self._path)) as db:
                return bring_back(db, table)

    @contextmanager
    def _reading(self, done: str = "read") -> Iterator[None]:
        """Turn what goes wrong with the engine into JournalFailed; ``done`` is what was to be done."""
        try:
            yield
        except sqlite3.Error as problem:
            raise self._failed(problem, done) from problem

    def copy_to(self, path: str) -> None:
        """Copy the whole journal, as it stands at one moment, to a path, in the place of what is there.

        The daemon goes on writing meanwhile. Raises JournalFailed, also for the journal's own path.
        """
        if os.path.exists(path) and os.path.samefile(path, self._path):
            raise JournalFailed(f"{path} is the journal itself")
        begun = f"{path}.part"
        try:
            os.close(os.open(begun, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            with closing(sqlite3.connect(begun)) as copy:
                self._db.backup(copy)
            os.replace(begun, path)
        except (OSError, sqlite3.Error) as problem:
            reason = getattr(problem, "strerror", None) or problem
            raise JournalFailed(f"{path} cannot be written: {reason}") from problem

    def _failed(self, problem: sqlite3.Error, done: str = "read") -> JournalFailed:
        if str(problem).startswith("no such table"):
            return JournalFailed(f"no daemon has kept a journal in {self._path}")
        reason = self._objection(problem, os.W_OK if done == "written" else os.R_OK) or problem
        return JournalFailed(f"the journal {self._path} cannot be {done}: {reason}")

    def _objection(self, problem: sqlite3.Error, wanted: int) -> str | None:
        """Say what stands in the way of this user, where the engine says no more than that something does."""
        if os.path.isdir(self._path):
            return "it is a folder"
        if not os.access(self._path, wanted, effective_ids=True):
            return os.strerror(errno.EACCES)
        folder = os.path.dirname(os.path.abspath(self._path))
        writes = os.access(folder, os.W_OK, effective_ids=True)
        if str(problem).startswith("unable to open") and not writes:  # the files beside it
            return f"this user may not write in the folder {folder}"
        return None

    def close(self) -> None:
        """Let go of the journal."""
        self._db.close()
