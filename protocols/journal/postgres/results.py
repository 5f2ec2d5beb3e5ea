"""How results and ratings are put into a PostgreSQL journal: by columns, many in one statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg import Connection

from protocols.journal.postgres.prepared import numbers, texts, truths
from protocols.journal.results import Key, Meeting, Rated, Written
from protocols.journal.sql_results import RATINGS, SqlResults, by_key

# How results are put, after a WITH: behind ``mine``, which has a row if the journal is ours. Those of several runs
# are committed in the order of their numbers, by which they are rated: whoever puts some waits for the others, for
# the time of one statement.
PUT = """
turn AS MATERIALIZED (
    SELECT pg_advisory_xact_lock((1349612141::bigint << 32) | 'results'::regclass::oid::bigint) FROM mine
),
ended AS (
    INSERT INTO results (game, code, number, kind, pool, ended, why, hidden, seats, age)
    SELECT each.*, %(age)s FROM turn, unnest(%(result_games)s::text[], %(result_codes)s::text[],
        %(result_numbers)s::int[], %(result_kinds)s::text[], %(result_pools)s::text[], %(result_ends)s::float8[],
        %(result_whys)s::text[], %(result_hidden)s::bool[], %(result_seats)s::text[]) AS each
    ON CONFLICT (game) DO NOTHING RETURNING id, game, hidden
),
found AS (
    INSERT INTO played SELECT each.who, ended.hidden, ended.id
    FROM unnest(%(played_who)s::text[], %(played_games)s::text[]) AS each (who, game) JOIN ended USING (game)
)
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


def written_columns(results: Sequence[Written]) -> dict[str, bytes]:
    """Turn results into columns as they are written for a statement that is prepared."""
    write = {"result_numbers": numbers, "result_ends": numbers, "result_hidden": truths}
    return {name: write.get(name, texts)(values) for name, values in columns(results).items()}


class PostgresResults(SqlResults):
    """The results in a connection; whoever has it sees to the transactions."""

    def __init__(self, db: Connection[Any]) -> None:
        self._db = db

    def ask(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._db.execute(sql.replace("?", "%s"), values).fetchall()

    def do(self, sql: str, values: Sequence[Any] = ()) -> None:
        self._db.execute(sql.replace("?", "%s"), values)

    def load(self, keys: Iterable[Key]) -> Mapping[Key, Rated]:
        """Give those of these ratings that there are."""
        asked = f"{RATINGS} JOIN unnest(?::text[], ?::text[]) AS each (pool, account) USING (pool, account)"
        return by_key(self.ask(asked, _turned(keys, 2)))

    def save(self, ratings: Mapping[Key, Rated], met: Iterable[Meeting], upto: int) -> None:
        """Write ratings, who has met whom, and the watermark."""
        self._db.execute(_RATING, _turned([(*key, *each) for key, each in ratings.items()], 6))
        self._db.execute(_MET, _turned(met, 3))
        self.move_watermark(upto)


def _turned(rows: Iterable[Sequence[Any]], width: int) -> list[list[Any]]:
    """Turn rows into columns."""
    listed = list(rows)
    return [[row[index] for row in listed] for index in range(width)]
