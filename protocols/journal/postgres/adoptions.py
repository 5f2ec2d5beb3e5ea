"""Which tables of a PostgreSQL journal have killed the runs that replayed them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from protocols.journal.interface import SET_ASIDE

_CLEAR = "UPDATE tables SET deaths = 0 WHERE code = ANY (%s) AND deaths > 0"
_SET_ASIDE = f"SELECT code FROM tables WHERE deaths >= {SET_ASIDE}"
_COUNT = f"""
UPDATE tables SET deaths = deaths + 1 WHERE code = ANY (%s) AND began IS NOT NULL AND deaths < {SET_ASIDE}
"""


def adopt(db: Connection[Any], begun: Sequence[str], ended: Sequence[str]) -> Sequence[str]:
    """Clear the deaths of tables, count one for those that are begun, and give those that are set aside.

    To be called within a transaction.
    """
    db.execute(_CLEAR, (list(ended),))
    aside = [code for (code,) in db.execute(f"{_SET_ASIDE} AND code = ANY (%s)", (list(begun),))]
    db.execute(_COUNT, (list(begun),))
    return aside


def list_set_aside(db: Connection[Any]) -> Sequence[str]:
    """List the tables that are set aside."""
    return [code for (code,) in db.execute(f"{_SET_ASIDE} ORDER BY code")]


def bring_back(db: Connection[Any], code: str) -> bool:
    """Clear the deaths of a table that is set aside, and say whether it was."""
    brought = f"UPDATE tables SET deaths = 0 WHERE code = %s AND deaths >= {SET_ASIDE}"
    return db.execute(brought, (code,)).rowcount > 0
