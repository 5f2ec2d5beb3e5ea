"""Journals in memory: left to the next process, shared by several, and done by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import deferLater

from gamecore.record import Record
from protocols.journal.house import LEASE, Followed, PeerRow
from protocols.journal.interface import RETIRED, SET_ASIDE, Claimed, IndexRow
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
        deaths: Mapping[str, int] = {},
    ) -> None:
        super().__init__(clock)
        self._lines = {code: list(each) for code, each in lines.items()}
        self.noted: dict[str, Kept] = dict(noted)
        self.deaths: dict[str, int] = dict(deaths)  # by table: runs that ended in its replay
        self.lived: float | None = None
        self.lasted: dict[str, float] = {}
        for code, (_, _, _, began, _) in self.noted.items():  # of the process before
            self.lasted[code] = 0.0 if began is None or lived is None else lived - began

    def next(self) -> KeptJournal:
        """Give the journal as the next process finds it."""
        return KeptJournal(self._clock, self._lines, self.noted, self.lived, self.deaths)

    def note(
        self, table: str, kind: str, stage: str, bot: bool, began: float, card: str = ""
    ) -> None:
        """Let the index say this at once."""
        self.noted[table] = (kind, stage, bot, began, card)
        self.deaths.pop(table, None)

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
        kind, stage, bot, began, card = self.noted[code]
        deaths = None if began is None else self.deaths.get(code, 0)
        row = IndexRow(code, kind, stage, bot, self.lasted[code], self.age, card)
        return row._replace(deaths=deaths)

    def adopt(self, table: str) -> Deferred[bool]:
        """Count a replay in the next turn."""

        def count() -> bool:
            before = self.deaths.get(table, 0)
            self.deaths[table] = min(before + 1, SET_ASIDE)
            return before < SET_ASIDE

        return deferLater(self._clock, 0, count)

    def adopted(self, table: str) -> None:
        """Clear the count at once."""
        self.deaths[table] = 0


class SharedJournal(MemoryJournal):
    """One of several journals whose tables are the same, as those of the daemons on one database are.

    What the others have changed is heard of with the next sign of life, and not before. One that ``fails`` is in
    trouble, and commits nothing until it ``recovers``; the others are not.
    """

    shared = True

    def __init__(self, clock: IReactorTime, first: SharedJournal | None = None) -> None:
        super().__init__(clock)
        self._all: list[SharedJournal] = [] if first is None else first._all
        self._rows: dict[str, IndexRow] = {} if first is None else first._rows
        if first is not None:
            self._lines = first._lines
        self._all.append(self)
        self.run = len(self._all)
        self.claims: list[str] = []
        self._news: dict[str, None] = {}  # codes of the tables that others have changed
        self.dead = False
        self._recovery: Deferred[None] | None = None
        self._mourned: set[int] = set()  # runs of whose end this one has heard
        self.on_peers: Callable[[Sequence[PeerRow]], None] = lambda peers: None
        self.found: PeerRow | None = None  # where this run is found, and how it proves itself
        # Of all runs: who has a table once its owner is gone, and who has asked for a record.
        self._heirs: dict[str, int] = {} if first is None else first._heirs
        self._asked: dict[tuple[str, int], str] = {} if first is None else first._asked
        # Which table of which run was offered to newcomers, by what is played there.
        self._offers: dict[str, dict[str, int]] = {} if first is None else first._offers

    def fail(self, trouble: str) -> None:
        """Be in trouble."""
        self._recovery = Deferred()
        self.on_trouble(trouble)

    def recover(self) -> None:
        """Commit all that waits, in its order, and be in trouble no more."""
        recovery, self._recovery = self._recovery, None
        if recovery is not None:
            recovery.callback(None)
            self.on_trouble(None)

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch from the next turn of the reactor on, or once the journal has recovered."""
        if self._recovery is None:
            return super().append(batch)
        self.pending += len(batch)
        done: Deferred[None] = Deferred()
        self._recovery.addCallback(lambda _: self._keep(batch)).addCallback(done.callback)
        return done

    def _change(self, row: IndexRow) -> None:
        if row.stage == RETIRED:
            self._rows.pop(row.table, None)
        else:
            self._rows[row.table] = row
        for each in self._all:
            if each is not self:
                each._news[row.table] = None

    def note(
        self, table: str, kind: str, stage: str, bot: bool, began: float, card: str = ""
    ) -> None:
        """Let the index say this at once."""
        self._change(IndexRow(table, kind, stage, bot, 0.0, self.age, card, self.run))

    def release(self, table: str) -> None:
        """Let the index say at once that a table rests."""
        self._change(self._rows[table]._replace(owner=0))

    def retire(self, table: str, before: float | None = None) -> None:
        """Forget a table, in the index too."""
        super().retire(table, before)
        self._change(_retired(table))

    def claim(self, table: str) -> Deferred[Claimed]:
        """Take a table, in the next turn, unless another has it."""
        self.claims.append(table)
        return deferLater(self._clock, 0, self._claim, table)

    def _claim(self, table: str) -> Claimed:
        row = self._rows.get(table)
        if row is None:
            return Claimed(0)
        owner = next((run for run in (row.owner, self._heirs.get(table, 0)) if self._lives(run)), 0)
        row = row._replace(owner=owner or self.run)
        if row.owner == self.run:
            self._rows[table] = row
            self.unmirror(table)
        return Claimed(row.owner, row)

    def _lives(self, run: int) -> bool:
        return bool(run) and not self._all[run - 1].dead

    def give_back(self, table: str) -> None:
        """Let go of a table, of which the others have heard nothing."""
        self._rows[table] = self._rows[table]._replace(owner=0)

    def index(self, after: str = "") -> Deferred[Sequence[IndexRow]]:
        """List the tables of all."""
        codes = sorted(code for code in self._rows if code > after)
        return deferLater(self._clock, 0, lambda: [self._rows[code] for code in codes])

    def beat(self, lived: float, matters: bool) -> None:
        """Let the house age, and hear of the others."""
        super().beat(lived, matters)
        for run in range(1, len(self._all) + 1):
            if run not in self._mourned and not self._lives(run):
                self._mourned.add(run)
                self._news.update(
                    {code: None for code, row in self._rows.items() if row.owner == run}
                )
        news, self._news = self._news, {}
        self.on_changed(list(map(self._told, news)))
        living = [each for each in self._all if each is not self and not each.dead]
        self.on_peers([each.found for each in living if each.found is not None])

    def _told(self, code: str) -> IndexRow:
        """Give the row of a table as the others are told of it: what is dead has no table."""
        row = self._rows.get(code) or _retired(code)
        return row if self._lives(row.owner) else row._replace(owner=0)

    # -- linked daemons -----------------------------------------------------------------

    def _keep(self, batch: Sequence[Record]) -> None:
        if self.dead:
            return  # its daemon will never hear of it
        super()._keep(batch)
        for record in batch:
            self._asked[record.table, record.sequence] = record.asked

    def link(self, where: str, key: str) -> None:
        """Let the others know where this run is found."""
        self.found = PeerRow(self.run, where, key)

    def judge(self, run: int) -> Deferred[float]:
        """Say in the next turn whether a run lives: one does that is not ``dead``."""
        return deferLater(self._clock, 0, lambda: LEASE if self._lives(run) else 0.0)

    def mirror(self, table: str, after: int = -1) -> Deferred[Sequence[Followed]]:
        """Be the heir of a table that has none, and read its records in the next turn."""
        return deferLater(self._clock, 0, self._mirror, table, after)

    def _mirror(self, table: str, after: int) -> Sequence[Followed]:
        if self._rows[table].owner != self.run and not self._lives(self._heirs.get(table, 0)):
            self._heirs[table] = self.run
        lines = self._lines.get(table, [])
        numbers = range(after + 1, len(lines))
        return [(lines[number], self._asked.get((table, number), "")) for number in numbers]

    def unmirror(self, table: str) -> None:
        """Be the heir of a table no more."""
        if self._heirs.get(table) == self.run:
            del self._heirs[table]

    def offer(self, game: str, code: str, tried: Sequence[str]) -> Deferred[str]:
        """Answer in the next turn, by what stands at that moment."""

        def first() -> str:
            offered = self._offers.setdefault(game, {})
            for each in list(offered):
                row = self._rows.get(each)
                begun = row is not None and row.stage not in ("gathering", "unreachable")
                if each in tried or begun or not self._lives(offered[each]):
                    del offered[each]
            if not offered:
                offered[code] = self.run
            return next(iter(offered))

        return deferLater(self._clock, 0, first)

    def hand_over(self, table: str) -> Deferred[None]:
        """Let go of a table in the next turn."""
        return deferLater(self._clock, 0, self.give_back, table)

    def close(self) -> Deferred[None]:
        """Let the others have what was awake here."""
        for row in list(self._rows.values()):
            if row.owner == self.run:
                self.release(row.table)
        return super().close()


def _retired(table: str) -> IndexRow:
    return IndexRow(table, "", RETIRED, False, 0.0, 0.0)


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
