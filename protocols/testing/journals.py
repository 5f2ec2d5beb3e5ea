"""Journals in memory: one that its process leaves to the next, and one whose commits are done by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from gamecore.record import Record
from protocols.journal.interface import IndexRow
from protocols.journal.memory import MemoryJournal

# What the index notes of a table: kind, stage, whether a bot is to move, began (None: it rests), card.
Kept = tuple[str, str, bool, float | None, str]


class KeptJournal(MemoryJournal):
    """A journal in memory that outlasts its process, as a file would, with its index."""

    def __init__(
        self,
        clock: IReactorTime,
        lines: Mapping[str, Sequence[bytes]] = {},
        noted: Mapping[str, Kept] = {},
        lived: float | None = None,
    ) -> None:
        super().__init__(clock)
        self._lines = {code: list(each) for code, each in lines.items()}
        self.noted: dict[str, Kept] = dict(noted)
        self.lived: float | None = None
        self.lasted: dict[str, float] = {}
        for code, (_, _, _, began, _) in self.noted.items():  # of the process before
            self.lasted[code] = 0.0 if began is None or lived is None else lived - began

    def next(self) -> KeptJournal:
        """Give the journal as the next process finds it."""
        return KeptJournal(self._clock, self._lines, self.noted, self.lived)

    def note(
        self, table: str, kind: str, stage: str, bot: bool, began: float, card: str = ""
    ) -> None:
        """Let the index say this at once."""
        self.noted[table] = (kind, stage, bot, began, card)

    def release(self, table: str) -> None:
        """Let the index say at once that a table rests."""
        kind, stage, bot, _, card = self.noted[table]
        self.noted[table] = (kind, stage, bot, None, card)

    def beat(self, lived: float, matters: bool) -> None:
        """Let the house age, and keep how long it has lived."""
        super().beat(lived, matters)
        if matters:
            self.lived = lived

    def retire(self, table: str, before: float | None = None) -> None:
        """Forget a table, in the index too."""
        super().retire(table, before)
        self.noted.pop(table, None)

    def index(self, after: str = "") -> Deferred[Sequence[IndexRow]]:
        """List the tables that the process before has left."""
        codes = sorted(code for code in self.noted if code > after)
        return deferLater(self._clock, 0, lambda: list(map(self._row, codes)))

    def _row(self, code: str) -> IndexRow:
        kind, stage, bot, _, card = self.noted[code]
        return IndexRow(code, kind, stage, bot, self.lasted[code], self.age, card)


class HandJournal(MemoryJournal):
    """A journal whose commits are done by hand; ``batches`` are all it was given, ``kept`` counts the records."""

    def __init__(self, clock: IReactorTime) -> None:
        super().__init__(clock)
        self.batches: list[list[Record]] = []
        self.kept = 0
        self._under_way: deque[tuple[Sequence[Record], Deferred[None]]] = deque()

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Wait for a test to commit a batch, or let it fail."""
        assert not self._under_way, "a batch was handed over while another was under way"
        self.batches.append(list(batch))
        self._under_way.append((batch, Deferred()))
        return self._under_way[0][1]

    def commit(self) -> None:
        """Complete the batch under way, if there is one."""
        if self._under_way:
            batch, done = self._under_way.popleft()
            self._keep(batch)
            self.kept += len(batch)
            done.callback(None)

    def fail(self) -> None:
        """Let the batch under way fail."""
        self._under_way.popleft()[1].errback(OSError("the disk is full"))
