"""The dormant tables: those that are not awake, and the way back into memory for those and for others."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NoReturn

from attrs import frozen
from twisted.internet.defer import Deferred, fail, inlineCallbacks
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.record import Entry, Unreadable, iterate_records
from gamecore.table import Table
from protocols.host.card import card_of, read_card
from protocols.host.directory import Directory
from protocols.host.slices import Slices, Work
from protocols.journal.errors import JournalLost
from protocols.journal.interface import IndexRow, Journal

VOID = "void"  # the stage of a table that was given up for it, and rests so that all can be told who come back
UNREACHABLE = "unreachable"  # the stage, in the index, of a table that nobody could come back to


@frozen
class Resting:
    """What must be known of a table that rests: how far its clocks ran, the house's age since then, its stage."""

    lasted: float
    since: float
    stage: str


@frozen
class StoredTable:
    """A table as it was read: the table time at which it goes on, and the hash that its record ends with.

    ``rested`` is how it rested, to put it back by if nothing is done at it.
    """

    table: Table
    at: float
    head: str
    rested: Resting


_AWAKE = Resting(0.0, 0.0, "")  # of a table that does not rest


class NotOurs(Exception):
    """Another run of the house has a table."""


def resting_stage(table: Table) -> str:
    """Say at which stage a table is, as the journal's index is to know it."""
    return VOID if table.void else table.stage.value


class DormantTables:
    """Which tables rest in the journal, by their codes."""

    _log = Logger()

    def __init__(self, hall: Hall, journal: Journal, directory: Directory, slices: Slices) -> None:
        self._slices = slices
        self._hall = hall
        self._journal = journal
        self._directory = directory
        self._resting: dict[str, Resting] = {}

    def __contains__(self, code: object) -> bool:
        return code in self._resting

    def __len__(self) -> int:
        return len(self._resting)

    def stage(self, code: str) -> str:
        """Say at which stage a table rests."""
        return self._resting[code].stage

    @inlineCallbacks
    def fill(self) -> Any:
        """Read the journal's index, some tables a turn; gives the codes of those where a bot is to move."""
        waiting: list[str] = []
        cardless: list[str] = []
        index: Sequence[IndexRow] = yield self._journal.index()
        while index:
            following = self._journal.index(index[-1].table)  # is read while this is put
            yield self._slices.run(self._put_rows(index, waiting, cardless))
            index = yield following
        self._draw_next(cardless)
        return waiting

    def _put_rows(
        self, index: Sequence[IndexRow], waiting: list[str], cardless: list[str]
    ) -> Work[None]:
        for row in index:
            if self._put_to_rest(row):
                yield  # what grows with the hundred thousandth table takes its time, too
                self._list(row, cardless)
                if row.bot:
                    waiting.append(row.table)
            yield

    def _put_to_rest(self, row: IndexRow) -> bool:
        if row.stage in (Stage.ABANDONED.value, UNREACHABLE):
            self._journal.retire(row.table)  # nobody can ever wake it
            return False
        self._resting[row.table] = Resting(row.lasted, row.rested, row.stage)
        return True

    def _list(self, row: IndexRow, cardless: list[str]) -> None:
        if row.stage == VOID:
            return  # no table to be found, but one to come back to
        card = None if row.card is None else read_card(row.table, row.kind, row.stage, row.card)
        if card is None:
            cardless.append(row.table)
        else:
            self._directory.put(card)

    def _draw_next(self, cardless: list[str]) -> None:
        """Draw the cards that an older Parlour has not written, one after the other, from the records."""
        if cardless:
            reading = self._journal.read(cardless.pop())
            reading.addCallback(lambda lines: self._slices.run(self._draw(lines)))
            reading.addErrback(
                lambda failure: self._log.info("a table cannot be listed: {f}", f=failure)
            )
            reading.addCallback(lambda _: self._draw_next(cardless))

    def _draw(self, lines: Sequence[bytes]) -> Work[None]:
        table, _ = yield from self._rebuild(lines)
        if table.code in self._resting:
            table.asleep = True
            self._directory.put(card_of(table))

    def _rebuild(self, lines: Sequence[bytes]) -> Work[tuple[Table, float]]:
        """Make a table of its lines; gives it, and the table time of the last of them. Raises Unreadable."""
        entries: list[Entry] = []
        for entry in iterate_records(lines):
            entries.append(entry)
            yield
        table = yield from self._hall.rebuilding(entries)
        return table, entries[-1].at

    def put(self, table: Table) -> None:
        """Let a table rest from now on: no clock of it runs."""
        self.put_back(table.code, Resting(0.0, self._journal.age, resting_stage(table)))
        self._journal.release(table.code)

    def put_back(self, code: str, rested: Resting) -> None:
        """Let a table rest as it did, since it was only looked at."""
        self._resting[code] = rested
        if rested.stage == VOID:
            self._directory.remove(code)

    def forget(self, seconds: float, stage: str | None = None) -> Deferred[int]:
        """Give up the tables, all or those of one stage, that rest for more seconds of the house; says how many."""
        return self._slices.run(self._forget(self._journal.age - seconds, stage))

    def give_up(self, seconds: float, days: float) -> None:
        """Forget all tables that rest for so long, which the log calls so many days, and log how many."""

        def log(count: int) -> None:
            if count:
                said = "{count} tables that nobody touched for {days:g} days are given up"
                self._log.info(said, count=count, days=days)

        self.forget(seconds).addCallback(log)

    def _forget(self, before: float, stage: str | None) -> Work[int]:
        count = 0
        for code in list(self._resting):
            resting = self._resting.get(code)  # it may have been woken meanwhile
            if resting is not None and resting.since < before and stage in (None, resting.stage):
                del self._resting[code]
                self._directory.remove(code)
                self._journal.retire(code)
                count += 1
            yield
        return count

    def take(self, code: str) -> Deferred[StoredTable]:
        """Read a table that rests; it is dormant no more. Fails with Refused.

        The refusal is ``no-such-table``, ``table-unreadable``, ``table-resting`` if it may be read another time,
        or ``closing`` if the journal is lost.
        """
        if code not in self._resting:
            return fail(Refused("no-such-table"))
        reading = self._journal.claim(code).addCallback(self._claimed, code)
        reading.addCallbacks(self._awake, self._cannot_read, callbackArgs=(), errbackArgs=(code,))
        return reading

    def _claimed(self, run: int, code: str) -> Deferred[StoredTable]:
        if run != self._journal.run:
            raise NotOurs(f"it belongs to run {run}")
        return self.read(code)

    def _awake(self, stored: StoredTable) -> StoredTable:
        if self._resting.pop(stored.table.code, None) is None:
            raise Refused("no-such-table")  # it was given up while it was read
        self._hall.keep(stored.table)
        return stored

    def _cannot_read(self, failure: Failure, code: str) -> NoReturn:
        if code not in self._resting:  # it was given up while it was read
            raise Refused("no-such-table")
        if failure.check(Unreadable):
            self._log.error("table {code} cannot be read: {why}", code=code, why=failure.value)
            raise Refused("table-unreadable")
        if failure.check(JournalLost):  # which is in the log already, and the end of the house
            raise Refused("closing")
        if failure.check(NotOurs):
            self._log.warn("table {code} cannot be woken: {why}", code=code, why=failure.value)
        else:
            self._log.failure("table {code} cannot be read", failure, code=code)
        raise Refused("table-resting")  # it may be read another time

    def read(self, code: str) -> Deferred[StoredTable]:
        """Read a table and replay it, a little of it a turn if it is long, to be kept; fails with Unreadable."""
        reading = self._journal.read(code)
        return reading.addCallback(lambda lines: self._slices.run(self._replay(lines, code)))

    def _replay(self, lines: Sequence[bytes], code: str) -> Work[StoredTable]:
        table, last = yield from self._rebuild(lines)
        rested = self._resting.get(code, _AWAKE)
        # What the daemon lived on after the last record was thought, and is gone.
        return StoredTable(table, max(last, rested.lasted), sha256(lines[-1]).hexdigest(), rested)
