"""The connection to a PostgreSQL journal: how it is made, how it writes, and when what was committed is safe."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.pq import TransactionStatus

from protocols.journal.errors import JournalRefused
from protocols.journal.location import shown
from protocols.journal.postgres.prepared import PreparingConnection

# Seconds and times: how a server that is gone without a word is noticed, at both ends of the connection. Without
# the server's part a house that lost its power would hold the journal for hours.
_PATIENCE = 5
_KEEPALIVES = {"idle": 5, "interval": 2, "count": 3}
_LOST_AFTER = 10_000  # milliseconds without an answer to what was sent
OLDEST = 15  # the version of the oldest server that will do
_NAME_LIMIT = 63  # bytes that the server keeps of an application's name

# Of this session, whatever the server, the database or the role have for others.
_SESSION = f"""
SET client_encoding = 'UTF8';
SET default_transaction_isolation = 'read committed';
SET lock_timeout = '{_PATIENCE}s';
SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET idle_session_timeout = 0;
SET tcp_keepalives_idle = {_KEEPALIVES["idle"]};
SET tcp_keepalives_interval = {_KEEPALIVES["interval"]};
SET tcp_keepalives_count = {_KEEPALIVES["count"]};
SET tcp_user_timeout = {_LOST_AFTER};
"""


def connect(
    where: str, factory: type[PreparingConnection] = PreparingConnection
) -> PreparingConnection:
    """Connect to a database that can be written; raises psycopg.Error, and JournalRefused for what is no URL."""
    try:
        db = factory.connect(
            where,
            autocommit=True,
            connect_timeout=_PATIENCE,
            keepalives=1,
            keepalives_idle=_KEEPALIVES["idle"],
            keepalives_interval=_KEEPALIVES["interval"],
            keepalives_count=_KEEPALIVES["count"],
            tcp_user_timeout=_LOST_AFTER,
            target_session_attrs="read-write",
            application_name=own_name(),
        )
    except psycopg.ProgrammingError:  # whose text has parts of the URL, and perhaps of its password
        raise JournalRefused(
            f"the journal {shown(where)} has no URL that PostgreSQL understands"
        ) from None
    return db


def prepare(db: Connection[Any]) -> None:
    """Let nothing but the end of a commit end it: the server has it on its disk then."""
    db.execute(_SESSION)
    if ask(db, "SHOW synchronous_commit") in ("off", "local"):
        db.execute("SET synchronous_commit = on")


def check_safe(db: Connection[Any], where: str) -> None:
    """Raise JournalRefused for a server that is too old, keeps no promise, or cannot write every name."""
    if major_version(db) < OLDEST:
        raise JournalRefused(
            f"the journal {shown(where)} needs PostgreSQL {OLDEST} or later:"
            f" its server is {ask(db, 'SHOW server_version')}"
        )
    if ask(db, "SHOW fsync") != "on":
        raise JournalRefused(
            f"the journal {shown(where)} would not outlast a loss of power: its server has fsync = off"
        )
    if ask(db, "SHOW server_encoding") != "UTF8":
        raise JournalRefused(
            f"the journal {shown(where)} cannot hold every name: make its database with ENCODING 'UTF8'"
        )


def major_version(db: Connection[Any]) -> int:
    """Tell the version of a server, as 17 for 17.2."""
    return db.info.server_version // 10_000


@contextmanager
def transaction(db: Connection[Any]) -> Iterator[None]:
    """Commit all that is done inside, or nothing."""
    db.execute("BEGIN")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            db.execute("ROLLBACK")


def ask(
    db: Connection[Any],
    question: str,
    values: Sequence[object] | Mapping[str, object] | None = None,
) -> Any:
    """Give the first column of the first row of an answer; None if there is none."""
    row = db.execute(question, values).fetchone()
    return None if row is None else row[0]


def own_name() -> str:
    """Say which daemon we write for, as another will be told that is refused."""
    name = f"process {os.getppid()} on {socket.gethostname()}"
    return name.encode("ascii", "replace")[:_NAME_LIMIT].decode()
