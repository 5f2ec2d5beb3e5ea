"""The commit queue: nothing is told before the commands applied before it are in the journal.

What is to be delivered is posted, together with the records, if any, that it must not
overtake.  Batches form by themselves: all that arrives while one commit runs is the next batch.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.record import Record
from protocols.journal.interface import Journal

Deliver = Callable[[], None]


def _measure_nothing(records: int, took: float) -> None:
    """Take no note of a commit."""


class CommitQueue:
    """Records on their way into the journal, and the deliveries that wait behind them."""

    _log = Logger()

    def __init__(
        self,
        journal: Journal,
        clock: IReactorTime,
        seconds: Callable[[], float] | None = None,
        batch: AbstractContextManager[None] = nullcontext(),  # noqa: B008 -- it holds nothing
    ) -> None:
        """``seconds`` is what commits are measured by, if not the clock.

        ``batch`` is entered while what waited for one commit is delivered; ``on_committed`` is called with how
        many records a commit had, and the seconds that it took.
        """
        self.on_committed: Callable[[int, float], None] = _measure_nothing
        self._seconds = clock.seconds if seconds is None else seconds
        self._journal = journal
        self._clock = clock
        self._batch = batch
        self._records: list[Record] = []
        self._deliveries: list[Deliver] = []  # what waits for the records above
        self._under_way: list[Deliver] | None = None  # what waits for the commit that runs
        self._busy = False
        self._idle: list[Deferred[None]] = []
        self._doubts = False  # whether another may have been given what is ours

    def doubt(self) -> None:
        """Tell nothing more, not even what no record stands before, until the journal has seen that we may.

        For a daemon that stood still: another one may have its tables by now.
        """
        self._doubts = self._journal.shared

    def record(self, record: Record) -> None:
        """Put a record into the next batch; whatever is posted after it waits for it."""
        self._records.append(record)
        if not self._busy:
            self._commit_soon()

    def post(self, deliver: Deliver) -> None:
        """Deliver something in a later turn, behind everything recorded so far."""
        if self._under_way is not None and not self._records:
            self._under_way.append(deliver)
            return
        self._deliveries.append(deliver)
        if not self._busy:
            self._commit_soon()

    def deliver(self, deliver: Deliver) -> None:
        """Deliver what is in the record already: at once, if nothing waits before it."""
        if self._busy or self._doubts:
            self.post(deliver)
            return
        self._busy = True  # so that what it brings about waits for its own turn
        self._deliver([deliver])

    def later(self, call: Deliver) -> None:
        """Call something in a later turn, behind nothing."""
        self._clock.callLater(0, call)

    @property
    def waiting(self) -> int:
        """How many records have not been handed to the journal yet."""
        return len(self._records)

    def drained(self) -> Deferred[None]:
        """Fire when nothing is under way any more."""
        idle: Deferred[None] = Deferred()
        self._idle.append(idle)
        if not self._busy:
            self._commit_soon()
        return idle

    def _commit_soon(self) -> None:
        """Commit in a later turn: what one turn brings is one batch, and nothing is told inside ``record``."""
        self._busy = True
        self._clock.callLater(0, self._commit)

    def _commit(self) -> None:
        records, self._records = self._records, []
        deliveries, self._deliveries = self._deliveries, []
        began = self._seconds()  # which is also how it is noticed that we stood still
        if not records and not self._doubts:
            self._deliver(deliveries)
            return
        self._under_way, self._doubts = deliveries, False
        commit = self._journal.append(records)
        commit.addCallback(lambda _: self._committed(len(records), began, deliveries))
        commit.addErrback(self._fail)

    def _committed(self, records: int, began: float, deliveries: list[Deliver]) -> None:
        self.on_committed(records, self._seconds() - began)
        self._deliver(deliveries)

    def _deliver(self, deliveries: list[Deliver]) -> None:
        self._under_way = None  # what these deliveries bring about waits for its own turn
        with self._batch:
            for deliver in deliveries:
                try:
                    deliver()
                except Exception:
                    # One face's bug is not to keep the news from the others.
                    self._log.failure("something could not be delivered")
        self._busy = False
        if self._records or self._deliveries:
            self._commit_soon()
        else:
            self._rest()

    def _rest(self) -> None:
        idle, self._idle = self._idle, []
        for each in idle:
            each.callback(None)

    def _fail(self, failure: Failure) -> None:
        """Stay busy for ever: what the journal may have forgotten is told to nobody."""
        self._log.failure("the journal has failed; nothing is told any more", failure)
