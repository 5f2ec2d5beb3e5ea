"""Results, ratings and the ladder's watermark in a SQLite journal: every statement on their tables.

============  ==========================================================================
``results``   each game that has ended, with why it is not rated, if it is not
``played``    by which names and accounts a result is found
``ratings``   what each account is rated in each pool
``met``       which accounts have met in rated games of a pool
``ladder``    one row: the last result that is in the ratings, and by which formula
============  ==========================================================================
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from protocols.journal.results import (
    Due,
    Key,
    Meeting,
    Rated,
    RatingRow,
    ResultRow,
    Written,
    latest,
)

_RESULT = (
    "INSERT OR IGNORE INTO results (game, code, number, kind, pool, ended, why, hidden, seats, age)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_HISTORY = (
    "SELECT id, code, kind, ended, why, seats FROM played JOIN results ON id = result"
    " WHERE who = ? AND played.hidden = ? ORDER BY result DESC LIMIT ?"
)
_LATEST = "SELECT id, code, kind, ended, why, seats FROM results WHERE hidden <= ? ORDER BY id DESC LIMIT ?"
_RATING = "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?)"
_DUE = "SELECT id, pool, age, why IS NULL, seats FROM results WHERE id > ? ORDER BY id LIMIT ?"


class SqliteResults:
    """The results in a connection; whoever has it sees to the transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

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

    # -- the fold ---------------------------------------------------------------------

    def watermark(self) -> tuple[int, str]:
        """Give the watermark, and the formula by which the ratings were made."""
        upto, formula = self._db.execute("SELECT upto, formula FROM ladder").fetchone()
        return upto, formula

    def due(self, upto: int, most: int) -> Sequence[Due]:
        """List the results behind a watermark, in their order."""
        rows = self._db.execute(_DUE, (upto, most))
        return [Due(id, pool, age, bool(rated), seats) for id, pool, age, rated, seats in rows]

    @property
    def unrated(self) -> bool:
        """Whether there are results behind the watermark."""
        return bool(self.due(self.watermark()[0], 1))

    def load(self, keys: Iterable[Key]) -> Mapping[Key, Rated]:
        """Give those of these ratings that there are."""
        asked = "SELECT mu, sigma, games, last FROM ratings WHERE pool = ? AND account = ?"
        found = {key: self._db.execute(asked, key).fetchone() for key in keys}
        return {key: row for key, row in found.items() if row is not None}

    def save(self, ratings: Mapping[Key, Rated], met: Iterable[Meeting], upto: int) -> None:
        """Write ratings, who has met whom, and the watermark."""
        rows = [(*key, *rated) for key, rated in ratings.items()]
        self._db.executemany(_RATING, rows)
        self._db.executemany("INSERT OR IGNORE INTO met VALUES (?, ?, ?)", met)
        self._db.execute("UPDATE ladder SET upto = ?", (upto,))

    def clear(self, formula: str) -> None:
        """Forget all ratings: they are made anew, by a formula."""
        self._db.execute("DELETE FROM ratings")
        self._db.execute("DELETE FROM met")
        self._db.execute("UPDATE ladder SET upto = 0, formula = ?", (formula,))

    # -- questions --------------------------------------------------------------------

    def history(self, who: Sequence[str], most: int, hidden: bool) -> Sequence[ResultRow]:
        """List the latest games of some names or accounts, of all if there are none; ``hidden`` ones too."""
        if who:
            asked = [(each, also, most) for each in who for also in range(1 + hidden)]
            rows = [row for each in asked for row in self._db.execute(_HISTORY, each)]
        else:
            rows = self._db.execute(_LATEST, (hidden, most)).fetchall()
        return latest(rows, most)

    def ratings(self, account: str) -> Sequence[RatingRow]:
        """List what an account is rated, by pool."""
        asked = (
            "SELECT pool, account, mu, sigma, games FROM ratings WHERE account = ? ORDER BY pool"
        )
        return [RatingRow(*row) for row in self._db.execute(asked, (account,))]

    def top(self, pool: str, who: str, age: float, most: int) -> Sequence[RatingRow]:
        """List the best of a pool in a house of this age."""
        from protocols.journal.ladder import (
            best,
        )  # with the games' own rooms, which a writer starts without

        return best(self.all_ratings(pool), self._opponents, pool, who, age, most)

    def all_ratings(self, pool: str | None = None) -> Mapping[Key, Rated]:
        """Give every rating, or those of one pool."""
        asked = "SELECT pool, account, mu, sigma, games, last FROM ratings WHERE ?1 IS NULL OR pool = ?1"
        rows = self._db.execute(asked, (pool,))
        return {(row[0], row[1]): row[2:] for row in rows}

    def all_met(self) -> set[Meeting]:
        """Give all who have met."""
        return set(self._db.execute("SELECT pool, account, other FROM met"))

    def _opponents(self, key: Key) -> int:
        asked = "SELECT count(*) FROM met WHERE pool = ? AND account = ?"
        count: int = self._db.execute(asked, key).fetchone()[0]
        return count
