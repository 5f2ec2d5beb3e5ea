"""Advisory locks of PostgreSQL, which a writer's connection holds and ends with.

Whoever writes a journal has its *house lock*: daemons share it, and one has it alone who changes the schema, or
what all of them write. Each run has a lock of its own besides, by which the others see whether its writer is
connected.
"""

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

# The house lock has two numbers: ours, "Parl", and that of the table ``house``: each schema has one of its own.
_OURS = 0x5061726C
_HOUSE = f"(({_OURS}::bigint << 32) | 'house'::regclass::oid::bigint)"
_ALONE = f"SELECT pg_try_advisory_lock({_HOUSE})"
_SHARED = f"SELECT pg_try_advisory_lock_shared({_HOUSE})"
_SHARE = f"SELECT pg_try_advisory_lock_shared({_HOUSE}) AND pg_advisory_unlock({_HOUSE})"
_HERE = (
    "locktype = 'advisory' AND granted"
    " AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_HOLDER = (
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)"
    f" WHERE {_HERE} AND objsubid = 1 AND classid = {_OURS} AND objid = 'house'::regclass::oid"
    " AND pid <> pg_backend_pid()"
)

# That of a run has the number of the table ``house``, as a signed one, and the run's.
_SIGNED = "('house'::regclass::oid::bigint - 2147483648)::int"
_TAKE_RUN = f"SELECT pg_try_advisory_lock({_SIGNED}, %s)"
_OF_RUNS = (
    f"FROM pg_locks WHERE {_HERE} AND objsubid = 2"
    f" AND classid = (({_SIGNED})::bigint & 4294967295)::oid"
)
_RUNS_HELD = f"SELECT objid::bigint::int {_OF_RUNS} AND objid::bigint::int = ANY (%s)"
_END_RUN = f"SELECT pg_terminate_backend(pid) {_OF_RUNS} AND objid::bigint::int = %s"
_NAMED = re.compile(r"process (\d+) on (.+)")


class ServerLock:
    """What a lock is in the daemon's process, where the database holds it for the writer: nothing."""

    descriptors: Sequence[int] = ()

    def release(self) -> None:
        """Leave it to the end of the writer's connection."""


def hold(db: Connection[Any], where: str, alone: bool) -> None:
    """Take the house lock for this connection, ``alone`` or with others; raises JournalRefused.

    That of a daemon of this host that was killed lasts until its writer has ended too, which is waited for.
    """
    began = time.monotonic()
    while not _takes(db, _ALONE if alone else _SHARED):
        found = db.execute(_HOLDER).fetchone()
        holder = "" if found is None else str(found[0])
        patience = _LAST_COMMIT if is_dead(holder) else _LAST_BREATH
        if time.monotonic() - began > patience:
            who = f", {holder}" if _NAMED.fullmatch(holder) else ""
            raise JournalRefused(f"the journal {shown(where)} is held by another daemon{who}")
        time.sleep(_PAUSE)


def share(db: Connection[Any]) -> None:
    """Let others share the house lock that was taken alone."""
    db.execute(_SHARE)


def hold_again(db: Connection[Any], run: int, alone: bool) -> bool:
    """Take both locks for a connection in the place of one that was lost, and say whether we have them."""
    return hold_run(db, run) and _takes(db, _ALONE if alone else _SHARED)


def hold_run(db: Connection[Any], run: int) -> bool:
    """Take the lock of our run, and say whether we have it.

    A connection before this one that we have lost may not know yet; it is ended, and what it has not committed
    by then, it never will.
    """
    deadline = time.monotonic() + _LAST_BREATH
    while not _takes(db, _TAKE_RUN, (run,)):
        if time.monotonic() > deadline:
            return False
        end_writer(db, run)
        time.sleep(_PAUSE)
    return True


def end_writer(db: Connection[Any], run: int) -> None:
    """End the connection of the writer of a run, and what it holds, if there is one."""
    db.execute(_END_RUN, (run,))


def connected(db: Connection[Any], runs: Sequence[int]) -> set[int]:
    """Name those of these runs whose writers are connected."""
    return {run for (run,) in db.execute(_RUNS_HELD, (list(runs),))}


def await_writer(db: Connection[Any], run: int) -> bool:
    """Wait for the last commit of a daemon that was killed, and say whether its writer has ended."""
    deadline = time.monotonic() + _LAST_COMMIT
    while connected(db, [run]):
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)
    return True


def _takes(db: Connection[Any], lock: str, values: Sequence[object] = ()) -> bool:
    """Take a lock if nobody has it, and say whether we have."""
    row = db.execute(lock, values).fetchone()
    return row is not None and bool(row[0])


def is_dead(name: str) -> bool:
    """Tell whether a daemon, by the name that its writer has, was on this host and is no more."""
    named = _NAMED.fullmatch(name)
    if named is None or named[2] != socket.gethostname():
        return False
    try:
        os.kill(int(named[1]), 0)
    except ProcessLookupError:
        return True
    except (OverflowError, PermissionError):
        pass
    return False
