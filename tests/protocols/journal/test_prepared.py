"""What batches are written with: values come to PostgreSQL as they were; a server that is gone may come back."""

from __future__ import annotations

import json
import os
import socket

import pytest

ODD = ["NULL", None, "", 'a "b" \\c\\', "{x,y}", " ", "Zoë \N{PARTY POPPER}", "a\nb'"]


@pytest.fixture
def db(database):
    from protocols.journal.postgres.connection import connect

    with connect(database) as db:
        yield db


def ask(db, cast: str, values: bytes) -> object:
    from protocols.journal.postgres.prepared import Statement

    return json.loads(db.run(Statement(f"SELECT to_json({cast})"), {"values": values}) or b"")


def test_columns_come_as_they_were(db):
    from protocols.journal.postgres.prepared import blobs, numbers, texts, truths

    assert ask(db, "%(values)s::text[]", texts(ODD)) == ODD
    assert ask(db, "%(values)s::text[]", texts([])) == []
    some = [0.1 + 0.2, None, 1e300, -5e-324, 1764366000.123456, 3]
    assert ask(db, "%(values)s::float8[]", numbers(some)) == some
    assert ask(db, "%(values)s::int[]", numbers([0, -1, 2**31 - 1])) == [0, -1, 2**31 - 1]
    assert ask(db, "%(values)s::bool[]", truths([True, False])) == [True, False]
    lines = [b"", bytes(range(256))]
    assert ask(db, "%(values)b::bytea[]", blobs(lines)) == [f"\\x{each.hex()}" for each in lines]


def test_a_value_may_be_asked_for_twice_and_one_that_is_no_row_is_none(db):
    from protocols.journal.postgres.prepared import Statement

    twice = Statement("SELECT 1 WHERE %(a)s::int > 0 AND %(a)s::int < %(b)s::int")
    values = [{"a": b"1", "b": b"2"}, {"a": b"0", "b": b"2"}, {"a": b"1", "b": b"2"}]
    assert [db.run(twice, each) for each in values] == [b"1", None, b"1"]


def test_what_the_server_refuses_is_the_error_that_it_says(db):
    from psycopg import errors

    from protocols.journal.postgres.prepared import Statement

    divides = Statement("SELECT 1 / %(by)s::int")
    for _ in range(2):
        with pytest.raises(errors.DivisionByZero):
            db.run(divides, {"by": b"0"})
    assert db.run(divides, {"by": b"1"}) == b"1"
    with pytest.raises(errors.UndefinedTable):
        db.run(Statement("SELECT 1 FROM nowhere WHERE %(a)s::int = 1"), {"a": b"1"})


@pytest.mark.parametrize("prepared", [True, False])
def test_a_link_that_is_lost_is_a_trouble_that_may_pass(db, prepared):
    """The server says nothing more, as at a loss of power: what the library says of it has no code."""
    import psycopg

    from protocols.journal.postgres.prepared import Statement

    one = Statement("SELECT %(a)s::int")
    if prepared:
        db.run(one, {"a": b"1"})
    with socket.socket(fileno=os.dup(db.fileno())) as link:
        link.shutdown(socket.SHUT_RDWR)
    for _ in range(2):
        with pytest.raises(psycopg.OperationalError):
            db.run(one, {"a": b"1"})
