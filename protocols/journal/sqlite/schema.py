"""The tables of the SQLite journal, and how those of an older Parlour become today's.

The schema is a sequence of steps; a new file takes all of them, an older one those that it has not seen, in one
transaction: a crash leaves the file as it was. How many a file has seen is its ``user_version``.
"""

from __future__ import annotations

import sqlite3

from protocols.journal.errors import JournalRefused
from protocols.journal.sqlite.file import prepare, transaction

APPLICATION = 0x5061726C  # "Parl", so that nobody takes the file for another program's

_FIRST = """
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

# A table's clocks were told from times of day; now they are from the house's own time.  What was there before
# counts as resting since now, so that nobody is charged for what only a time of day knew, and its age from now.
_NO_TIME_OF_DAY = """
DROP TABLE runs;
CREATE TABLE runs (run INTEGER PRIMARY KEY, lived REAL, age REAL NOT NULL);
ALTER TABLE tables ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN began REAL;
ALTER TABLE tables ADD COLUMN rested REAL;
UPDATE tables SET rested = 0;
ALTER TABLE finished ADD COLUMN age REAL NOT NULL DEFAULT 0;
CREATE INDEX finished_by_age ON finished (age);
"""

# What a house lists of a table that rests; those from before have none until they are played on.
_CARDS = "ALTER TABLE tables ADD COLUMN card TEXT"

# Which codes the run that lives has reserved for tables that are yet to be opened.
_CODES = "CREATE TABLE codes (code TEXT PRIMARY KEY) WITHOUT ROWID"

# How games ended, and the ratings that are made of it; what ended before has no result.
_RESULTS = """
CREATE TABLE results (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE, code TEXT NOT NULL, number INTEGER NOT NULL,
    kind TEXT NOT NULL, pool TEXT NOT NULL, ended REAL NOT NULL, age REAL NOT NULL, why TEXT,
    hidden INTEGER NOT NULL, seats TEXT NOT NULL
);
CREATE TABLE played (
    who TEXT NOT NULL, hidden INTEGER NOT NULL, result INTEGER NOT NULL,
    PRIMARY KEY (who, hidden, result)
) WITHOUT ROWID;
CREATE TABLE ratings (
    pool TEXT NOT NULL, account TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    games INTEGER NOT NULL, last REAL NOT NULL, PRIMARY KEY (pool, account)
) WITHOUT ROWID;
CREATE TABLE met (
    pool TEXT NOT NULL, account TEXT NOT NULL, other TEXT NOT NULL,
    PRIMARY KEY (pool, account, other)
) WITHOUT ROWID;
CREATE TABLE ladder (
    only INTEGER PRIMARY KEY CHECK (only = 0), upto INTEGER NOT NULL, formula TEXT NOT NULL
);
INSERT INTO ladder VALUES (0, 0, '');
"""

# For how many seconds a run that was asked to end may wait for its players.
_DRAINING = "ALTER TABLE runs ADD COLUMN draining REAL"

# How many runs have ended while they replayed a table that was left awake.
_DEATHS = "ALTER TABLE tables ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0"

_STEPS = (_FIRST, _NO_TIME_OF_DAY, _CARDS, _CODES, _RESULTS, _DRAINING, _DEATHS)
SCHEMA = len(_STEPS)


def set_up(db: sqlite3.Connection, path: str) -> None:
    """Bring a database up to today's schema, an empty one too; raises JournalRefused for one that is not ours."""
    version = 0
    if db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        version = _check_ours(db, path)
    prepare(db)
    if version < SCHEMA:
        with transaction(db):
            for step in _STEPS[version:]:
                for statement in filter(str.strip, step.split(";")):
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")


def _check_ours(db: sqlite3.Connection, path: str) -> int:
    """Give the version of a database that is ours."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise JournalRefused(f"the journal {path} is a database of another program")
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise JournalRefused(
            f"the journal {path} was written by a newer Parlour (schema {version}, known here: {SCHEMA})"
        )
    return version
