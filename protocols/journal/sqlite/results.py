"""How results and ratings are put into a SQLite journal: row by row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protocols.journal.results import Key, Meeting, Rated, Written
from protocols.journal.sql_results import RATINGS, SqlResults, by_key

_RESULT = (
    "INSERT OR IGNORE INTO results (game, code, number, kind, pool, ended, why, hidden, seats, age)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_RATING = "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)"


class SqliteResults(SqlResults):
    """The results in a connection; whoever has it sees to the transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    def do(self, sql: str, values: Sequence[Any] = ()) -> None:
        self._db.execute(sql, values)

    def put(self, results: Iterable[Written], age: float) -> int:
        """Write results of a house of this age, but for those that are there, and give how many."""
        count = 0
        for *values, who in results:
            done = self._db.execute(_RESULT, (*values, age))
            if done.rowcount > 0:
                count += 1
                rows = [(each, values[7], done.lastrowid) for each in who]
                self._db.executemany("INSERT INTO played VALUES (?, ?, ?)", rows)
        return count

    def load(self, keys: Iterable[Key]) -> Mapping[Key, Rated]:
        """Give those of these ratings that there are."""
        asked = f"{RATINGS} WHERE pool = ? AND account = ?"
        return by_key([row for key in keys for row in self.ask(asked, key)])

    def save(self, ratings: Mapping[Key, Rated], met: Iterable[Meeting], upto: int) -> None:
        """Write ratings, who has met whom, and the watermark."""
        rows = [(*key, *rated) for key, rated in ratings.items()]
        self._db.executemany(_RATING, rows)
        self._db.executemany("INSERT OR IGNORE INTO met VALUES (?, ?, ?)", met)
        self.move_watermark(upto)
