"""What the database itself saw: each record and the run that wrote it, whose each table became, who died.

Triggers write it down. Rows are numbered as they are written, and what conflicts waits for a lock that lasts until
the commit: so of two that concern one table or one run, the number tells which came first.
"""

from __future__ import annotations

from typing import Any, Literal

from attrs import frozen

_MAKE = """
CREATE TABLE witness (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, xact text NOT NULL DEFAULT pg_current_xact_id()::text,
    at float8 NOT NULL DEFAULT extract(epoch FROM clock_timestamp()), what text NOT NULL, code text NOT NULL,
    sequence integer NOT NULL, run integer NOT NULL, line bytea
);
CREATE FUNCTION witness_record() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witness (what, code, sequence, run, line)
    VALUES ('record', NEW.code, NEW.sequence, NEW.run, NEW.line); RETURN NULL; END $$;
CREATE FUNCTION witness_owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witness (what, code, sequence, run) VALUES ('owner', NEW.code, 0, coalesce(NEW.owner, 0));
    RETURN NULL; END $$;
CREATE FUNCTION witness_death() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO witness (what, code, sequence, run) VALUES ('dead', '', 0, NEW.run); RETURN NULL; END $$;
CREATE TRIGGER witness AFTER INSERT ON records FOR EACH ROW EXECUTE FUNCTION witness_record();
CREATE TRIGGER witness_new AFTER INSERT ON tables FOR EACH ROW EXECUTE FUNCTION witness_owner();
CREATE TRIGGER witness AFTER UPDATE ON tables FOR EACH ROW
    WHEN (OLD.owner IS DISTINCT FROM NEW.owner) EXECUTE FUNCTION witness_owner();
CREATE TRIGGER witness AFTER UPDATE ON runs FOR EACH ROW
    WHEN (NEW.dead AND NOT OLD.dead) EXECUTE FUNCTION witness_death();
"""
_READ = "SELECT id, xact, at, what, code, sequence, run, line FROM witness ORDER BY id"

What = Literal["record", "owner", "dead"]


@frozen
class Seen:
    """One thing that the database saw in the transaction ``xact``; ``at`` is in seconds.

    A table that is nobody's has the run 0.
    """

    id: int
    xact: str
    at: float
    what: What
    code: str
    sequence: int
    run: int
    line: bytes = b""


def call(journal: str) -> None:
    """Let the database of a journal, which a daemon has opened, write down what it sees from now on."""
    import psycopg

    with psycopg.connect(journal, autocommit=True) as db:
        db.execute(_MAKE)


def hear(journal: str) -> list[Seen]:
    """Give all that it saw, the oldest first."""
    import psycopg

    with psycopg.connect(journal, autocommit=True) as db:
        rows: list[Any] = db.execute(_READ).fetchall()
    return [Seen(*row[:7], bytes(row[7] or b"")) for row in rows]
