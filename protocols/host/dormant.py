"""The dormant tables: those that are not awake, and the way back into memory for those and for others."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NoReturn

from attrs import frozen
from twisted.internet.defer import Deferred, fail
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.hall import Hall
from gamecore.record import Entry, Unreadable, read_records
from gamecore.table import Table
from protocols.journal.errors import JournalLost
from protocols.journal.interface import IndexRow, Journal

UNREACHABLE = "unreachable"  # the stage, in the index, of a table that nobody could come back to


@frozen
class StoredTable:
    """A table as it was read: the table time at which it goes on, and the hash that its record ends with."""

    table: Table
    at: float
    head: str


@frozen
class _Resting:
    """What must be known of a table that rests: how far its clocks ran, the house's age since then, its stage."""

    lasted: float
    since: float
    stage: str


class DormantTables:
    """Which tables rest in the journal, by their codes."""

    _log = Logger()

    def __init__(self, hall: Hall, journal: Journal) -> None:
        self._hall = hall
        self._journal = journal
        self._resting: dict[str, _Resting] = {}

    def __contains__(self, code: object) -> bool:
        return code in self._resting

    def __len__(self) -> int:
        return len(self._resting)

    def fill(self) -> Deferred[Sequence[str]]:
        """Read the journal's index; gives the codes of the tables where a bot is to move."""

        def put_all(index: Sequence[IndexRow]) -> Sequence[str]:
            for row in index:
                if row.stage in (Stage.ABANDONED.value, UNREACHABLE):
                    self._journal.retire(row.table)  # nobody can ever wake it
                else:
                    self._resting[row.table] = _Resting(row.lasted, row.rested, row.stage)
            return [row.table for row in index if row.bot and row.table in self._resting]

        return self._journal.index().addCallback(put_all)

    def put(self, table: Table) -> None:
        """Let a table rest from now on: no clock of it runs."""
        self._resting[table.code] = _Resting(0.0, self._journal.age, table.stage.value)
        self._journal.release(table.code)

    def forget(self, seconds: float, stage: str | None = None) -> int:
        """Give up the tables, all or those of one stage, that rest for more seconds of the house; says how many."""
        before = self._journal.age - seconds
        old = [
            code
            for code, resting in self._resting.items()
            if resting.since < before and stage in (None, resting.stage)
        ]
        for code in old:
            del self._resting[code]
            self._journal.retire(code)
        return len(old)

    def knows(self, code: str, hashed: str) -> Deferred[bool]:
        """Say whether the hash of a token stands anywhere in the record of a table.

        Fails with Refused ``table-unreadable`` if that cannot be said.
        """
        wanted = f'"{hashed}"'.encode()

        def look(lines: Sequence[bytes]) -> bool:
            found = any(wanted in line for line in lines)
            if not found:  # where somebody's token may have stood nobody can tell
                read_records(lines)
            return found

        reading = self._journal.read(code).addCallback(look)
        return reading.addErrback(self._cannot_read, code)

    def take(self, code: str) -> Deferred[StoredTable]:
        """Read a table that rests; it is dormant no more. Fails with Refused.

        The refusal is ``no-such-table``, ``table-unreadable``, or ``table-resting`` if it may be read another time.
        """
        if code not in self._resting:
            return fail(Refused("no-such-table"))
        reading = self._journal.claim(code).addCallback(lambda _: self.read(code))
        reading.addCallbacks(self._awake, self._cannot_read, callbackArgs=(), errbackArgs=(code,))
        return reading

    def _awake(self, stored: StoredTable) -> StoredTable:
        self._resting.pop(stored.table.code, None)
        return stored

    def _cannot_read(self, failure: Failure, code: str) -> NoReturn:
        if failure.check(Unreadable):
            self._log.error("table {code} cannot be read: {why}", code=code, why=failure.value)
            raise Refused("table-unreadable")
        if not failure.check(JournalLost):  # else it is in the log already
            self._log.failure("table {code} cannot be read", failure, code=code)
        raise Refused("table-resting")  # it may be read another time

    def read(self, code: str) -> Deferred[StoredTable]:
        """Read a table and replay it; fails with Unreadable."""
        return self._journal.read(code).addCallback(self._replay, code)

    def _replay(self, lines: Sequence[bytes], code: str) -> StoredTable:
        if code in self._hall:  # somebody else was first; two tables of one code must not be
            return StoredTable(self._hall.find(code), 0.0, "")
        entries = read_records(lines)
        table = self._hall.replay(entries)
        return StoredTable(
            table, self._goes_on_at(entries[-1], code), sha256(lines[-1]).hexdigest()
        )

    def _goes_on_at(self, last: Entry, code: str) -> float:
        """Say how far the clocks ran: what the daemon lived on after the last record was thought, and is gone."""
        resting = self._resting.get(code)
        return last.at if resting is None else max(last.at, resting.lasted)
