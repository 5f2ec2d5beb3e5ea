"""The signs of life of the runs in PostgreSQL: when each was last, and for how long it may be believed to live.

They have a table of their own, narrow and read by its key alone. For each of them leaves a dead row behind, which
an old snapshot, as of a dump, keeps for as long as that lasts, and whoever reads comes past all that are dead. So a
run writes over one row for a minute only, and goes on in the next: the latest is found first, by its number, behind
no more than a minute's worth of dead ones, however old a snapshot is.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

ROW_BEATS = 60  # signs of life that a row is written over by

_WRITE = """
INSERT INTO beats (run, number, lived, age, lease)
SELECT mine.run, %(number)s, %(lived)s::float8, %(age)s, clock_timestamp() + %(lease)s * interval '1 s' FROM mine
ON CONFLICT (run, number) DO UPDATE SET lived = excluded.lived, age = excluded.age, lease = excluded.lease
"""
_CLEAR = "DELETE FROM beats USING mine WHERE beats.run = mine.run AND number < %(number)s"
_RENEW = """
UPDATE beats SET lease = clock_timestamp() + %s * interval '1 s' WHERE run = %s AND number = %s
"""
AGE = "SELECT coalesce(max(age), 0) FROM beats"


def latest(run: str) -> str:
    """Give what joins the latest sign of life of a run, by the name of a column, to the row that this is in."""
    return f"LATERAL (SELECT lived, age, lease FROM beats WHERE beats.run = {run} ORDER BY number DESC LIMIT 1)"


class Beats:
    """The signs of life of our run."""

    def __init__(self, ours: str) -> None:
        """``ours`` is a query, of ``run`` and ``key``, that gives our run as long as that lives."""
        mine = f"WITH mine AS MATERIALIZED ({ours})"
        self._in_place = f"{mine} {_WRITE}"
        self._in_next_row = f"{mine}, cleared AS ({_CLEAR}) {_WRITE}"
        self._count = 0

    def write(
        self, db: Connection[Any], me: dict[str, Any], lived: float | None, age: float, lease: float
    ) -> bool:
        """Write a sign of life, for which our run is believed for so many seconds; says whether it lives."""
        number, place = divmod(self._count, ROW_BEATS)
        statement = self._in_place if place else self._in_next_row
        values = {**me, "number": number, "lived": lived, "age": age, "lease": lease}
        written = db.execute(statement, values).rowcount
        self._count += 1
        return written > 0

    def renew(self, db: Connection[Any], run: int, lease: float) -> None:
        """Let our run be believed for so many seconds from now on, by its latest sign of life."""
        db.execute(_RENEW, (lease, run, (self._count - 1) // ROW_BEATS))
