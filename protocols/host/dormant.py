"""The dormant tables: those that are not awake, and the way back into memory for those and for others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NoReturn, TypeVar, cast

from attrs import evolve, frozen
from twisted.internet.defer import Deferred, fail, inlineCallbacks
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.hall import Hall, is_code
from gamecore.record import Entry, Unreadable, iterate_records
from gamecore.table import Table
from protocols.host.adopting import Adopting
from protocols.host.card import Card, card_of, read_card
from protocols.host.directory import Directory
from protocols.host.slices import Slices, Work
from protocols.host.unread import log_unread
from protocols.journal.errors import JournalFailed, JournalLost
from protocols.journal.interface import RETIRED, SET_ASIDE, Claimed, IndexRow, Journal

T = TypeVar("T")

VOID = "void"  # the stage of a table that was given up for it, and rests so that all can be told who come back
UNREACHABLE = "unreachable"  # the stage, in the index, of a table that nobody could come back to


@frozen
class Resting:
    """What must be known of a table that rests: how far its clocks ran, the house's age since then, its stage.

    One that another run of the house has awake, its ``owner``, is not ours to give up. ``deaths`` is how many runs
    have ended while they replayed it, None unless it was left awake.
    """

    lasted: float
    since: float
    stage: str
    owner: int = 0
    deaths: int | None = None

    @property
    def set_aside(self) -> bool:
        """Whether nobody wakes it until it is brought back."""
        return (self.deaths or 0) >= SET_ASIDE


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


def resting_stage(table: Table) -> str:
    """Say at which stage a table is, as the journal's index is to know it."""
    return VOID if table.void else table.stage.value


def _resting(row: IndexRow, run: int) -> Resting:
    """Say how a table rests for a run, by its row in the index."""
    away = row.owner not in (0, run)
    card = _card(row) if row.stage == UNREACHABLE else None
    stage = row.stage if card is None else card.stage.value
    return Resting(row.lasted, row.rested, stage, row.owner if away else 0, row.deaths)


def _card(row: IndexRow, present: bool = False) -> Card | None:
    """Read the card of a table; where nobody could come back to it at rest, it has the stage that it has awake."""
    stage = None if row.stage == UNREACHABLE else row.stage
    return None if row.card is None else read_card(row.table, row.kind, stage, row.card, present)


class DormantTables:
    """Which tables rest in the journal, by their codes, or are awake in other runs of the house.

    ``on_bots`` is called with the codes of those where a bot is to move and which no run has awake any more.
    ``others_play`` is whether people can come to those that other runs have awake.
    """

    _log = Logger()

    def __init__(self, hall: Hall, journal: Journal, directory: Directory, slices: Slices) -> None:
        self._slices = slices
        self._hall = hall
        self._journal = journal
        self._adopting = Adopting(journal)
        self._directory = directory
        self._resting: dict[str, Resting] = {}
        self._news: deque[IndexRow] = deque()
        self._taking: set[str] = set()  # of which what was told before is not the latest
        self.others_play = False
        self.on_bots: Callable[[Sequence[str]], object] = lambda codes: None

    def __contains__(self, code: object) -> bool:
        return code in self._resting

    def __len__(self) -> int:
        return len(self._resting)

    def may_have(self, code: str) -> bool:
        """Say whether a table may rest, or be awake in another run: there it may have been opened just now."""
        return code in self._resting or (self._journal.shared and is_code(code))

    def stage(self, code: str) -> str:
        """Say at which stage a table rests."""
        return self._resting[code].stage

    def is_set_aside(self, code: str) -> bool:
        """Say whether a table is known to be one that nobody wakes until it is brought back."""
        return code in self._resting and self._resting[code].set_aside

    def owner(self, code: str) -> int:
        """Say which run has a table awake; 0 if none has."""
        return self._resting[code].owner if code in self._resting else 0

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
        # Those in whose replay runs have ended come behind all others.
        return sorted(waiting, key=lambda code: self._resting.get(code, _AWAKE).deaths or 0)

    def _put_rows(
        self, index: Sequence[IndexRow], waiting: list[str], cardless: list[str]
    ) -> Work[None]:
        for row in index:
            if self._put_to_rest(row):
                yield  # what grows with the hundred thousandth table takes its time, too
                self._list(row, cardless)
                if self._waits_for_bot(row):
                    waiting.append(row.table)
            yield

    def _has_owner(self, row: IndexRow) -> bool:
        """Say whether another run has a table awake."""
        return row.owner not in (0, self._journal.run)

    def _waits_for_bot(self, row: IndexRow) -> bool:
        """Say whether a table is to be woken though nobody comes to it."""
        return row.bot and not self._has_owner(row) and not self._resting[row.table].set_aside

    def _put_to_rest(self, row: IndexRow) -> bool:
        away = self._has_owner(row)
        if row.stage in (Stage.ABANDONED.value, UNREACHABLE) and not away:
            self._journal.retire(row.table)  # nobody can ever wake it
            return False
        resting, known = _resting(row, self._journal.run), self._resting.get(row.table)
        if resting.set_aside and not (known and known.set_aside):
            said = "table {code} is set aside: {deaths} daemons have ended while they replayed it"
            self._log.error(said, code=row.table, deaths=resting.deaths)
        self._resting[row.table] = resting
        return True

    def _list(self, row: IndexRow, cardless: list[str]) -> None:
        if row.stage == VOID:
            return  # no table to be found, but one to come back to
        card = _card(row, self.others_play and self._has_owner(row))
        if card is not None:
            self._directory.put(card)
        elif not self.is_set_aside(row.table):
            cardless.append(row.table)

    # -- what other runs do -----------------------------------------------------------

    def follow(self, rows: Sequence[IndexRow]) -> None:
        """Have tables as other runs of the house have left them, some a turn, in the order in which it was told."""
        idle = not self._news
        self._news.extend(rows)
        if idle and self._news:
            self._slices.run(self._follow_all())

    def _follow_all(self) -> Work[None]:
        waiting: list[str] = []
        while self._news:
            row = self._news[0]
            if row.table not in self._hall and row.table not in self._taking:
                self._follow(row, waiting)
            self._news.popleft()
            yield
        self.on_bots(waiting)

    def _follow(self, row: IndexRow, waiting: list[str]) -> None:
        cardless: list[str] = []
        if row.stage == RETIRED or not self._put_to_rest(row):
            self._resting.pop(row.table, None)
            self._directory.remove(row.table)
            return
        if row.stage == VOID:
            self._directory.remove(row.table)
        self._list(row, cardless)
        self._draw_next(cardless)
        if self._waits_for_bot(row):
            waiting.append(row.table)

    def _draw_next(self, cardless: list[str]) -> None:
        """Draw the cards that an older Parlour has not written, one after the other, from the records."""
        if cardless:
            code = cardless.pop()
            reading = self._adopt(code, partial(self._read_card, code))
            reading.addErrback(
                lambda failure: self._log.info("a table cannot be listed: {why}", why=failure.value)
            )
            reading.addCallback(lambda _: self._draw_next(cardless))

    def _read_card(self, code: str) -> Deferred[None]:
        return self._journal.read(code).addCallback(
            lambda lines: self._slices.run(self._draw(lines))
        )

    def _adopt(self, code: str, replay: Callable[[], Deferred[T]]) -> Deferred[T]:
        """Replay a table; one that a dead run left awake when its turn has come, if it is not set aside."""
        resting = self._resting.get(code, _AWAKE)
        if resting.deaths is None or resting.owner:
            return replay()
        return self._adopting.run(code, resting.deaths, replay)

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
        self._rest(table.code, Resting(0.0, self._journal.age, resting_stage(table)))
        self._journal.release(table.code)

    def put_away(self, table: Table, run: int) -> None:
        """Keep a table in memory no more that another run has awake."""
        self._rest(table.code, Resting(0.0, self._journal.age, resting_stage(table), run))

    def put_back(self, code: str, rested: Resting) -> None:
        """Let a table rest as it did, since it was only looked at."""
        self._rest(code, rested)
        self._journal.give_back(code)

    def _rest(self, code: str, rested: Resting) -> None:
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
            if resting is None or resting.owner or resting.set_aside:
                continue
            if resting.since < before and stage in (None, resting.stage):
                del self._resting[code]
                self._directory.remove(code)
                self._journal.retire(code, before)
                count += 1
            yield
        return count

    def take(self, code: str) -> Deferred[StoredTable]:
        """Read a table that rests; it is dormant no more. Fails with Refused.

        The refusal is ``no-such-table``, ``table-away`` if another run of the house has it awake,
        ``table-unreadable``, ``table-resting`` if it may be read another time, or ``closing`` if the journal is
        lost.
        """
        if not self.may_have(code):
            return fail(Refused("no-such-table"))
        self._taking.add(code)
        reading = self._journal.claim(code).addCallback(self._claimed, code)
        reading.addCallbacks(self._awake, self._cannot_read, callbackArgs=(), errbackArgs=(code,))
        return reading

    def _claimed(self, claimed: Claimed, code: str) -> Deferred[StoredTable]:
        self._taking.discard(code)
        if not claimed.run:
            self._resting.pop(code, None)
            self._directory.remove(code)
            raise Refused("no-such-table")
        if claimed.row is not None:
            self._follow(claimed.row, [])
        if claimed.run != self._journal.run:
            raise Refused("table-away")
        return self._adopt(code, partial(self.read, code)).addErrback(self._let_go, code)

    def _let_go(self, failure: Failure, code: str) -> Failure:
        """Let others try to read what we cannot."""
        self._journal.give_back(code)
        return failure

    def keep(self, stored: StoredTable) -> None:
        """Keep a table in memory that was read: it is dormant no more."""
        self._resting.pop(stored.table.code, None)
        self._hall.keep(stored.table)

    def _awake(self, stored: StoredTable) -> StoredTable:
        if self._resting.pop(stored.table.code, None) is None:
            raise Refused("no-such-table")  # it was given up while it was read
        self._hall.keep(stored.table)
        return stored

    def _cannot_read(self, failure: Failure, code: str) -> NoReturn:
        self._taking.discard(code)
        if code not in self._resting and not failure.check(JournalFailed, JournalLost):
            raise Refused("no-such-table")  # it was given up while it was read
        if failure.check(Refused):
            raise cast(Refused, failure.value)
        if failure.check(Unreadable):
            self._log.error("table {code} cannot be read: {why}", code=code, why=failure.value)
            raise Refused("table-unreadable")
        if failure.check(JournalLost):  # which is in the log already, and the end of the house
            raise Refused("closing")
        log_unread(self._log, f"table {code} cannot be read", failure)
        raise Refused("table-resting")  # it may be read another time

    def read(self, code: str) -> Deferred[StoredTable]:
        """Read a table and replay it, a little of it a turn if it is long, to be kept; fails with Unreadable."""
        return self._journal.read(code).addCallback(self.replay, code)

    def replay(self, lines: Sequence[bytes], code: str) -> Deferred[StoredTable]:
        """Make a table of its lines, a little of it a turn if they are many; fails with Unreadable."""
        return self._slices.run(self._replay(lines, code))

    def _replay(self, lines: Sequence[bytes], code: str) -> Work[StoredTable]:
        table, last = yield from self._rebuild(lines)
        rested = self._resting.get(code, _AWAKE)
        if rested.deaths:
            rested = evolve(rested, deaths=0)  # it was replayed
        # What the daemon lived on after the last record was thought, and is gone.
        return StoredTable(table, max(last, rested.lasted), sha256(lines[-1]).hexdigest(), rested)
