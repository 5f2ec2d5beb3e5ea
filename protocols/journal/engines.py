"""Which engine keeps a journal, by where that is; nothing else outside the engines knows which there are."""

from __future__ import annotations

import os
from importlib.util import find_spec

from protocols.journal.archive import Archive
from protocols.journal.errors import JournalRefused
from protocols.journal.interface import Lock, Store
from protocols.journal.location import is_url, shown
from protocols.journal.postgres.lock import ServerLock
from protocols.journal.sqlite.lock import FileLock

MEMORY = "memory"  # where a journal is that is in no file
_POSTGRES = ("postgresql", "postgres")  # as PostgreSQL itself has them


def locate(where: str) -> str:
    """Give the one name of a journal; raises JournalRefused for what no engine keeps, or none that is installed."""
    if not is_url(where):
        return os.path.realpath(where)
    if not _is_postgres(where):
        scheme = where.partition("://")[0]
        raise JournalRefused(
            f"no journal can be kept at {scheme}://… here; name a file, postgresql://…, or memory"
        )
    if find_spec("psycopg") is None:
        raise JournalRefused(f"the journal {shown(where)} needs psycopg: pip install 'parlour[pg]'")
    return where


def find_store(where: str, alone: bool = False) -> Store:
    """Make what writes a journal, in the writer's process, ``alone`` or beside others; it is not open yet.

    A journal in a file has one writer in any case.
    """
    # Here, since nobody else needs the library of an engine.
    if _is_postgres(where):
        from protocols.journal.postgres.store import PostgresStore

        return PostgresStore(where, alone=alone)
    from protocols.journal.sqlite.store import SqliteStore

    return SqliteStore(where)


def is_shared(where: str) -> bool:
    """Say whether several daemons may write a journal side by side."""
    return _is_postgres(where)


def take_lock(where: str) -> Lock:
    """Keep everybody else from writing a journal; raises JournalRefused or OSError."""
    return ServerLock() if _is_postgres(where) else FileLock(where)


def open_archive(where: str) -> Archive:
    """Open a journal, perhaps beside the daemon that writes it, to read what has ended.

    Raises JournalFailed, and JournalRefused for what no engine keeps.
    """
    where = locate(where)
    if _is_postgres(where):
        from protocols.journal.postgres.archive import PostgresArchive

        return PostgresArchive(where)
    from protocols.journal.sqlite.archive import SqliteArchive

    return SqliteArchive(where)


def _is_postgres(where: str) -> bool:
    return where.partition("://")[0] in _POSTGRES and is_url(where)
