"""The Journal: the durable, ordered record of commands; and one that lives in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from gamecore.record import Record


class Journal(Protocol):
    """Where records are kept.

    The Host hands over one batch at a time and waits for it before the next, so batches are in order
    by themselves; an implementation never completes one before ``append`` has returned.
    """

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch, all of it or nothing; fires when nothing can make it forgotten."""

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table in their order."""

    def retire(self, table: str) -> None:
        """Take note that a table has ended and that nobody looks at it any more."""

    def close(self) -> Deferred[None]:
        """Finish what was begun; nothing is appended after."""


class MemoryJournal:
    """A journal that forgets everything with its process, for tests and embedding.

    It commits in a later turn of the reactor, as any journal does.
    """

    def __init__(self, clock: IReactorTime) -> None:
        self._clock = clock
        self._lines: dict[str, list[bytes]] = {}

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch from the next turn of the reactor on."""
        return deferLater(self._clock, 0, self._keep, batch)

    def _keep(self, batch: Sequence[Record]) -> None:
        for record in batch:
            self._lines.setdefault(record.table, []).append(record.line)

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table, as they stand in the next turn of the reactor."""
        return deferLater(self._clock, 0, lambda: list(self._lines.get(table, ())))

    def retire(self, table: str) -> None:
        """Forget the lines of a table."""
        self._lines.pop(table, None)

    def close(self) -> Deferred[None]:
        """Nothing is ever under way for longer than a turn."""
        return deferLater(self._clock, 0, lambda: None)
