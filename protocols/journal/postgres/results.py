"""Results, ratings and the ladder's watermark in a PostgreSQL journal; its tables are those of the SQLite one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg import Connection

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

# How results are put, after a WITH: behind ``mine``, which has a row if the journal is ours.
PUT = """
ended AS (
    INSERT INTO results (game, code, number, kind, pool, ended, why, hidden, seats, age)
    SELECT each.*, %(age)s FROM mine, unnest(%(result_games)s::text[], %(result_codes)s::text[],
        %(result_numbers)s::int[], %(result_kinds)s::text[], %(result_pools)s::text[], %(result_ends)s::float8[],
        %(result_whys)s::text[], %(result_hidden)s::bool[], %(result_seats)s::text[]) AS each
    ON CONFLICT (game) DO NOTHING RETURNING id, game, hidden
),
found AS (
    INSERT INTO played SELECT each.who, ended.hidden, ended.id
    FROM unnest(%(played_who)s::text[], %(played_games)s::text[]) AS each (who, game) JOIN ended USING (game)
)
"""
_HISTORY = """
SELECT id, code, kind, ended, why, seats FROM played JOIN results ON id = result
WHERE who = %s AND played.hidden = %s ORDER BY result DESC LIMIT %s
"""
_LATEST = """
SELECT id, code, kind, ended, why, seats FROM results WHERE NOT hidden OR %s ORDER BY id DESC LIMIT %s
"""
_RATING = """
INSERT INTO ratings
SELECT * FROM unnest(%s::text[], %s::text[], %s::float8[], %s::float8[], %s::int[], %s::float8[])
ON CONFLICT (pool, account) DO UPDATE
SET mu = excluded.mu, sigma = excluded.sigma, games = excluded.games, last = excluded.last
"""
_MET = """
INSERT INTO met SELECT * FROM unnest(%s::text[], %s::text[], %s::text[]) ON CONFLICT DO NOTHING
"""
_DUE = "SELECT id, pool, age, why IS NULL, seats FROM results WHERE id > %s ORDER BY id LIMIT %s"
_RATINGS = "SELECT pool, account, mu, sigma, games, last FROM ratings"
_NAMES = ("games", "codes", "numbers", "kinds", "pools", "ends", "whys", "hidden", "seats")


def columns(results: Sequence[Written]) -> dict[str, list[Any]]:
    """Turn results into columns."""
    values: dict[str, list[Any]] = {
        f"result_{name}": [each[index] for each in results] for index, name in enumerate(_NAMES)
    }
    played = [(who, each[0]) for each in results for who in each[-1]]
    return {
        **values,
        "played_who": [who for who, _ in played],
        "played_games": [game for _, game in played],
    }


class PostgresResults:
    """The results in a connection; whoever has it sees to the transactions."""

    def __init__(self, db: Connection[Any]) -> None:
        self._db = db

    # -- the fold ---------------------------------------------------------------------

    def watermark(self) -> tuple[int, str]:
        """Give the watermark, and the formula by which the ratings were made."""
        upto, formula = self._db.execute("SELECT upto, formula FROM ladder").fetchone() or (0, "")
        return upto, formula

    def due(self, upto: int, most: int) -> Sequence[Due]:
        """List the results behind a watermark, in their order."""
        return [Due(*row) for row in self._db.execute(_DUE, (upto, most))]

    @property
    def unrated(self) -> bool:
        """Whether there are results behind the watermark."""
        return bool(self.due(self.watermark()[0], 1))

    def load(self, keys: Iterable[Key]) -> Mapping[Key, Rated]:
        """Give those of these ratings that there are."""
        pools, accounts = _turned(keys, 2)
        asked = f"{_RATINGS} JOIN unnest(%s::text[], %s::text[]) AS each (pool, account) USING (pool, account)"
        rows = self._db.execute(asked, (pools, accounts))
        return {(row[0], row[1]): row[2:] for row in rows}

    def save(self, ratings: Mapping[Key, Rated], met: Iterable[Meeting], upto: int) -> None:
        """Write ratings, who has met whom, and the watermark."""
        self._db.execute(_RATING, _turned([(*key, *each) for key, each in ratings.items()], 6))
        self._db.execute(_MET, _turned(met, 3))
        self._db.execute("UPDATE ladder SET upto = %s", (upto,))

    def clear(self, formula: str) -> None:
        """Forget all ratings: they are made anew, by a formula."""
        self._db.execute("DELETE FROM ratings")
        self._db.execute("DELETE FROM met")
        self._db.execute("UPDATE ladder SET upto = 0, formula = %s", (formula,))

    # -- questions --------------------------------------------------------------------

    def history(self, who: Sequence[str], most: int, hidden: bool) -> Sequence[ResultRow]:
        """List the latest games of some names or accounts, of all if there are none; ``hidden`` ones too."""
        if who:
            asked = [(each, bool(also), most) for each in who for also in range(1 + hidden)]
            rows = [row for each in asked for row in self._db.execute(_HISTORY, each)]
        else:
            rows = self._db.execute(_LATEST, (hidden, most)).fetchall()
        return latest(rows, most)

    def ratings(self, account: str) -> Sequence[RatingRow]:
        """List what an account is rated, by pool."""
        asked = (
            "SELECT pool, account, mu, sigma, games FROM ratings WHERE account = %s ORDER BY pool"
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
        rows = self._db.execute(f"{_RATINGS} WHERE %s::text IS NULL OR pool = %s", (pool, pool))
        return {(row[0], row[1]): row[2:] for row in rows}

    def all_met(self) -> set[Meeting]:
        """Give all who have met."""
        return set(self._db.execute("SELECT pool, account, other FROM met").fetchall())

    def _opponents(self, key: Key) -> int:
        asked = "SELECT count(*) FROM met WHERE pool = %s AND account = %s"
        row = self._db.execute(asked, key).fetchone() or (0,)
        return int(row[0])


def _turned(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    """Turn rows into columns."""
    listed = list(rows)
    return [[row[index] for row in listed] for index in range(width)]
