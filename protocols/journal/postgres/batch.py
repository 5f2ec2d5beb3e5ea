"""A batch of a PostgreSQL journal: one statement, and so all or nothing, with no lock that outlasts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
from psycopg import Connection

from protocols.journal.errors import JournalLost
from protocols.journal.interface import Note, Row
from protocols.journal.postgres.results import PUT, columns
from protocols.journal.postgres.runs import OURS
from protocols.journal.results import Written

_COUNT = "SELECT count(*) FROM mine"
_KEEP = f"""
WITH mine AS MATERIALIZED ({OURS}),
put AS (
    INSERT INTO records (code, sequence, at, wall, run, line)
    SELECT each.code, each.sequence, each.at, each.wall, mine.run, each.line FROM mine,
        unnest(%(codes)s::text[], %(sequences)s::int[], %(ats)s::float8[], %(walls)s::float8[], %(lines)b::bytea[])
        AS each (code, sequence, at, wall, line)
),
noted AS (
    INSERT INTO tables (code, kind, stage, bot, run, began, rested, card, owner, changed)
    SELECT note.code, note.kind, note.stage, note.bot, mine.run, note.began, note.rested, note.card,
        CASE WHEN note.began IS NOT NULL THEN mine.run END, pg_current_xact_id() FROM mine,
        unnest(%(noted)s::text[], %(kinds)s::text[], %(stages)s::text[], %(bots)s::bool[], %(began)s::float8[],
            %(rested)s::float8[], %(cards)s::text[])
        AS note (code, kind, stage, bot, began, rested, card)
    ON CONFLICT (code) DO UPDATE SET kind = excluded.kind, stage = excluded.stage, bot = excluded.bot,
        run = excluded.run, began = excluded.began, rested = excluded.rested, card = excluded.card,
        owner = excluded.owner, changed = CASE WHEN (tables.stage, tables.card, tables.owner)
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
{_COUNT}
"""
_KEEP_ENDED = _KEEP.replace(_COUNT, f", {PUT} {_COUNT}")  # with results, which few batches have


def put(
    db: Connection[Any],
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
    values = {**me, "age": age, **_columns(rows), **_note_columns(notes)}
    values["rested"] = [age if code in released else None for code in notes]
    values["began"] = [None if code in released else float(note[3]) for code, note in notes.items()]
    values["released"] = [code for code in released if code not in notes]
    try:
        if results:
            kept = db.execute(_KEEP_ENDED, {**values, **columns(results)}).fetchone()
        else:
            kept = db.execute(_KEEP, values, prepare=True).fetchone()
    except psycopg.errors.UniqueViolation:
        raise JournalLost("another record is where one of ours was to be") from None
    return bool(kept and kept[0])


def _columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Turn records into columns."""
    return {
        "codes": [row[0] for row in rows],
        "sequences": [row[1] for row in rows],
        "ats": [float(row[2]) for row in rows],
        "walls": [float(row[3]) for row in rows],
        "lines": [row[4] for row in rows],
        "opened": [row[0] for row in rows if row[1] == 0],
    }


def _note_columns(notes: Mapping[str, Note]) -> dict[str, list[Any]]:
    """Turn notes into columns, but for what a release changes of them."""
    return {
        "noted": list(notes),
        "kinds": [note[0] for note in notes.values()],
        "stages": [note[1] for note in notes.values()],
        "bots": [note[2] for note in notes.values()],
        "cards": [note[4] for note in notes.values()],
    }
