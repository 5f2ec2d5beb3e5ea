"""The index of live tables in the SQLite journal, what killed who replayed them, and the codes of those to come."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from protocols.journal.interface import MOST_ROWS, SET_ASIDE, IndexRow, Note

_INDEX = (
    "SELECT code, kind, stage, bot, max(0.0, coalesce(lived - began, 0.0)), coalesce(rested, age, 0.0),"
    " card, 0, CASE WHEN began IS NOT NULL THEN deaths END"
    " FROM tables LEFT JOIN runs USING (run) WHERE code > ? ORDER BY code LIMIT ?"
)
_NOTE = (
    "INSERT INTO tables (code, kind, stage, bot, began, card, run) VALUES (?, ?, ?, ?, ?, ?, %d)"
    " ON CONFLICT (code) DO UPDATE SET kind = excluded.kind, stage = excluded.stage, bot = excluded.bot,"
    " began = excluded.began, card = excluded.card, run = excluded.run, rested = NULL, deaths = 0"
)
_RELEASE = "UPDATE tables SET began = NULL, rested = ? WHERE code = ?"
_IS_TAKEN = (
    "SELECT EXISTS (SELECT 1 FROM tables WHERE code = ?1) OR EXISTS (SELECT 1 FROM finished WHERE code = ?1)"
    " OR EXISTS (SELECT 1 FROM codes WHERE code = ?1)"
)
_CLEAR = "UPDATE tables SET deaths = 0 WHERE code = ?"
_IS_SET_ASIDE = f"SELECT 1 FROM tables WHERE code = ? AND deaths >= {SET_ASIDE}"
_COUNT = f"UPDATE tables SET deaths = deaths + 1 WHERE code = ? AND began IS NOT NULL AND deaths < {SET_ASIDE}"


def index(db: sqlite3.Connection, after: str, most: int = MOST_ROWS) -> Sequence[IndexRow]:
    """List the tables that have not been retired, some of them, by their codes, behind this one."""
    rows = db.execute(_INDEX, (after, most))
    return [IndexRow(code, kind, stage, bool(bot), *more) for code, kind, stage, bot, *more in rows]


def change(
    db: sqlite3.Connection,
    run: int,
    age: float,
    opened: Sequence[str],
    notes: Mapping[str, Note],
    released: Sequence[str],
) -> None:
    """Write what is noted of tables, use up the codes of those that were opened, and let others rest at an age."""
    if opened:
        db.executemany("DELETE FROM codes WHERE code = ?", [(code,) for code in opened])
    if notes:
        db.executemany(_NOTE % run, [(code, *note) for code, note in notes.items()])
    if released:
        db.executemany(_RELEASE, [(age, code) for code in released])


def reserve(db: sqlite3.Connection, codes: Sequence[str]) -> Sequence[str]:
    """Keep those of these codes that no table has, or had that is kept, and nobody reserved."""
    free = [(code,) for code in codes if not db.execute(_IS_TAKEN, (code,)).fetchone()[0]]
    db.executemany("INSERT INTO codes VALUES (?)", free)
    return [code for (code,) in free]


def free_codes(db: sqlite3.Connection) -> None:
    """Free what the run before had reserved: nobody was told a code that no table had."""
    db.execute("DELETE FROM codes")


def adopt(db: sqlite3.Connection, begun: Sequence[str], ended: Sequence[str]) -> Sequence[str]:
    """Clear the deaths of tables, count one for those that are begun, and give those that are set aside."""
    db.executemany(_CLEAR, [(code,) for code in ended])
    aside = [code for code in begun if db.execute(_IS_SET_ASIDE, (code,)).fetchone()]
    db.executemany(_COUNT, [(code,) for code in begun])
    return aside


def list_set_aside(db: sqlite3.Connection) -> Sequence[str]:
    """List the tables that are set aside."""
    listed = f"SELECT code FROM tables WHERE deaths >= {SET_ASIDE} ORDER BY code"
    return [code for (code,) in db.execute(listed)]


def bring_back(db: sqlite3.Connection, code: str) -> bool:
    """Clear the deaths of a table that is set aside, and say whether it was."""
    return db.execute(f"{_CLEAR} AND deaths >= {SET_ASIDE}", (code,)).rowcount > 0
