"""A SQLite journal as one sees it who only looks up what has ended; the daemon may be writing it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from protocols.journal.errors import JournalFailed

_FINISHED = "SELECT record FROM finished WHERE code = ? ORDER BY id DESC LIMIT 1"
_LIVE = (
    "SELECT 1 FROM places WHERE code = ?1 UNION ALL"
    " SELECT 1 FROM records WHERE id > (SELECT filed FROM meta) AND code = ?1 LIMIT 1"
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
        row = self._first(_FINISHED, table)
        return None if row is None else row[0]

    def is_live(self, table: str) -> bool:
        """Say whether there is a record of a table that has not ended."""
        return self._first(_LIVE, table) is not None

    def _first(self, query: str, table: str) -> Any:
        try:
            return self._db.execute(query, (table,)).fetchone()
        except sqlite3.Error as problem:
            raise self._failed(problem) from problem

    def _failed(self, problem: sqlite3.Error) -> JournalFailed:
        return JournalFailed(f"the journal {self._path} cannot be read: {problem}")

    def close(self) -> None:
        """Let go of the journal."""
        self._db.close()
