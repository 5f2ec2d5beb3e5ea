"""A pooler before the database: one that hands transactions to whichever connection is free keeps no session.

The locks by which daemons know of each other, and all settings, are a session's. With such a pooler a lock would
stay behind on a connection that belongs to nobody, and every later start would wait for it.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any

import psycopg
from psycopg import Connection

from protocols.journal.errors import JournalRefused
from protocols.journal.location import shown
from protocols.journal.postgres.connection import connect

_LOOKS = 3
_WHO = "SELECT pg_backend_pid()"


def check_session(db: Connection[Any], where: str) -> None:
    """Raise JournalRefused where a connection has no session of its own; nothing is set or locked by this."""
    try:
        other = connect(where)
    except psycopg.OperationalError:
        return  # there may be no second one: then none can have taken the place of the first
    with closing(other):
        if not all(_is_kept(db, other) for _ in range(_LOOKS)):
            raise JournalRefused(
                f"the journal {shown(where)} is behind a pooler that pools by transaction: let it pool by session"
            )


def _is_kept(db: Connection[Any], other: Connection[Any]) -> bool:
    """Say whether a connection is served as before, and by nobody else, while another has a transaction."""
    before = _who_serves(db)
    if _who_serves(db) != before:
        return False
    other.execute("BEGIN")
    try:
        return _who_serves(other) != before and _who_serves(db) == before
    finally:
        other.execute("ROLLBACK")


def _who_serves(db: Connection[Any]) -> int:
    """Ask which connection of the server this is; what is prepared on one is not there on another."""
    (pid,) = db.execute(_WHO, prepare=False).fetchone() or (0,)
    return int(pid)
