"""SQLite journals in files of their own, a reactor that turns when told, and a disk that fails when told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gamecore import commands as c
from gamecore.record import FIRST, Record, write_record
from protocols.daemon.sqlite import SqliteJournal
from protocols.daemon.sqlite_file import connect

PATIENCE = 20.0  # seconds; only a test that fails waits so long


class Turns:
    """A reactor of which nothing is left but that threads may call it."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def callFromThread(self, call: Callable[..., None], *what: Any) -> None:
        self._calls.put(partial(call, *what))

    def turn_until(self, come: Callable[[], Any]) -> None:
        """Let what comes happen until something is so."""
        while not come():
            self._calls.get(timeout=PATIENCE)()


def disk_error(code: int = sqlite3.SQLITE_IOERR) -> sqlite3.Error:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code  # type: ignore[misc]
    return error


class Disk:
    """What stands between the journal and its file: it may fail, be full, or hold on."""

    def __init__(self) -> None:
        self.fail_before = 0  # so many commits do not happen
        self.fail_after = 0  # so many commits happen, and are said to have failed
        self.error: Exception = disk_error()
        self.most_pages: int | None = None
        self.watch: Callable[[str], None] | None = None  # sees every statement, in its thread
        self.opened = 0
        self.commits = 0
        self.goes = Event()
        self.goes.set()

    def connect(self, path: str) -> sqlite3.Connection:
        self.opened += 1
        disk = self

        class Watched(sqlite3.Connection):
            def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
                run = partial(super().execute, sql, values)
                if disk.watch is not None:
                    disk.watch(sql)
                if disk.most_pages is not None:
                    super().execute(f"PRAGMA max_page_count = {disk.most_pages}").fetchall()
                begins = sql.split()[0] in ("INSERT", "UPDATE", "DELETE")
                if sql == "COMMIT" or (begins and not self.in_transaction):
                    return disk.commit(run)
                return run()

        return connect(path, Watched)

    def commit(self, run: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        assert self.goes.wait(PATIENCE)
        if self.fail_before:
            self.fail_before -= 1
            raise self.error
        done = run()
        self.commits += 1
        if self.fail_after:
            self.fail_after -= 1
            raise self.error
        return done


class Rig:
    """Everything that a test of the journal needs."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.turns = Turns()
        self.disk = Disk()
        self.wall = 1000.0
        self.troubles: list[str | None] = []
        self.lost: list[Exception] = []
        self._journals: list[SqliteJournal] = []

    def open(self, path: str | None = None, **how: Any) -> SqliteJournal:
        """Open a journal that has all the time of the world for putting things in order."""
        how = {"connect": self.disk.connect, "waits": (0.001,), "idle": 3600.0, **how}
        journal = SqliteJournal(path or self.path, self.turns, lambda: self.wall, **how)
        journal.on_trouble = self.troubles.append
        journal.on_lost = self.lost.append
        journal.open()
        self._journals.append(journal)
        return journal

    def wait(self, deferred: Deferred[Any]) -> Any:
        """Give what a Deferred gives, or raise what it fails with."""
        came: list[Any] = []
        deferred.addBoth(came.append)
        self.turns.turn_until(lambda: came)
        if isinstance(came[0], Failure):
            came[0].raiseException()
        return came[0]

    def keep(self, journal: SqliteJournal, *records: Record) -> None:
        self.wait(journal.append(records))

    def close(self, journal: SqliteJournal) -> None:
        self.wait(journal.close())

    def close_all(self) -> None:
        self.disk.goes.set()
        self.disk.watch = None
        for journal in self._journals:
            came: list[Any] = []
            journal.close().addBoth(came.append)
            self.turns.turn_until(lambda came=came: came)


@pytest.fixture
def rig(tmp_path: Any) -> Iterator[Rig]:
    rig = Rig(str(tmp_path / "games.db"))
    yield rig
    rig.close_all()


def chain(table: str, count: int, wall: float = 500.0) -> list[Record]:
    """The first records of a table; its times are a second apart."""
    records: list[Record] = []
    previous = FIRST
    for sequence in range(count):
        command = c.Leave(sequence % 2, "left")
        record = write_record(table, sequence, sequence, wall + sequence, command, previous)
        previous = record.hash
        records.append(record)
    return records


@pytest.fixture(name="chain")
def chain_fixture() -> Callable[..., list[Record]]:
    return chain
