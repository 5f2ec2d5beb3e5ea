"""A batch of a PostgreSQL journal: one statement, and so all or nothing, with no lock that outlasts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

from protocols.journal.errors import JournalLost
from protocols.journal.interface import Note, Row
from protocols.journal.postgres.prepared import (
    PreparingConnection,
    Statement,
    blobs,
    numbers,
    texts,
    truths,
)
from protocols.journal.postgres.results import PUT, written_columns
from protocols.journal.postgres.runs import OURS
from protocols.journal.results import Written

_MINE = f"WITH mine AS MATERIALIZED ({OURS})"
_COUNT = "SELECT count(*) FROM mine"
_PUT = """
put AS (
    INSERT INTO records (code, sequence, at, wall, run, line, asked)
    SELECT each.code, each.sequence, each.at, each.wall, mine.run, each.line, nullif(each.asked, '') FROM mine,
        unnest(%(codes)s::text[], %(sequences)s::int[], %(ats)s::float8[], %(walls)s::float8[], %(lines)b::bytea[],
            %(asked)s::text[])
        AS each (code, sequence, at, wall, line, asked)
)
"""
_INDEX = """
noted AS (
    INSERT INTO tables (code, kind, stage, bot, run, began, rested, card, owner, changed)
    SELECT note.code, note.kind, note.stage, note.bot, mine.run, note.began, note.rested, note.card,
        CASE WHEN note.began IS NOT NULL THEN mine.run END, pg_current_xact_id() FROM mine,
        unnest(%(noted)s::text[], %(kinds)s::text[], %(stages)s::text[], %(bots)s::bool[], %(began)s::float8[],
            %(rested)s::float8[], %(cards)s::text[])
        AS note (code, kind, stage, bot, began, rested, card)
    ON CONFLICT (code) DO UPDATE SET kind = excluded.kind, stage = excluded.stage, bot = excluded.bot,
        run = excluded.run, began = excluded.began, rested = excluded.rested, card = excluded.card,
        owner = excluded.owner, deaths = 0, changed = CASE WHEN (tables.stage, tables.card, tables.owner)
            IS DISTINCT FROM (excluded.stage, excluded.card, excluded.owner)
            THEN excluded.changed ELSE tables.changed END
),
released AS (
    UPDATE tables SET began = NULL, rested = %(age)s, owner = NULL, run = mine.run, changed = pg_current_xact_id()
    FROM mine WHERE code = ANY (%(released)s::text[]) AND owner = mine.run
),
opened AS (
    DELETE FROM codes USING mine WHERE code = ANY (%(opened)s::text[])
)
"""
_MOVES = Statement(f"{_MINE}, {_PUT} {_COUNT}")  # most batches have nothing else
_KEEP = Statement(f"{_MINE}, {_PUT}, {_INDEX} {_COUNT}")
_KEEP_ENDED = Statement(f"{_MINE}, {_PUT}, {_INDEX}, {PUT} {_COUNT}")


def put(
    db: PreparingConnection,
    me: Mapping[str, Any],
    age: float,
    rows: Sequence[Row],
    notes: Mapping[str, Note],
    released: Sequence[str],
    results: Sequence[Written],
) -> bool:
    """Commit records, notes, releases and results, and say whether our run may write.

    Raises JournalLost if another record is where one of ours was to be.
    """
    values = {name: str(value).encode() for name, value in me.items()} | _columns(rows)
    statement = _MOVES
    opened = [row[0] for row in rows if row[1] == 0]
    if opened or notes or released or results:
        statement = _KEEP_ENDED if results else _KEEP
        values |= _index_columns(age, opened, notes, released) | written_columns(results)
    try:
        kept = db.run(statement, values)
    except psycopg.errors.UniqueViolation:
        raise JournalLost("another record is where one of ours was to be") from None
    return kept not in (None, b"0")


def _columns(rows: Sequence[Row]) -> dict[str, bytes]:
    """Turn records into columns."""
    return {
        "codes": texts([row[0] for row in rows]),
        "sequences": numbers([row[1] for row in rows]),
        "ats": numbers([row[2] for row in rows]),
        "walls": numbers([row[3] for row in rows]),
        "lines": blobs([row[4] for row in rows]),
        "asked": texts([row[5] for row in rows]),
    }


def _index_columns(
    age: float, opened: Sequence[str], notes: Mapping[str, Note], released: Sequence[str]
) -> dict[str, bytes]:
    """Turn what the index is to say into columns; what is released of what is noted, at once."""
    noted = notes.values()
    return {
        "age": repr(age).encode(),
        "opened": texts(opened),
        "noted": texts(notes),
        "kinds": texts([note[0] for note in noted]),
        "stages": texts([note[1] for note in noted]),
        "bots": truths([note[2] for note in noted]),
        "began": numbers([None if code in released else note[3] for code, note in notes.items()]),
        "rested": numbers([age if code in released else None for code in notes]),
        "cards": texts([note[4] for note in noted]),
        "released": texts([code for code in released if code not in notes]),
    }
