"""The connection to a PostgreSQL journal: how it is made, how it writes, and when what was committed is safe."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, Ping, TransactionStatus

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
# What a server says that will pass: it has no connection left, somebody has a lock, it can only be read.
_PASSING = {"53300", "55P03", "40P01", "25006"}
_PASSING_CLASSES = {"08", "57"}  # the connection is lost; the server is about to end, or to start
_FULL = ("too many", "remaining connection slots")  # the first of these where it speaks English

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
        _check_ports(where)
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


def _check_ports(where: str) -> None:
    """Raise psycopg.ProgrammingError for ports that are no numbers, as where a password has a slash in it."""
    ports = str(conninfo_to_dict(where).get("port") or "")
    if not all(each.isdecimal() for each in ports.split(",") if each):
        raise psycopg.ProgrammingError("a port is no number")


def may_connect(where: str, problem: Exception) -> bool:
    """Say whether what keeps a journal from being opened may pass: the server is away, begins, ends or is full.

    What a server says before it has let somebody in comes without its code, and in its own language. So it is asked
    whether it answers: if it does, and lets nobody in by this URL even to read, that is its last word.
    """
    if not isinstance(problem, psycopg.OperationalError | psycopg.InternalError):
        return False
    if problem.sqlstate is not None:
        return problem.sqlstate in _PASSING or problem.sqlstate[:2] in _PASSING_CLASSES
    if isinstance(problem, psycopg.errors.ConnectionTimeout):
        return True
    return not (_answers(where) and _lets_nobody_in(where) and _answers(where))


def _answers(where: str) -> bool:
    asked = make_conninfo(where, connect_timeout=_PATIENCE).encode()
    return PGconn.ping(asked) not in (Ping.NO_RESPONSE, Ping.REJECT)


def _lets_nobody_in(where: str) -> bool:
    try:
        psycopg.connect(where, connect_timeout=_PATIENCE, application_name=own_name()).close()
    except psycopg.OperationalError as problem:
        return not any(word in str(problem) for word in _FULL)
    return False


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
