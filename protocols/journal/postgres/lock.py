"""Who may have a journal in PostgreSQL: an advisory lock that the writer's connection holds, and ends with."""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from protocols.journal.errors import JournalRefused
from protocols.journal.location import shown

if TYPE_CHECKING:
    from psycopg import Connection

_LAST_COMMIT = 10.0  # seconds for the writer of a daemon that was killed to finish
_LAST_BREATH = 1.0  # the same for one that may be about to end
_PAUSE = 0.02

# The lock has two numbers: ours, "Parl", and that of the table ``house``: each schema has a lock of its own.
_OURS = 0x5061726C
_TRY = f"SELECT pg_try_advisory_lock(({_OURS}::bigint << 32) | 'house'::regclass::oid::bigint)"
_HELD = (
    "FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted AND objsubid = 1"
    " AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    f" AND classid = {_OURS} AND objid = 'house'::regclass::oid"
)
_HOLDER = f"SELECT application_name {_HELD}"
_END_ONE = f"SELECT pg_terminate_backend(pid) {_HELD} AND pid = %s"
_NAMED = re.compile(r"process (\d+) on (.+)")


class ServerLock:
    """What a lock is in the daemon's process, where the database holds it for the writer: nothing."""

    descriptors: Sequence[int] = ()

    def release(self) -> None:
        """Leave it to the end of the writer's connection."""


def hold(db: Connection[Any], where: str) -> None:
    """Take the lock for this connection; raises JournalRefused if another daemon has it.

    That of a daemon of this host that was killed lasts until its writer has ended too, which is waited for.
    """
    began = time.monotonic()
    while not _take(db):
        found = db.execute(_HOLDER).fetchone()
        holder = "" if found is None else str(found[0])
        patience = _LAST_COMMIT if _is_dead(holder) else _LAST_BREATH
        if time.monotonic() - began > patience:
            who = f", {holder}" if _NAMED.fullmatch(holder) else ""
            raise JournalRefused(f"the journal {shown(where)} is held by another daemon{who}")
        time.sleep(_PAUSE)


def hold_again(db: Connection[Any], before: int) -> bool:
    """Take the lock from our own connection before, which we have lost, and say whether we have it.

    That one, known by the number of its process at the server, may not know yet; what it has not committed by
    then, it never will.
    """
    deadline = time.monotonic() + _LAST_BREATH
    while not _take(db):
        if time.monotonic() > deadline:
            return False
        db.execute(_END_ONE, (before,))
        time.sleep(_PAUSE)
    return True


def _take(db: Connection[Any]) -> bool:
    """Take the lock if nobody has it, and say whether we have."""
    row = db.execute(_TRY).fetchone()
    return row is not None and bool(row[0])


def _is_dead(holder: str) -> bool:
    """Tell whether a daemon was on this host and is no more."""
    named = _NAMED.fullmatch(holder)
    if named is None or named[2] != socket.gethostname():
        return False
    try:
        os.kill(int(named[1]), 0)
    except ProcessLookupError:
        return True
    except (OverflowError, PermissionError):
        pass
    return False
