"""Results, ratings and the ladder's watermark in a journal of any SQL engine: what is asked of them.

============  ==========================================================================
``results``   each game that has ended, with why it is not rated, if it is not
``played``    by which names and accounts a result is found
``ratings``   what each account is rated in each pool
``met``       which accounts have met in rated games of a pool
``ladder``    one row: the last result that is in the ratings, and by which formula
============  ==========================================================================

How rows are put is each engine's own affair: one takes them one by one, another by columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protocols.journal.results import Due, Key, Meeting, Rated, RatingRow, ResultRow, latest

_HISTORY = (
    "SELECT id, code, kind, ended, why, seats FROM played JOIN results ON id = result"
    " WHERE who = ? AND played.hidden = ? ORDER BY result DESC LIMIT ?"
)
_LATEST = "SELECT id, code, kind, ended, why, seats FROM results {} ORDER BY id DESC LIMIT ?"
_DUE = "SELECT id, pool, age, why IS NULL, seats FROM results WHERE id > ? ORDER BY id LIMIT ?"
_OF_ACCOUNT = "SELECT pool, account, mu, sigma, games FROM ratings WHERE account = ? ORDER BY pool"
RATINGS = "SELECT pool, account, mu, sigma, games, last FROM ratings"


class SqlResults:
    """The results in a connection; whoever has it sees to the transactions."""

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Give the rows that a query finds, by values that stand for its ``?``."""
        raise NotImplementedError

    def do(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run a statement, by values that stand for its ``?``."""
        raise NotImplementedError

    # -- the fold ---------------------------------------------------------------------

    def watermark(self) -> tuple[int, str]:
        """Give the watermark, and the formula by which the ratings were made."""
        ((upto, formula),) = self.ask("SELECT upto, formula FROM ladder")
        return upto, formula

    def due(self, upto: int, most: int) -> Sequence[Due]:
        """List the results behind a watermark, in their order."""
        rows = self.ask(_DUE, (upto, most))
        return [Due(id, pool, age, bool(rated), seats) for id, pool, age, rated, seats in rows]

    @property
    def unrated(self) -> bool:
        """Whether there are results behind the watermark."""
        return bool(self.due(self.watermark()[0], 1))

    def move_watermark(self, upto: int) -> None:
        """Say up to which result the ratings are made."""
        self.do("UPDATE ladder SET upto = ?", (upto,))

    def clear(self, formula: str) -> None:
        """Forget all ratings: they are made anew, by a formula."""
        self.do("DELETE FROM ratings")
        self.do("DELETE FROM met")
        self.do("UPDATE ladder SET upto = 0, formula = ?", (formula,))

    # -- questions --------------------------------------------------------------------

    def history(self, who: Sequence[str], most: int, hidden: bool) -> Sequence[ResultRow]:
        """List the latest games of some names or accounts, of all if there are none; ``hidden`` ones too."""
        if who:
            asked = [(each, bool(also), most) for each in who for also in range(1 + hidden)]
            rows: Any = [row for each in asked for row in self.ask(_HISTORY, each)]
        else:
            rows = self.ask(_LATEST.format("" if hidden else "WHERE NOT hidden"), (most,))
        return latest(rows, most)

    def ratings(self, account: str) -> Sequence[RatingRow]:
        """List what an account is rated, by pool."""
        return [RatingRow(*row) for row in self.ask(_OF_ACCOUNT, (account,))]

    def top(self, pool: str, who: str, age: float, most: int) -> Sequence[RatingRow]:
        """List the best of a pool in a house of this age."""
        # With the games' own rooms, which a writer starts without.
        from protocols.journal.ladder import best

        return best(self.all_ratings(pool), self._opponents, pool, who, age, most)

    def all_ratings(self, pool: str | None = None) -> Mapping[Key, Rated]:
        """Give every rating, or those of one pool."""
        of_pool = self.ask(f"{RATINGS} WHERE pool = ?", (pool,)) if pool else self.ask(RATINGS)
        return by_key(of_pool)

    def all_met(self) -> set[Meeting]:
        """Give all who have met."""
        return {
            (pool, one, other)
            for pool, one, other in self.ask("SELECT pool, account, other FROM met")
        }

    def _opponents(self, key: Key) -> int:
        ((count,),) = self.ask("SELECT count(*) FROM met WHERE pool = ? AND account = ?", key)
        return int(count)


def by_key(rows: Sequence[tuple[Any, ...]]) -> Mapping[Key, Rated]:
    """Turn rows of ``ratings`` into ratings by their keys."""
    return {
        (pool, account): (mu, sigma, games, last) for pool, account, mu, sigma, games, last in rows
    }
