"""The index of live tables in the SQLite journal: what is listed, and what killed who replayed it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from protocols.journal.interface import MOST_ROWS, SET_ASIDE, IndexRow

_INDEX = (
    "SELECT code, kind, stage, bot, max(0.0, coalesce(lived - began, 0.0)), coalesce(rested, age, 0.0),"
    " card, 0, CASE WHEN began IS NOT NULL THEN deaths END"
    " FROM tables LEFT JOIN runs USING (run) WHERE code > ? ORDER BY code LIMIT ?"
)
_CLEAR = "UPDATE tables SET deaths = 0 WHERE code = ?"
_IS_SET_ASIDE = f"SELECT 1 FROM tables WHERE code = ? AND deaths >= {SET_ASIDE}"
_COUNT = f"UPDATE tables SET deaths = deaths + 1 WHERE code = ? AND began IS NOT NULL AND deaths < {SET_ASIDE}"


def index(db: sqlite3.Connection, after: str, most: int = MOST_ROWS) -> Sequence[IndexRow]:
    """List the tables that have not been retired, some of them, by their codes, behind this one."""
    rows = db.execute(_INDEX, (after, most))
    return [IndexRow(code, kind, stage, bool(bot), *more) for code, kind, stage, bot, *more in rows]


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
