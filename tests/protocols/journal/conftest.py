"""Journals in every engine, each a place of its own, and a reactor that turns when told."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Thread
from typing import Any

import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.record import FIRST, Record, write_record
from protocols.journal.durable import DurableJournal
from protocols.journal.sqlite import lock
from protocols.journal.worker_process import serve
from protocols.journal.worker_spawn import Start, start_child
from tests import postgres
from tests.patience import SECONDS
from tests.protocols.journal.media import NAMES, Disk, Medium, PostgresMedium, SqliteMedium
from tests.protocols.journal.turns import Turns


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

    def __init__(self, medium: Medium) -> None:
        self.medium = medium
        self.path = medium.where
        self.turns = Turns()
        self.disk = Disk(medium.failing())
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
        find = partial(self.medium.find, self.disk)
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


@pytest.fixture(params=NAMES)
def medium(request: pytest.FixtureRequest, tmp_path: Any) -> Medium:
    """Where the journal of a test is kept: one after the other, in whatever can keep one."""
    if request.param == "sqlite":
        return SqliteMedium(str(tmp_path / "games.db"))
    return PostgresMedium(request.getfixturevalue("database"))


@pytest.fixture(autouse=True)
def soon_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for less than a second before a lock that another daemon has is given up."""
    monkeypatch.setattr(lock, "_LAST_BREATH", 0.2)


@pytest.fixture
def rig(medium: Medium) -> Iterator[Rig]:
    rig = Rig(medium)
    yield rig
    rig.close_all()


@pytest.fixture
def own_server(rig: Rig, server: postgres.Server) -> Iterator[postgres.Server]:
    """The server of the tests, where it is ours to stop; it runs behind the test."""
    if postgres.GIVEN:
        pytest.skip("the server that was given is not ours to stop")
    yield server
    if not server.runs:
        server.start()


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
