"""Which run has a table awake, and what others have changed, in a PostgreSQL journal with several live runs.

A table belongs to the run in ``tables.owner`` as long as that run lives; one that rests belongs to nobody, and
becomes that run's which claims it, unless it has a living heir, whose it is then (see ``house``).
``tables.changed`` is the transaction by which others were last to hear of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from psycopg import Connection

from protocols.journal.interface import MOST_ROWS, RETIRED, SOMEBODY, Claimed, IndexRow
from protocols.journal.postgres.beats import latest
from protocols.journal.postgres.connection import ask
from protocols.journal.postgres.runs import OURS

_COLUMNS = """
code, kind, stage, bot, greatest(0, coalesce(awake.lived - began, 0)) AS lasted,
coalesce(rested, awake.age, 0) AS since, card, coalesce(owners.run, heirs.run, 0) AS whose,
CASE WHEN began IS NOT NULL THEN deaths END AS died
"""
_AWAKE = f"LEFT JOIN {latest('tables.run')} AS awake ON true"
_FROM = f"""
FROM tables {_AWAKE}
LEFT JOIN runs AS owners ON owners.run = owner AND NOT owners.dead
LEFT JOIN runs AS heirs ON heirs.run = heir AND NOT heirs.dead
"""
_ROWS = f"SELECT {_COLUMNS} {_FROM}"
_INDEX = f"{_ROWS} WHERE code > %s ORDER BY code LIMIT %s"
_ONE = f"{_ROWS} WHERE code = %s"
_OF_RUNS = f"{_ROWS} WHERE owner = ANY (%s) OR (tables.run = ANY (%s) AND began IS NOT NULL)"
# A transaction that is open for long, be it another program's, makes no news of all that was changed since then.
_IS_NEWS = """
changed >= pg_snapshot_xmin(%(seen)s::pg_snapshot) AND NOT pg_visible_in_snapshot(changed, %(seen)s::pg_snapshot)
"""
_CHANGED = f"""
SELECT code, kind, stage, bot, lasted, since, card, whose, died FROM (
    SELECT {_COLUMNS}, changed {_FROM} WHERE {_IS_NEWS} AND tables.run <> %(run)s
    UNION ALL
    SELECT code, '', '{RETIRED}', false, 0, 0, NULL, 0, NULL, changed FROM retired
    WHERE {_IS_NEWS} AND run <> %(run)s
) AS news ORDER BY changed
"""
_NOBODYS = "(owner IS NULL OR NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = owner AND NOT dead))"
_NO_OTHERS = f"""({_NOBODYS} AND (heir IS NULL OR heir = %(run)s
    OR NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = heir AND NOT dead)))"""
_CLAIM = f"""
WITH mine AS MATERIALIZED ({OURS})
UPDATE tables SET owner = mine.run, heir = nullif(heir, mine.run) FROM mine WHERE code = (
    SELECT code FROM tables WHERE code = %(code)s AND (owner = %(run)s OR {_NO_OTHERS}) FOR UPDATE SKIP LOCKED
)
"""
# Whoever was the first to follow a table stays its heir.
_INHERIT = """
UPDATE tables SET heir = %(run)s WHERE code = %(code)s AND owner IS DISTINCT FROM %(run)s
    AND (heir IS NULL OR NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = heir AND NOT dead))
"""
_DISINHERIT = "UPDATE tables SET heir = NULL WHERE code = %s AND heir = %s"
_GIVE_BACK = "UPDATE tables SET owner = NULL WHERE code = %s AND owner = %s"
_MAY_RETIRE = f"""
SELECT owner = %(run)s OR ({_NO_OTHERS} AND (%(before)s::float8 IS NULL OR coalesce(rested, age, 0) < %(before)s))
FROM tables {_AWAKE} WHERE code = %(code)s
"""
_KNOWN = "SELECT 1 FROM tables WHERE code = %s"


def index(db: Connection[Any], after: str, most: int = MOST_ROWS) -> list[IndexRow]:
    """List the tables that have not been retired, some of them, by their codes, behind this one."""
    return [IndexRow(*row) for row in db.execute(_INDEX, (after, most))]


def claim(db: Connection[Any], me: dict[str, Any], code: str) -> Claimed:
    """Take a table that is nobody's, if it is, and say whose it is now.

    While another has its row locked nobody waits for that: it is SOMEBODY's then, and not nobody's.
    """
    db.execute(_CLAIM, {**me, "code": code})
    found = db.execute(_ONE, (code,)).fetchone()
    if found is None:
        return Claimed(0)
    row = IndexRow(*found)
    return Claimed(row.owner or SOMEBODY, row)


def give_back(db: Connection[Any], run: int, code: str) -> None:
    """Let go of a table at which nothing was done."""
    db.execute(_GIVE_BACK, (code, run))


def be_heir(db: Connection[Any], run: int, code: str) -> None:
    """Be the heir of a table that others have, if it has none that lives."""
    db.execute(_INHERIT, {"run": run, "code": code})


def be_heir_no_more(db: Connection[Any], run: int, code: str) -> None:
    """Be the heir of a table no more."""
    db.execute(_DISINHERIT, (code, run))


def changed(db: Connection[Any], run: int, seen: str, ended: Collection[int]) -> Sequence[IndexRow]:
    """List what other runs have changed behind a snapshot, and the tables of those that have ended."""
    rows = [IndexRow(*row) for row in db.execute(_CHANGED, {"seen": seen, "run": run})]
    if ended:
        left = list(ended)
        rows += [IndexRow(*row) for row in db.execute(_OF_RUNS, (left, left))]
    return rows


def forget_future(db: Connection[Any]) -> None:
    """Forget changes by transactions that are yet to come: those of the server that a copy was made of."""
    for table in ("tables", "retired"):
        db.execute(
            f"UPDATE {table} SET changed = '0' WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())"
        )


def take_to_retire(
    db: Connection[Any], me: dict[str, Any], code: str, before: float | None
) -> bool:
    """Lock a table to be retired, within a transaction, and say whether it may be.

    It may if it is ours, or nobody's, and rests since the house had an age ``before`` this one.
    """
    values = {**me, "code": code, "before": before}
    if ask(db, _KNOWN, (code,)) is None:
        return True
    return bool(ask(db, f"{_MAY_RETIRE} FOR UPDATE OF tables SKIP LOCKED", values))
