"""The file of the SQLite journal: how it is opened, how a connection writes, and whether its end is there."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from protocols.journal.errors import JournalRefused

_PATIENCE = 2.0  # seconds for somebody who looks into the file to finish
_HEADER = struct.Struct(
    ">16sH10sI"
)  # how a database begins: its name, size of a page, number of pages
_HEADER_BEGINS = b"SQLite format 3\0"
_LEAST_SIZE = 512  # of any database; SQLite takes a shorter one for a new one


def connect(
    path: str, factory: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """Open a database that exists."""
    return sqlite3.connect(
        f"file:{quote(path)}?mode=rw",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
        factory=factory,
    )


def prepare(db: sqlite3.Connection) -> None:
    """Let every commit go to the disk, and checkpoints come only when asked for; raises OperationalError."""
    mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise sqlite3.OperationalError(f"it cannot have a write-ahead log (mode {mode})")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("PRAGMA temp_store = MEMORY")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit all that is done inside, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def check_whole(path: str) -> None:
    """Raise JournalRefused for a file that has lost its end, which SQLite would fill with zeros.

    A log beside it may be about to bring that end, so then nothing can be said.
    """
    log = f"{path}-wal"
    if os.path.exists(log) and os.path.getsize(log):
        return
    size = os.path.getsize(path)
    if size and size < max(_LEAST_SIZE, _size_meant(path)):
        raise JournalRefused(f"the journal {path} is damaged: its end is missing")


def _size_meant(path: str) -> int:
    """Read in the header of a database how large it is; 0 if it is none."""
    with open(path, "rb") as file:
        start = file.read(_HEADER.size).ljust(_HEADER.size)
    begins, page_size, _, pages = _HEADER.unpack(start)
    return int(pages * page_size) if begins == _HEADER_BEGINS else 0
