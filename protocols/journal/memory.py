"""A journal that forgets everything with its process, for tests and embedding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from gamecore.record import Record
from protocols.journal.age import aged
from protocols.journal.interface import Claimed, IndexRow
from protocols.journal.memory_results import MemoryResults
from protocols.journal.results import RatingRow, ResultRow, results_of


def _hear_nothing(what: object) -> None:
    """Memory has no trouble to tell of."""


class MemoryJournal:
    """A Journal without a file: it commits in a later turn of the reactor, as any journal does."""

    run = 1
    codes_ahead = 0
    shared = False

    def __init__(self, clock: IReactorTime) -> None:
        self.on_trouble: Callable[[str | None], None] = _hear_nothing
        self.on_lost: Callable[[Exception], None] = _hear_nothing
        self.on_forgotten: Callable[[int], None] = _hear_nothing
        self.on_drain: Callable[[float], None] = _hear_nothing
        self.on_changed: Callable[[Sequence[IndexRow]], None] = _hear_nothing
        self.pending = 0
        self.age = 0.0
        self._lived: float | None = None
        self._clock = clock
        self._lines: dict[str, list[bytes]] = {}
        self._results = MemoryResults()

    def open(self) -> None:
        """There is nothing to take."""

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch from the next turn of the reactor on."""
        self.pending += len(batch)
        return deferLater(self._clock, 0, self._keep, batch)

    def _keep(self, batch: Sequence[Record]) -> None:
        self.pending -= len(batch)
        for record in batch:
            self._lines.setdefault(record.table, []).append(record.line)
        self._results.put(results_of(batch), self.age)

    def note(
        self, table: str, kind: str, stage: str, bot: bool, began: float, card: str = ""
    ) -> None:
        """Nobody will ever ask: the index is for the next process."""

    def release(self, table: str) -> None:
        """Nobody will ever ask."""

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table, as they stand in the next turn of the reactor."""
        return deferLater(self._clock, 0, lambda: list(self._lines.get(table, ())))

    def read_finished(self, table: str) -> Deferred[bytes | None]:
        """What was retired is forgotten."""
        return deferLater(self._clock, 0, lambda: None)

    def history(self, who: Sequence[str], most: int) -> Deferred[Sequence[ResultRow]]:
        """List the latest games of some names or accounts, but for those that are hidden."""
        return deferLater(self._clock, 0, self._results.history, who, most)

    def ratings(self, account: str) -> Deferred[Sequence[RatingRow]]:
        """List what an account is rated, by pool."""
        return deferLater(self._clock, 0, self._results.ratings, account)

    def top(self, pool: str, who: str, most: int) -> Deferred[Sequence[RatingRow]]:
        """List the best of a pool; ``who`` is ``people``, ``bots`` or ``all``."""
        return deferLater(self._clock, 0, self._results.top, pool, who, self.age, most)

    def index(self, after: str = "") -> Deferred[Sequence[IndexRow]]:
        """A new process has no tables."""
        return deferLater(self._clock, 0, list)

    def claim(self, table: str) -> Deferred[Claimed]:
        """Nobody else can write here."""
        return deferLater(self._clock, 0, lambda: Claimed(self.run))

    def give_back(self, table: str) -> None:
        """Nobody else can have it."""

    def adopt(self, table: str) -> Deferred[bool]:
        """No dead run has left anything."""
        return succeed(True)

    def adopted(self, table: str) -> None:
        """Nothing was counted."""

    def reserve(self, draw: Callable[[], str], count: int) -> Deferred[Sequence[str]]:
        """Nobody else draws codes here, so one at a time will do, and is there at once."""
        return succeed([draw()])

    def retire(self, table: str, before: float | None = None) -> None:
        """Forget the lines of a table."""
        self._lines.pop(table, None)

    def forget(self, age: float) -> None:
        """What has ended is forgotten already."""

    def beat(self, lived: float, matters: bool) -> None:
        """Let the house age."""
        self.age += aged(self._lived, lived)
        self._lived = lived

    def close(self) -> Deferred[None]:
        """Nothing is ever under way for longer than a turn."""
        return deferLater(self._clock, 0, lambda: None)
