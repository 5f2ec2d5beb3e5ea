"""The durable journal: one SQLite file, written by a thread.

Here is what the reactor's thread sees of it.  ``sqlite_writer`` is the thread, ``sqlite_store`` what it reads
and writes, ``sqlite_file`` the file itself: its lock, its mode, its schema.

A commit that fails is tried again until it succeeds; in the meantime ``on_trouble`` has been called, nothing
fires, and nothing is lost or reordered.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.interfaces import IReactorFromThreads
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.record import Record
from protocols.daemon.sqlite_file import (
    JournalRefused,
    connect,
    hold,
    make_folder,
    make_private,
    release,
)
from protocols.daemon.sqlite_store import (
    Compact,
    Connect,
    Finished,
    JournalLost,
    Live,
    Note,
    Store,
    pack,
    unpack,
)
from protocols.daemon.sqlite_writer import IDLE, WAITS, Ears, Writer

__all__ = [
    "Finished",
    "JournalLost",
    "JournalRefused",
    "JournalUndone",
    "Live",
    "SqliteJournal",
    "pack",
    "unpack",
]

T = TypeVar("T")


class JournalUndone(Exception):
    """The journal was closed while it could not be written; ``commands`` were never committed."""

    def __init__(self, commands: int) -> None:
        super().__init__(f"{commands} commands are not in the journal and nobody was told of them")
        self.commands = commands


class SqliteJournal:
    """A journal in a file, for one daemon at a time.

    ``open`` it in the process and after the fork that will use it.  ``on_trouble`` and ``on_lost`` may be set;
    both are called in the reactor's thread.
    """

    _log = Logger()

    def __init__(
        self,
        path: str,
        reactor: IReactorFromThreads,
        wall: Callable[[], float],
        *,
        compact: Compact = pack,
        connect: Connect = connect,
        waits: Sequence[float] = WAITS,
        idle: float = IDLE,
    ) -> None:
        """Name the file; ``wall`` tells the time of day, ``compact`` makes one record of a table that ended.

        ``compact`` is called in the writer's thread.
        """
        self.path = os.path.realpath(path)
        self.on_trouble: Callable[[str | None], None] = self._log_trouble
        self.on_lost: Callable[[Exception], None] = self._log_lost
        self._wall = wall
        self._store = Store(self.path, connect)
        ears = Ears(reactor.callFromThread, self._trouble, self._odd, self._ended)
        self._writer = Writer(self._store, ears, compact, waits, idle)
        self._lock: int | None = None
        self._lost: JournalLost | None = None
        self._closed: Deferred[None] | None = None
        self._notes: dict[str, Note] = {}
        self._beating = False
        self._pending = 0

    @property
    def pending(self) -> int:
        """How many commands were handed over and are not durable yet."""
        return self._pending

    def open(self) -> None:
        """Take the journal and begin a new run; blocks, and raises JournalRefused."""
        try:
            make_folder(self.path)
            self._lock = hold(self.path)
            try:
                make_private(self.path)
                self._store.open(self._wall())
            except BaseException:
                self._release()
                raise
        except (OSError, sqlite3.Error, JournalLost) as problem:
            raise JournalRefused(f"the journal {self.path} cannot be used: {problem}") from problem
        self._writer.start()

    # -- records ----------------------------------------------------------------------

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Commit a batch, all of it or nothing; fires in a later turn, when it is on the disk."""
        done: Deferred[None] = Deferred()
        notes, self._notes = self._notes, {}
        self._pending += len(batch)
        self._writer.append(batch, notes, partial(self._appended, done))
        return done

    def _appended(self, done: Deferred[None], commands: int) -> None:
        self._pending -= commands
        done.callback(None)

    def note(self, table: str, kind: str, stage: str, bot: bool) -> None:
        """Let the row of a table in the index change together with the next batch."""
        self._notes[table] = (kind, stage, bot)

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of a live table in their order."""
        return self._ask(partial(self._store.read, table))

    def live(self) -> Deferred[Sequence[Live]]:
        """List the tables that were noted and have not been retired."""
        return self._ask(self._store.live)

    def claim(self, table: str) -> Deferred[int]:
        """Give the epoch in which a table may be written: the run, for here one daemon has all tables."""
        return self._ask(lambda: self._store.run)

    def beat(self) -> None:
        """Leave a sign of life; one that waits already will do."""
        if not self._beating:
            self._beating = True
            self._writer.beat(self._wall(), self._beaten)

    def _beaten(self) -> None:
        self._beating = False

    # -- tables that have ended -------------------------------------------------------

    def retire(self, table: str) -> None:
        """Make a table that has ended one compact row among the finished, when there is time.

        A crash may forget that this was asked for, but leaves the table either live or finished.
        """
        self._writer.retire(table)

    def finished(self) -> Deferred[Sequence[Finished]]:
        """List the tables that were retired, the latest first."""
        return self._ask(self._store.finished)

    def read_finished(self, table: str) -> Deferred[bytes | None]:
        """Read the compact record of a retired table; the latest, should two have had the same code."""
        return self._ask(partial(self._store.read_finished, table))

    def forget_finished(self, before_wall: float) -> None:
        """Delete what ended before a wall time, when there is time."""
        self._writer.forget_finished(before_wall)

    # -- the end ----------------------------------------------------------------------

    def close(self) -> Deferred[None]:
        """Finish what was begun and let go of the file; fails with JournalUndone if it cannot be finished."""
        if self._lock is None:
            return succeed(None) if not self._pending else fail(JournalUndone(self._pending))
        self._closed = Deferred()
        self._writer.close()
        return self._closed

    def _ended(self, why: Exception | None) -> None:
        """Hear that the writer's thread has ended, whether it was asked to or not."""
        self._writer.join()
        self._release()
        if why is not None:
            self._lose(why)
        if self._closed is not None:
            undone = self._pending
            self._closed.callback(None) if not undone else self._closed.errback(
                JournalUndone(undone)
            )

    def _lose(self, why: Exception) -> None:
        if not isinstance(why, JournalLost):
            lost = JournalLost(f"the journal's writer failed: {why!r}")
            lost.__cause__ = why
            why = lost
        self._lost = why
        self.on_lost(why)

    def _release(self) -> None:
        if self._lock is not None:
            release(self._lock)
            self._lock = None

    # -- between the threads ----------------------------------------------------------

    def _ask(self, question: Callable[[], T]) -> Deferred[T]:
        if self._lost is not None:
            return fail(self._lost)
        asked: Deferred[T] = Deferred()
        self._writer.ask(question, asked.callback, asked.errback)
        return asked

    def _trouble(self, trouble: str | None) -> None:
        self.on_trouble(trouble)

    def _log_trouble(self, trouble: str | None) -> None:
        if trouble is None:
            self._log.info("the journal can be written again")
        else:
            self._log.error("{trouble}", trouble=trouble)

    def _log_lost(self, lost: Exception) -> None:
        self._log.critical("the journal is lost: {lost}", lost=lost)

    def _odd(self, what: str, problem: Exception) -> None:
        self._log.failure("{what}", Failure(problem), what=what)
