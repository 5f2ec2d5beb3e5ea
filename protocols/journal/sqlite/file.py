"""The file of the SQLite journal: how it is opened, and whether it is one of ours and whole."""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote

from protocols.journal.errors import JournalRefused

SCHEMA = 1
APPLICATION = 0x5061726C  # "Parl", so that nobody takes the file for another program's
_PATIENCE = 2.0  # seconds for somebody who looks into the file to finish
_HEADER = struct.Struct(
    ">16sH10sI"
)  # how a database begins: its name, size of a page, number of pages
_HEADER_BEGINS = b"SQLite format 3\0"
_LEAST_SIZE = 512  # of any database; SQLite takes a shorter one for a new one

_TABLES = """
CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 0), run INTEGER NOT NULL, filed INTEGER NOT NULL
);
CREATE TABLE runs (run INTEGER PRIMARY KEY, began REAL NOT NULL, lived REAL NOT NULL);
CREATE TABLE records (
    id INTEGER PRIMARY KEY, code TEXT NOT NULL, sequence INTEGER NOT NULL, at REAL NOT NULL,
    wall REAL NOT NULL, run INTEGER NOT NULL, line BLOB NOT NULL
);
CREATE TABLE places (
    code TEXT NOT NULL, sequence INTEGER NOT NULL, record INTEGER NOT NULL,
    PRIMARY KEY (code, sequence)
) WITHOUT ROWID;
CREATE TABLE tables (
    code TEXT PRIMARY KEY, kind TEXT NOT NULL, stage TEXT NOT NULL, bot INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE finished (
    id INTEGER PRIMARY KEY, code TEXT NOT NULL, kind TEXT NOT NULL, ended REAL NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX finished_by_code ON finished (code);
CREATE INDEX finished_by_end ON finished (ended, code, kind);
INSERT INTO meta VALUES (0, 0, 0);
"""


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
    """Choose how a connection writes: every commit on the disk, checkpoints only when asked for."""
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


def set_up(db: sqlite3.Connection, path: str) -> None:
    """Make the tables in an empty database; raises JournalRefused for one that is not ours."""
    empty = not db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if not empty:
        _check_ours(db, path)
    prepare(db)
    if empty:
        with transaction(db):
            for statement in filter(str.strip, _TABLES.split(";")):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")


def _check_ours(db: sqlite3.Connection, path: str) -> None:
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise JournalRefused(f"the journal {path} is a database of another program")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA:
        raise JournalRefused(
            f"the journal {path} was written by a newer Parlour (schema {version}, known here: {SCHEMA})"
        )


def check_whole(path: str) -> None:
    """Refuse a file that has lost its end, which SQLite would fill with zeros.

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
