"""The durable journal: one SQLite file, written by a process of its own.

Here is what the daemon sees of it.  On the daemon's side, ``sqlite_spawn`` starts that process and
``sqlite_writer`` talks to it; ``sqlite_wire`` is what they say.  On the other side, ``sqlite_child`` is the
process, which reads at its ``sqlite_desk`` what it is to do, and does it as a ``worker``.  ``sqlite_store``
is what is read and written, ``sqlite_file`` the file itself: its lock, its mode, its schema.

A commit that fails is tried again until it succeeds; in the meantime ``on_trouble`` has been called, nothing
fires, and nothing is lost or reordered.  A writer that is killed is not replaced: the journal is lost then, and
the daemon ends and is started again by whoever looks after it, which is the way that every crash goes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from attrs import frozen
from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.interfaces import IReactorFDSet
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.record import Record
from protocols.journal.lost import JournalLost
from protocols.journal.sqlite.file import JournalRefused, hold, make_folder, make_private, release
from protocols.journal.sqlite.store import (
    FinishedRow,
    LiveRow,
    Note,
    pack,
    rows_of,
    unpack,
)
from protocols.journal.worker_spawn import Start, start_child
from protocols.journal.writer import Writer, WriterCallbacks

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


@frozen
class Live:
    """One table that has not been retired: its row in the index, and what its last record says.

    ``lived_until`` is the last sign of life of the run that wrote this record.
    """

    table: str
    kind: str
    stage: str
    bot: bool
    at: float
    wall: float
    sequence: int
    head: str
    lived_until: float


@frozen
class Finished:
    """One table that was retired, and the wall time of its last record."""

    table: str
    kind: str
    ended: float


class JournalUndone(Exception):
    """The journal was closed while it could not be written; ``commands`` were never committed."""

    def __init__(self, commands: int) -> None:
        super().__init__(f"{commands} commands are not in the journal and nobody was told of them")
        self.commands = commands


class SqliteJournal:
    """A journal in a file, for one daemon at a time.

    ``open`` it in the process and after the fork that will use it.  ``on_trouble`` and ``on_lost`` may be set.
    """

    _log = Logger()

    def __init__(
        self,
        path: str,
        reactor: IReactorFDSet,
        wall: Callable[[], float],
        *,
        compact: Callable[..., bytes] | None = None,
        start: Start = start_child,
    ) -> None:
        """Name the file; ``wall`` tells the time of day, ``compact`` makes one record of a table that ended.

        ``compact`` is a function of a module, since it is called in the writer's process, with the lines of the
        table and a Registry of the games installed.  What a partial has bound stays behind.
        """
        self.path = os.path.realpath(path)
        self.on_trouble: Callable[[str | None], None] = self._log_trouble
        self.on_lost: Callable[[Exception], None] = self._log_lost
        self._wall = wall
        self._compact = None if compact is None else _name(compact)
        self._start = start
        self._writer = Writer(reactor, WriterCallbacks(self._trouble, self._odd, self._ended))
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
                self._writer.open(self._start, self._lock, self.path, self._wall(), self._compact)
            except BaseException:
                self._release()
                raise
        except OSError as problem:
            raise JournalRefused(f"the journal {self.path} cannot be used: {problem}") from problem

    # -- records ----------------------------------------------------------------------

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Commit a batch, all of it or nothing; fires in a later turn, when it is on the disk."""
        notes, self._notes = self._notes, {}
        self._pending += len(batch)
        done = self._writer.ask("append", rows_of(batch), notes)
        return done.addCallback(self._appended, len(batch))

    def _appended(self, _: None, commands: int) -> None:
        self._pending -= commands

    def note(self, table: str, kind: str, stage: str, bot: bool) -> None:
        """Let the row of a table in the index change together with the next batch."""
        self._notes[table] = (kind, stage, bot)

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of a live table in their order."""
        return self._ask("read", table)

    def live(self) -> Deferred[Sequence[Live]]:
        """List the tables that were noted and have not been retired."""
        return self._ask("live").addCallback(_live)

    def claim(self, table: str) -> Deferred[int]:
        """Give the epoch in which a table may be written: the run, for here one daemon has all tables."""
        return self._ask("claim", table)

    def beat(self) -> None:
        """Leave a sign of life; one that waits already will do."""
        if not self._beating:
            self._beating = True
            self._writer.ask("beat", self._wall()).addCallback(self._beaten)

    def _beaten(self, _: None) -> None:
        self._beating = False

    # -- tables that have ended -------------------------------------------------------

    def retire(self, table: str) -> None:
        """Make a table that has ended one compact row among the finished, when there is time.

        A crash may forget that this was asked for, but leaves the table either live or finished.
        """
        self._writer.tell("retire", table)

    def finished(self) -> Deferred[Sequence[Finished]]:
        """List the tables that were retired, the latest first."""
        return self._ask("finished").addCallback(_finished)

    def read_finished(self, table: str) -> Deferred[bytes | None]:
        """Read the compact record of a retired table; the latest, should two have had the same code."""
        return self._ask("read_finished", table)

    def forget_finished(self, before_wall: float) -> None:
        """Delete what ended before a wall time, when there is time."""
        self._writer.tell("forget", before_wall)

    # -- the end ----------------------------------------------------------------------

    def close(self) -> Deferred[None]:
        """Finish what was begun and let go of the file; fails with JournalUndone if it cannot be finished."""
        if self._lock is None:
            return succeed(None) if not self._pending else fail(JournalUndone(self._pending))
        self._closed = Deferred()
        self._writer.tell("close")
        return self._closed

    def _ended(self, why: JournalLost | None) -> None:
        """Hear that the writer is gone, whether it was asked to go or not."""
        self._release()
        if why is not None:
            self._lose(why)
        if self._closed is not None:
            undone = self._pending
            self._closed.callback(None) if not undone else self._closed.errback(
                JournalUndone(undone)
            )

    def _lose(self, why: JournalLost) -> None:
        self._lost = why
        self.on_lost(why)

    def _release(self) -> None:
        if self._lock is not None:
            release(self._lock)
            self._lock = None

    # -- what the writer says ----------------------------------------------------------

    def _ask(self, question: str, *values: object) -> Deferred[Any]:
        if self._lost is not None:
            return fail(self._lost)
        return self._writer.ask("ask", question, *values)

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


def _live(rows: Sequence[LiveRow]) -> Sequence[Live]:
    return [Live(*row) for row in rows]


def _finished(rows: Sequence[FinishedRow]) -> Sequence[Finished]:
    return [Finished(*row) for row in rows]


def _name(function: Callable[..., bytes]) -> str:
    """Name a function so that another process can find it."""
    if isinstance(function, partial):
        function = function.func
    return f"{function.__module__}:{function.__qualname__}"
