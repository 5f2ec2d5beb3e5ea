"""The tables of the PostgreSQL journal, and how those of an older Parlour become today's.

The schema is a sequence of steps; a new database takes all of them, an older one those that it has not seen, in
one transaction. How many it has seen stands in ``house``. Every name is looked up along the search path, so that
a schema of its own, given in the URL, is a journal of its own.
"""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from protocols.journal.errors import JournalRefused
from protocols.journal.location import shown
from protocols.journal.postgres.connection import ask, transaction
from protocols.journal.postgres.lock import hold, share

LOCK_OF_STARTS = 0x5061726C  # one daemon starts at a time

_FIRST = """
CREATE TABLE house (one integer PRIMARY KEY CHECK (one = 0), schema integer NOT NULL);
INSERT INTO house VALUES (0, 0);
CREATE TABLE runs (
    run integer PRIMARY KEY, key text NOT NULL, dead boolean NOT NULL DEFAULT false,
    lived float8, age float8 NOT NULL
);
CREATE TABLE records (
    code text COLLATE "C" NOT NULL, sequence integer NOT NULL, at float8 NOT NULL, wall float8 NOT NULL,
    run integer NOT NULL, line bytea NOT NULL, PRIMARY KEY (code, sequence)
);
CREATE TABLE tables (
    code text COLLATE "C" PRIMARY KEY, kind text NOT NULL, stage text NOT NULL, bot boolean NOT NULL,
    run integer NOT NULL, began float8, rested float8, card text
);
CREATE TABLE finished (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code text COLLATE "C" NOT NULL, kind text NOT NULL,
    ended float8 NOT NULL, age float8 NOT NULL, record bytea NOT NULL
);
CREATE INDEX finished_by_code ON finished (code, id);
CREATE INDEX finished_by_age ON finished (age);
CREATE TABLE codes (code text COLLATE "C" PRIMARY KEY);
"""

# How games ended, and the ratings that are made of it; what ended before has no result.
_RESULTS = """
CREATE TABLE results (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, game text COLLATE "C" NOT NULL UNIQUE,
    code text COLLATE "C" NOT NULL, number integer NOT NULL, kind text COLLATE "C" NOT NULL,
    pool text COLLATE "C" NOT NULL, ended float8 NOT NULL, age float8 NOT NULL, why text,
    hidden boolean NOT NULL, seats text NOT NULL
);
CREATE TABLE played (
    who text COLLATE "C" NOT NULL, hidden boolean NOT NULL, result bigint NOT NULL,
    PRIMARY KEY (who, hidden, result)
);
CREATE TABLE ratings (
    pool text COLLATE "C" NOT NULL, account text COLLATE "C" NOT NULL, mu float8 NOT NULL,
    sigma float8 NOT NULL, games integer NOT NULL, last float8 NOT NULL, PRIMARY KEY (pool, account)
);
CREATE TABLE met (
    pool text COLLATE "C" NOT NULL, account text COLLATE "C" NOT NULL, other text COLLATE "C" NOT NULL,
    PRIMARY KEY (pool, account, other)
);
CREATE TABLE ladder (
    one integer PRIMARY KEY CHECK (one = 0), upto bigint NOT NULL, formula text NOT NULL
);
INSERT INTO ladder VALUES (0, 0, '');
"""

# Several daemons on one journal: by which name each is known and how long it may be believed, which run has a table
# awake, in which transaction others were last to hear of it, and for whom codes are reserved.
_MANY = """
ALTER TABLE runs ADD COLUMN name text NOT NULL DEFAULT '', ADD COLUMN lease timestamptz;
ALTER TABLE tables ADD COLUMN owner integer, ADD COLUMN changed xid8 NOT NULL DEFAULT '0';
UPDATE tables SET owner = run WHERE began IS NOT NULL;
CREATE INDEX tables_by_change ON tables (changed);
CREATE TABLE retired (
    code text COLLATE "C" NOT NULL, run integer NOT NULL, changed xid8 NOT NULL, age float8 NOT NULL
);
CREATE INDEX retired_by_change ON retired (changed);
DELETE FROM codes;
ALTER TABLE codes ADD COLUMN run integer NOT NULL;
"""

# Linked daemons: where each is found and what it proves itself by, who has a table once its owner is gone, and
# which command of a linked run a record is.
_LINKED = """
ALTER TABLE runs ADD COLUMN link text NOT NULL DEFAULT '', ADD COLUMN link_key text NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN heir integer;
ALTER TABLE records ADD COLUMN asked text COLLATE "C";
"""

# Tables for newcomers, by all that is played there.
_OFFERS = """
CREATE TABLE offers (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, game text COLLATE "C" NOT NULL,
    code text COLLATE "C" NOT NULL UNIQUE, run integer NOT NULL
);
CREATE INDEX offers_by_game ON offers (game, number);
"""

# For how many seconds a run that was asked to end may wait for its players.
_DRAINING = "ALTER TABLE runs ADD COLUMN draining float8"

# How many runs have ended while they replayed a table that was left awake.
_DEATHS = "ALTER TABLE tables ADD COLUMN deaths integer NOT NULL DEFAULT 0"

# Signs of life, which had been in ``runs``: see ``beats``.
_BEATS = """
CREATE TABLE beats (
    run integer NOT NULL, number integer NOT NULL, lived float8, age float8 NOT NULL, lease timestamptz,
    PRIMARY KEY (run, number)
) WITH (fillfactor = 50);
INSERT INTO beats SELECT run, 0, lived, age, lease FROM runs;
ALTER TABLE runs DROP COLUMN lived, DROP COLUMN age, DROP COLUMN lease;
"""

# A table ``house`` with these columns is taken for ours.
_OURS = """
SELECT count(*) FROM pg_attribute WHERE attrelid = 'house'::regclass AND attname IN ('one', 'schema')
"""

_STEPS = (_FIRST, _RESULTS, _MANY, _LINKED, _OFFERS, _DRAINING, _DEATHS, _BEATS)
SCHEMA = len(_STEPS)


def set_up(db: Connection[Any], where: str, alone: bool = False) -> None:
    """Take the house lock and bring a database up to today's schema, an empty one too; raises JournalRefused.

    Who changes the schema must have it ``alone``: another daemon of an older Parlour would not bear it.
    """
    with transaction(db):
        db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK_OF_STARTS,))
        version = 0
        if ask(db, "SELECT to_regclass('house')") is not None:
            version = _check_ours(db, where)
            hold(db, where, alone or version < SCHEMA)
        for step in _STEPS[version:]:
            for statement in filter(str.strip, step.split(";")):
                db.execute(statement)
        if version < SCHEMA:
            db.execute("UPDATE house SET schema = %s", (SCHEMA,))
        if not version:
            hold(db, where, True)
    if version < SCHEMA and not alone:
        share(db)


def _check_ours(db: Connection[Any], where: str) -> int:
    """Give the version of a database that is ours."""
    if ask(db, _OURS) != 2:
        raise JournalRefused(f"the journal {shown(where)} is a database of another program")
    version = int(ask(db, "SELECT schema FROM house"))
    if version > SCHEMA:
        raise JournalRefused(
            f"the journal {shown(where)} was written by a newer Parlour"
            f" (schema {version}, known here: {SCHEMA})"
        )
    return version
