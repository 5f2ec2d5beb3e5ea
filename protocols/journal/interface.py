"""What a journal is to the daemon, and what an engine is to a journal; ``archive`` is what those see who only read.

``Journal`` is the durable, ordered record of commands as the Host knows it, whatever engine keeps it.  ``Store``
is what an engine does for it, in the writer's process, which starts without Twisted.

No duration is taken from a time of day.  What a table's clocks have run is told by the house's time, in seconds
that nobody can set, of the run that the table was awake in; how old something is, by the *age* of the house: the
seconds that it has lived, over all its runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from protocols.journal.archive import Results
from protocols.journal.results import RatingRow, ResultRow, Written

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred

    from gamecore.contest.rating import Formula
    from gamecore.record import Record
    from protocols.journal.house import LinkedStore

# Makes one blob of the lines of a table that has ended.
Compact = Callable[[Sequence[bytes]], bytes]
# Of a record: table, sequence, at, wall, line, and the command of a linked run that it is, or "".
Row = tuple[str, int, float, float, bytes, str]
# Of a table: kind, stage, whether a bot is to move, began, card.
Note = tuple[str, str, bool, float, str]
RETIRED = "retired"  # the stage, among what has changed, of a table that is no more
SET_ASIDE = 3  # runs that have ended while they replayed a table: so many, and nobody wakes it
MOST_ROWS = 200  # of the index at once, so that nobody waits while they are read


class IndexRow(NamedTuple):
    """A table that has not ended, as the index of a journal knows it.

    ``bot`` says that a bot is to move. ``lasted`` is how far its clocks are known to have run, in table time: to
    the last sign of life of the run in which it was awake, or 0 if it rested then. ``rested`` is the age of the
    house since which it rests. ``card`` is what the house lists of it, None if that was never written. ``owner``
    is the run that has it awake, 0 if none does that lives. ``deaths`` is how many runs have ended while they
    replayed it, None if it rests.
    """

    table: str
    kind: str
    stage: str
    bot: bool
    lasted: float
    rested: float
    card: str | None = None
    owner: int = 0
    deaths: int | None = None


SOMEBODY = -1  # stands for a run that takes a table, or lets it go, just now


class Claimed(NamedTuple):
    """Whose a table is: ``run`` is 0 if there is no such table, and may be SOMEBODY.

    ``row`` is what the index has of it, None where no other run could have changed that.
    """

    run: int
    row: IndexRow | None = None


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

    on_forgotten: Callable[[int], None]
    """Called with the number of finished tables that were deleted for their age, if there were any."""

    on_drain: Callable[[float], None]
    """Called when somebody has asked our run to end, with the seconds for which it may wait for its players."""

    on_changed: Callable[[Sequence[IndexRow]], None]
    """Called with what other runs of the house have changed in the index; ``RETIRED`` is what is no more."""

    @property
    def run(self) -> int:
        """Which run of the house this is; what it claims is its own."""

    @property
    def shared(self) -> bool:
        """Whether other runs may live beside ours, whose latest tables are not known here yet."""

    @property
    def codes_ahead(self) -> int:
        """How many codes are to be reserved before they are needed; 0 where that takes no time."""

    @property
    def pending(self) -> int:
        """How many commands were handed over and may still be forgotten."""

    @property
    def age(self) -> float:
        """How many seconds this house has lived, in this run and all before."""

    def open(self) -> None:
        """Take the journal and begin a new run, in the process that will use it.

        Blocks, and raises JournalRefused. Where the journal cannot be had just now, as while its database starts,
        ``on_trouble`` is called, and whatever is asked waits until it can; should it turn out then that it never
        can, ``on_lost`` is called with JournalRefused.
        """

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Keep a batch, all of it or nothing; fires when nothing can make it forgotten."""

    def note(
        self, table: str, kind: str, stage: str, bot: bool, began: float, card: str = ""
    ) -> None:
        """Let the index say this of a table that is awake, from the next batch on.

        ``began`` is the house's time, as ``beat`` tells it, at table time 0; ``card`` what the house lists of it.
        """

    def release(self, table: str) -> None:
        """Let the index say, from the next batch or sign of life on, that a table rests: no clock of it runs."""

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of one table in their order; fails with JournalFailed or JournalLost."""

    def read_finished(self, table: str) -> Deferred[bytes | None]:
        """Read the compact record of the last table of that code that was retired; None if none is kept."""

    def index(self, after: str = "") -> Deferred[Sequence[IndexRow]]:
        """List the tables that were noted and have not been retired, from the one behind a code on.

        At most ``MOST_ROWS``, in the order of their codes; none if those were all.
        """

    def history(self, who: Sequence[str], most: int) -> Deferred[Sequence[ResultRow]]:
        """List the latest games of some names or accounts, but for those that are hidden."""

    def ratings(self, account: str) -> Deferred[Sequence[RatingRow]]:
        """List what an account is rated, by pool."""

    def top(self, pool: str, who: str, most: int) -> Deferred[Sequence[RatingRow]]:
        """List the best of a pool; ``who`` is ``people``, ``bots`` or ``all``."""

    def claim(self, table: str) -> Deferred[Claimed]:
        """Take a table that rests: gives the run that it belongs to now, which may be another."""

    def give_back(self, table: str) -> None:
        """Let go of a table that was claimed and at which nothing was done: it rests as it did."""

    def adopt(self, table: str) -> Deferred[bool]:
        """Count that a table of ours which a dead run left awake is about to be replayed; False if it is set aside.

        Fails with JournalFailed or JournalLost.
        """

    def adopted(self, table: str) -> None:
        """Clear that count: it was replayed, and so, before long, is all that is counted."""

    def reserve(self, draw: Callable[[], str], count: int) -> Deferred[Sequence[str]]:
        """Reserve codes for tables to come: of so many that ``draw`` gives, those that nobody has or had.

        One that is used, or a house that begins anew, ends that. Fails with JournalFailed or JournalLost.
        """

    def retire(self, table: str, before: float | None = None) -> None:
        """Take note that a table has ended and that nobody looks at it any more.

        One that only rests is left alone if another run has had it awake since the house had the age ``before``.
        """

    def forget(self, age: float) -> None:
        """Delete what was finished before the house had this age, when there is time."""

    def beat(self, lived: float, matters: bool) -> None:
        """Leave a sign of life, at a time of the house: by it the house ages, five seconds at most.

        A table that is read again learns from it how long its clocks ran. It may stay in memory for a minute
        unless it ``matters``: unless such a clock runs.
        """

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

    ``weight`` says how much there is to put in order: about one a record written since that was done.
    ``unrated`` is whether there were results that are not in the ratings as it was opened: a writer that was killed
    may have left some.  Whatever an engine raises is one of its ``errors``; ``may_pass`` tells those which are
    worth another try, behind a call of ``recover``.
    """

    errors: tuple[type[Exception], ...]
    weight: int
    unrated: bool

    @property
    def house(self) -> LinkedStore | None:
        """What is done for linked daemons; None where nobody else can write."""

    @property
    def run(self) -> int:
        """What it writes for."""

    @property
    def age(self) -> float:
        """The age of the house."""

    @property
    def draining(self) -> float | None:
        """For how many seconds our run may wait for its players, since it was asked to end.

        None if it was not, as far as the last sign of life found out.
        """

    def open(self) -> None:
        """Open the journal, making it if there is none, and begin a new run; raises JournalRefused."""

    def may_open(self, problem: Exception) -> bool:
        """Tell what keeps a journal from being opened just now, as a server that starts, from what stays so."""

    def close(self) -> None:
        """Let go of the journal."""

    def may_pass(self, problem: Exception) -> bool:
        """Tell a trouble that may pass, as of a full disk, from a mistake of ours, which will not."""

    def recover(self, problem: Exception) -> None:
        """Find out what a failed commit has left."""

    @property
    def results(self) -> Results:
        """The results that are kept here, to look at."""

    def keep(
        self,
        rows: Sequence[Row],
        notes: Mapping[str, Note],
        released: Sequence[str] = (),
        results: Sequence[Written] = (),
    ) -> None:
        """Commit a batch, its notes, its releases and the results of games that it ends, all or nothing.

        A record, or a result, that is there already counts as written.
        Raises JournalLost if another record is there, or a record's predecessor is not, or we are fenced.
        """

    def beat(self, lived: float, matters: bool) -> float:
        """Take note of a sign of life, and give the age of the house; raises JournalLost if we are fenced."""

    def changed(self) -> Sequence[IndexRow]:
        """Give what other runs have changed, as far as signs of life have found out since this was asked."""

    def add_results(self, results: Sequence[Written]) -> int:
        """Keep results of games that were played elsewhere, and give how many were not there yet."""

    def fold(self, formula: Formula) -> bool | None:
        """Bring the ratings on by some results, and say whether there may be more.

        None while another run does: that may not know of our results.
        """

    def clear_ratings(self) -> None:
        """Forget all ratings, and by which formula they were made: the next folds make them anew."""

    def settle(self) -> None:
        """Bring everything up to date, so that questions may be asked."""

    def tidy(self) -> None:
        """Settle, and do what else there is time for."""

    def retire(self, tables: Mapping[str, float | None], compact: Compact) -> None:
        """Make each of these tables one compact row among the finished, all of them or none.

        One that another run has, or has had awake since the house had the age beside it, is left alone.
        """

    def forget(self, age: float) -> int:
        """Delete the tables that were finished before the house had this age, and say how many."""

    def claim(self, table: str) -> Claimed:
        """Give the run that a table belongs to: ours, if it rested or its run is dead."""

    def give_back(self, table: str) -> None:
        """Let go of a table that was claimed and at which nothing was done."""

    def adopt(self, begun: Sequence[str], ended: Sequence[str]) -> Sequence[str]:
        """Clear the deaths of tables, count one for those that are begun, and give those that are set aside."""

    def reserve(self, codes: Sequence[str]) -> Sequence[str]:
        """Keep for our run those of these codes that no table has, or had that is kept, and nobody reserved."""

    def read(self, table: str) -> Sequence[bytes]:
        """Read the lines of a live table in their order."""

    def index(self, after: str = "", most: int = MOST_ROWS) -> Sequence[IndexRow]:
        """List the tables that have not been retired, some of them, by their codes, behind this one."""

    def finished(self) -> Sequence[FinishedRow]:
        """List the tables that were retired, the latest first."""

    def read_finished(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that was retired."""
