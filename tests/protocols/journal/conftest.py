"""SQLite journals in files of their own, a reactor that turns when told, and a disk that fails when told."""

from __future__ import annotations

import select
import socket
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.record import FIRST, Record, write_record
from protocols.journal.durable import DurableJournal
from protocols.journal.sqlite.file import connect
from protocols.journal.sqlite.store import SqliteStore
from protocols.journal.worker_process import serve
from protocols.journal.worker_spawn import Start, start_child
from tests.patience import SECONDS


class Turns:
    """A reactor of which nothing is left but that it looks at what can be read and written."""

    def __init__(self) -> None:
        self._readers: list[Any] = []
        self._writers: list[Any] = []

    def addReader(self, reader: Any) -> None:
        if reader not in self._readers:
            self._readers.append(reader)

    def removeReader(self, reader: Any) -> None:
        if reader in self._readers:
            self._readers.remove(reader)

    def addWriter(self, writer: Any) -> None:
        if writer not in self._writers:
            self._writers.append(writer)

    def removeWriter(self, writer: Any) -> None:
        if writer in self._writers:
            self._writers.remove(writer)

    @property
    def listens(self) -> bool:
        """Whether anything may still come."""
        return bool(self._readers)

    def drop_all(self) -> None:
        """Part with every link, as a reactor does that stops."""
        dropped, self._readers, self._writers = self._readers, [], []
        for each in dropped:
            each.connectionLost(Failure(ConnectionDone()))

    def turn_until(self, come: Callable[[], Any]) -> None:
        """Let what comes happen until something is so."""
        while not come():
            self.turn()

    def turn(self) -> None:
        """Wait until something can be read or written, and let that happen."""
        ready = select.select(self._readers, self._writers, [], SECONDS)
        assert any(ready), "nothing comes any more"
        for reader in ready[0]:
            reader.doRead()
        for writer in ready[1]:
            if writer in self._writers:
                writer.doWrite()


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
        assert self.goes.wait(SECONDS)
        if self.fail_before:
            self.fail_before -= 1
            raise self.error
        done = run()
        self.commits += 1
        if self.fail_after:
            self.fail_after -= 1
            raise self.error
        return done


def start_thread(how: dict[str, Any], sock: socket.socket) -> Callable[[], str]:
    """Let a thread do what the writer's process does, with another disk or other times."""
    ours = sock.dup()

    def run() -> None:
        with ours:
            serve(ours, **how)

    thread = Thread(target=run, name="journal", daemon=True)
    thread.start()

    def see_out() -> str:
        thread.join(SECONDS)
        return "the thread ended"

    return see_out


class Rig:
    """Everything that a test of the journal needs."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.turns = Turns()
        self.disk = Disk()
        self.troubles: list[str | None] = []
        self.lost: list[Exception] = []
        self._journals: list[DurableJournal] = []

    def open(self, path: str | None = None, **how: Any) -> DurableJournal:
        """Open a journal that has all the time of the world for putting things in order.

        Its writer is a thread, so that it can be given our disk; all else is as it is with a process.
        """
        return self.open_with(partial(self.start_thread, **how), path)

    def start_thread(
        self, sock: socket.socket, lock: Sequence[int], **how: Any
    ) -> Callable[[], str]:
        """Start a writer in a thread, with our disk."""
        find = partial(SqliteStore, connect=self.disk.connect)
        how = {"find": find, "waits": (0.001,), "idle": 3600.0, **how}
        return start_thread(how, sock)

    def open_real(self, path: str | None = None, **how: Any) -> DurableJournal:
        """Open a journal as the daemon does, with a process that writes."""
        return self.open_with(start_child, path, **how)

    def open_with(self, start: Start, path: str | None = None, **how: Any) -> DurableJournal:
        """Open a journal whose writer is started in a way of its own."""
        journal = DurableJournal(path or self.path, self.turns, start=start, **how)
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

    def keep(self, journal: DurableJournal, *records: Record) -> None:
        self.wait(journal.append(records))

    def close(self, journal: DurableJournal) -> None:
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
        command = commands.Leave(sequence % 2, "left")
        record = write_record(table, sequence, sequence, wall + sequence, command, previous)
        previous = record.hash
        records.append(record)
    return records


@pytest.fixture(name="chain")
def chain_fixture() -> Callable[..., list[Record]]:
    return chain
