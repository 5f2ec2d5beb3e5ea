"""Statements that are run with every batch: parsed once a connection, their values written out here by columns.

What psycopg does for any statement costs it more than the statement costs the server where that is as short as a
batch is; so these go to the library of PostgreSQL itself, as ``psycopg.pq`` has it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NoReturn

import psycopg
from psycopg import Connection, pq

_VALUE = re.compile(r"%\((\w+)\)([sb])")
_BYTEA = 17  # the number of the type in every PostgreSQL
_ARRAY = struct.Struct("!iiIii")  # how one begins: dimensions, nulls, type, length, its first index
_LENGTH = struct.Struct("!i")
_names = count()


class Statement:
    """One with ``%(name)s`` for each value that is written as text, ``%(name)b`` as binary."""

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self.name = b"parlour_%d" % next(_names)
        found = dict(_VALUE.findall(sql))
        self.values = tuple(found)
        self.formats = [
            pq.Format.BINARY if how == "b" else pq.Format.TEXT for how in found.values()
        ]
        numbers = {name: number for number, name in enumerate(found, 1)}
        self.numbered = _VALUE.sub(lambda each: f"${numbers[each[1]]}", sql).encode()


class PreparingConnection(Connection[Any]):
    """A connection that keeps what it has prepared."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._parsed_names: set[bytes] = set()

    def run(self, statement: Statement, values: Mapping[str, bytes]) -> bytes | None:
        """Run a statement, and give the first column of its first row as text; raises psycopg.Error."""
        if statement.name not in self._parsed_names:
            done = self.pgconn.prepare(statement.name, statement.numbered)
            if done.status != pq.ExecStatus.COMMAND_OK:
                _fail(done)
            self._parsed_names.add(statement.name)
        given = [values[name] for name in statement.values]
        result = self.pgconn.exec_prepared(statement.name, given, statement.formats)
        if result.status != pq.ExecStatus.TUPLES_OK:
            _fail(result)
        return result.get_value(0, 0) if result.ntuples else None


def _fail(result: pq.abc.PGresult) -> NoReturn:
    if not result.error_field(
        pq.DiagnosticField.SQLSTATE
    ):  # the server has not said it: it is gone
        raise psycopg.OperationalError(result.get_error_message())
    raise psycopg.errors.error_from_result(result)


def texts(values: Iterable[str | None]) -> bytes:
    """Write an array of texts."""
    return _array("NULL" if each is None else f'"{_escaped(each)}"' for each in values)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def numbers(values: Iterable[float | None]) -> bytes:
    """Write an array of numbers, whole ones or not."""
    return _array("NULL" if each is None else repr(each) for each in values)


def truths(values: Iterable[bool]) -> bytes:
    """Write an array of booleans."""
    return _array("t" if each else "f" for each in values)


def _array(elements: Iterable[str]) -> bytes:
    return f"{{{','.join(elements)}}}".encode()


def blobs(values: Sequence[bytes]) -> bytes:
    """Write an array of bytes, in binary."""
    parts = [_ARRAY.pack(1, 0, _BYTEA, len(values), 1)]
    for each in values:
        parts += (_LENGTH.pack(len(each)), each)
    return b"".join(parts)
