"""What a journal is to the daemon, what an engine is to a journal, and what those see who only read.

``Journal`` is the durable, ordered record of commands as the Host knows it, whatever engine keeps it.  ``Store``
is what an engine does for it, in the writer's process.  ``Archive`` is a journal for those who look up what has
ended.  None of it needs Twisted to be imported: the writer's process starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred

    from gamecore.record import Record

Compact = Callable[
    [Sequence[bytes]], bytes
]  # makes one blob of the lines of a table that has ended
Row = tuple[str, int, float, float, bytes]  # of a record: table, sequence, at, wall, line
Note = tuple[str, str, bool]  # of a table: kind, stage, whether a bot is to move


class IndexRow(NamedTuple):
    """A table that has not ended, as the index of a journal knows it.

    ``at`` and ``wall`` are those of its last record, ``lived_until`` is the last sign of life, in wall time,
    of the daemon that wrote it; ``bot`` says that a bot is to move.
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


class FinishedRow(NamedTuple):
    """A table that was retired, and the wall time of its last record."""

    table: str
    kind: str
    ended: float


class Journal(Protocol):
    """Where records are kept.

    The Host hands over one batch at a time and waits for it before the next, so batches are in order
    by themselves; an implementation never completes one before ``append`` has returned.
    """

    on_trouble: Callable[[str | None], None]
    """Called with a sentence when commits begin to fail, and with None when they succeed again."""

    on_lost: Callable[[Exception], None]
    """Called once when nothing can be written any more, ever."""

    @property
    def pending(self) -> int:
        """How many commands were handed over and may still be forgotten."""

    def open(self) -> None:
        """Take the journal and begin a new run, in the process that will use it.

        Blocks, and raises JournalRefused.
        """

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch, all of it or nothing; fires when nothing can make it forgotten."""

    def note(self, table: str, kind: str, stage: str, bot: bool) -> None:
        """Let the index say this of a table, from the next batch on."""

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table in their order; fails with JournalFailed or JournalLost."""

    def index(self) -> Deferred[Sequence[IndexRow]]:
        """List the tables that were noted and have not been retired."""

    def claim(self, table: str) -> Deferred[int]:
        """Take a table for this daemon: gives the epoch that every append checks."""

    def retire(self, table: str) -> None:
        """Take note that a table has ended and that nobody looks at it any more."""

    def forget_finished(self, before_wall: float) -> None:
        """Delete what ended before a wall time, when there is time."""

    def beat(self) -> None:
        """Leave a sign of life, from which a table that is read again learns how long its clocks ran."""

    def close(self) -> Deferred[None]:
        """Finish what was begun; nothing is appended after. Fails with JournalUndone."""


class Lock(Protocol):
    """That nobody else writes a journal, from before its writer starts until after it has ended."""

    @property
    def descriptors(self) -> Sequence[int]:
        """Open files in which the writer's process has a share."""

    def release(self) -> None:
        """Let the next one have the journal."""


class Store(Protocol):
    """What an engine does, in the writer's process: it blocks, and one thing is asked of it at a time.

    ``run`` is what it writes for, ``weight`` how much there is to put in order: about one a record written since
    that was done.  Whatever an engine raises is one of its ``errors``; ``may_pass`` tells those which are worth
    another try, behind a call of ``recover``.
    """

    errors: tuple[type[Exception], ...]
    run: int
    weight: int

    def open(self, wall: float) -> None:
        """Open the journal, making it if there is none, and begin a new run; raises JournalRefused."""

    def close(self) -> None:
        """Let go of the journal."""

    def may_pass(self, problem: Exception) -> bool:
        """Tell a trouble that may pass, as of a full disk, from a mistake of ours, which will not."""

    def recover(self, problem: Exception) -> None:
        """Find out what a failed commit has left."""

    def keep(self, rows: Sequence[Row], notes: Mapping[str, Note]) -> None:
        """Commit a batch and its notes, all or nothing; a record that is there already counts as written.

        Raises JournalLost if another record is there, or a record's predecessor is not, or we are fenced.
        """

    def beat(self, wall: float) -> None:
        """Commit a sign of life of this run; raises JournalLost if we are fenced."""

    def settle(self) -> None:
        """Bring everything up to date, so that questions may be asked."""

    def tidy(self) -> None:
        """Settle, and do what else there is time for."""

    def retire(self, tables: Sequence[str], compact: Compact) -> None:
        """Make each of these tables one compact row among the finished, all of them or none."""

    def forget_finished(self, before: float) -> None:
        """Delete the finished tables that ended before a wall time."""

    def claim(self, table: str) -> int:
        """Give the run that a table belongs to: ours, if it rested or its run is dead."""

    def read(self, table: str) -> Sequence[bytes]:
        """Read the lines of a live table in their order."""

    def index(self) -> Sequence[IndexRow]:
        """List the tables that have not been retired."""

    def finished(self) -> Sequence[FinishedRow]:
        """List the tables that were retired, the latest first."""

    def read_finished(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that was retired."""


class Archive(Protocol):
    """A journal for those who only look up what has ended; raises JournalFailed."""

    def read(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that has ended; None if there is none."""

    def is_live(self, table: str) -> bool:
        """Say whether there is a record of a table that has not ended."""

    def close(self) -> None:
        """Let go of the journal."""
