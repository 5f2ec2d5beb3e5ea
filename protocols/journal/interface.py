"""The Journal: the durable, ordered record of commands; and one that lives in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from gamecore.record import Record


class Live(Protocol):
    """A table that has not ended, as the index of a journal knows it.

    ``at`` and ``wall`` are those of its last record, ``lived_until`` is the last sign of life, in wall time,
    of the daemon that wrote it; ``bot`` says that a bot is to move.
    """

    @property
    def table(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def stage(self) -> str: ...
    @property
    def bot(self) -> bool: ...
    @property
    def at(self) -> float: ...
    @property
    def wall(self) -> float: ...
    @property
    def lived_until(self) -> float: ...


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

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch, all of it or nothing; fires when nothing can make it forgotten."""

    def note(self, table: str, kind: str, stage: str, bot: bool) -> None:
        """Let the index say this of a table, from the next batch on."""

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table in their order."""

    def live(self) -> Deferred[Any]:
        """List the tables that have not ended, as a sequence of Live."""

    def claim(self, table: str) -> Deferred[int]:
        """Take a table for this daemon: gives the epoch that every append checks."""

    def retire(self, table: str) -> None:
        """Take note that a table has ended and that nobody looks at it any more."""

    def beat(self) -> None:
        """Leave a sign of life, from which a table that is read again learns how long its clocks ran."""

    def close(self) -> Deferred[None]:
        """Finish what was begun; nothing is appended after."""


def _hear_nothing(what: object) -> None:
    """Memory has no trouble to tell of."""


class MemoryJournal:
    """A journal that forgets everything with its process, for tests and embedding.

    It commits in a later turn of the reactor, as any journal does.
    """

    def __init__(self, clock: IReactorTime) -> None:
        self.on_trouble: Callable[[str | None], None] = _hear_nothing
        self.on_lost: Callable[[Exception], None] = _hear_nothing
        self.pending = 0
        self._clock = clock
        self._lines: dict[str, list[bytes]] = {}

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch from the next turn of the reactor on."""
        self.pending += len(batch)
        return deferLater(self._clock, 0, self._keep, batch)

    def _keep(self, batch: Sequence[Record]) -> None:
        self.pending -= len(batch)
        for record in batch:
            self._lines.setdefault(record.table, []).append(record.line)

    def note(self, table: str, kind: str, stage: str, bot: bool) -> None:
        """Nobody will ever ask: the index is for the next process."""

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table, as they stand in the next turn of the reactor."""
        return deferLater(self._clock, 0, lambda: list(self._lines.get(table, ())))

    def live(self) -> Deferred[Sequence[Live]]:
        """A new process has no tables."""
        return deferLater(self._clock, 0, list)

    def claim(self, table: str) -> Deferred[int]:
        """Nobody else can write here."""
        return deferLater(self._clock, 0, lambda: 1)

    def retire(self, table: str) -> None:
        """Forget the lines of a table."""
        self._lines.pop(table, None)

    def beat(self) -> None:
        """Nobody will ever ask."""

    def close(self) -> Deferred[None]:
        """Nothing is ever under way for longer than a turn."""
        return deferLater(self._clock, 0, lambda: None)
