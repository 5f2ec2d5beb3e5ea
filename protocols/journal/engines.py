"""Which engine keeps a journal, by where that is; nothing else outside the engines knows which there are."""

from __future__ import annotations

import os

from protocols.journal.errors import JournalRefused
from protocols.journal.interface import Archive, Lock, Store
from protocols.journal.sqlite.archive import SqliteArchive
from protocols.journal.sqlite.lock import FileLock
from protocols.journal.sqlite.store import SqliteStore

MEMORY = "memory"  # where a journal is that is in no file


def locate(where: str) -> str:
    """Give the one name of a journal that is a path; raises JournalRefused for what no engine keeps."""
    scheme, is_url, _ = where.partition("://")
    if is_url:
        raise JournalRefused(f"no journal can be kept at {scheme}://… here; name a file, or memory")
    return os.path.realpath(where)


def find_store(where: str) -> Store:
    """Make what writes a journal, in the writer's process; it is not open yet."""
    return SqliteStore(where)


def take_lock(where: str) -> Lock:
    """Keep everybody else from writing a journal; raises JournalRefused or OSError."""
    return FileLock(where)


def open_archive(where: str) -> Archive:
    """Open a journal, perhaps beside the daemon that writes it, to read what has ended; raises JournalFailed."""
    return SqliteArchive(locate(where))
