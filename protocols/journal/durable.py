"""The durable journal: what it is to the daemon, whichever engine keeps it, in a process of its own.

``worker_spawn`` starts that process and ``writer`` talks to it; ``frames`` is what they say.  On the other side,
``worker_process`` is the process, which reads at its ``worker_channel`` what it is to do, and does it as a
``worker`` with the ``Store`` of an engine.  ``engines`` knows which engine, by where the journal is.

A commit that fails is tried again until it succeeds; in the meantime ``on_trouble`` has been called, nothing
fires, and nothing is lost or reordered. So it is when the writer, or its server, does not answer for long, and
when the journal cannot be opened yet.

A writer that is killed is not replaced: the journal is lost then, and the daemon ends and is started again by
whoever looks after it, which is the way that every crash goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.interfaces import IReactorFDSet
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.record import Record
from protocols.journal.adoptions import Adoptions
from protocols.journal.engines import is_shared, locate, take_lock
from protocols.journal.errors import JournalLost, JournalRefused, JournalUndone
from protocols.journal.house import Followed, PeerRow
from protocols.journal.interface import Claimed, FinishedRow, IndexRow, Lock, Note, Row
from protocols.journal.location import shown
from protocols.journal.results import RatingRow, ResultRow, results_of
from protocols.journal.worker_spawn import Start, start_child
from protocols.journal.writer import Writer, WriterCallbacks

# Signs of life that come due while one before them has no answer: so many, and play is paused.
LATE_BEATS = 2
_LATE = "the journal does not answer"


class DurableJournal:
    """A Journal that outlasts its process, for one daemon at a time.

    ``open`` it in the process and after the fork that will use it.  ``on_trouble`` and ``on_lost`` may be set.
    """

    codes_ahead = 1024  # more than can be needed before the next have come, in one turn of a crowd

    _log = Logger()

    def __init__(
        self,
        where: str,
        reactor: IReactorFDSet,
        *,
        compact: Callable[..., bytes] | None = None,
        start: Start = start_child,
    ) -> None:
        """Say where it is kept; ``open_journal`` tells the rest. What a partial has bound stays behind."""
        self._where = where
        self.on_trouble: Callable[[str | None], None] = self._log_trouble
        self.on_lost: Callable[[Exception], None] = self._log_lost
        self._compact = None if compact is None else _name(compact)
        self._start = start
        self.on_forgotten: Callable[[int], None] = self._log_forgotten
        self.on_drain: Callable[[float], None] = lambda seconds: None
        self.on_changed: Callable[[Sequence[IndexRow]], None] = lambda rows: None
        self.on_peers: Callable[[Sequence[PeerRow]], None] = lambda peers: None
        self.shared = is_shared(where)
        self.run = 0
        self.age = 0.0
        callbacks = WriterCallbacks(
            *(self._trouble, self._advise, self._odd, self._change, self._meet, self._drain),
            self._forgot,
            self._ended,
        )
        self._writer = Writer(reactor, callbacks)
        self._lock: Lock | None = None
        self._lost: JournalLost | None = None
        self._closed: Deferred[None] | None = None
        self._notes: dict[str, Note] = {}
        # Whether there are notes that no batch has come for since the last sign of life.
        self._has_waited = False
        self._released: list[str] = []
        self._beating = False
        self._late = 0  # signs of life that came due while one before them had no answer
        self._failing: str | None = None  # what the writer has said of that
        self._in_trouble = False
        self._pending = 0
        self._adoptions = Adoptions(self._ask)

    @property
    def pending(self) -> int:
        """How many commands were handed over and are not durable yet."""
        return self._pending

    def open(self) -> None:
        """Take the journal and begin a new run, now or once it can be had; blocks, and raises JournalRefused."""
        try:
            self._where = locate(self._where)
            self._lock = take_lock(self._where)
            try:
                descriptors = self._lock.descriptors
                opened = self._writer.open(self._start, descriptors, self._where, self._compact)
                opened.addCallback(self._opened)
            except BaseException:
                self._release()
                raise
        except OSError as problem:
            raise JournalRefused(
                f"the journal {shown(self._where)} cannot be used: {problem}"
            ) from problem

    def _opened(self, begun: tuple[int, float]) -> None:
        self.run, self.age = begun

    # -- records ----------------------------------------------------------------------

    def append(self, batch: Sequence[Record]) -> Deferred[None]:
        """Commit a batch, all of it or nothing; fires in a later turn, when it is on the disk."""
        notes, self._notes = self._notes, {}
        self._has_waited = False
        released, self._released = self._released, []
        self._pending += len(batch)
        done = self._writer.ask("append", rows_of(batch), notes, released, results_of(batch))
        return done.addCallback(self._appended, len(batch))

    def _appended(self, _: None, commands: int) -> None:
        self._pending -= commands

    def note(
        self, table: str, kind: str, stage: str, bot: bool, began: float, card: str = ""
    ) -> None:
        """Let the row of a table in the index change together with the next batch."""
        self._notes[table] = (kind, stage, bot, began, card)
        if table in self._released:
            self._released.remove(table)

    def release(self, table: str) -> None:
        """Let the row of a table in the index say that it rests, with the next batch or sign of life."""
        self._released.append(table)

    def _flush(self, *more: str) -> None:
        """Hand over which tables rest, and what was noted of those and of some more.

        All that was noted of others stays with the batch that is to come.
        """
        notes = self._notes
        now = {table: notes.pop(table) for table in (*self._released, *more) if table in notes}
        if now or self._released:
            self._notes = now
            self.append(())
            self._notes = notes

    def _flush_all(self) -> None:
        """Hand over all that waits for a batch, where none is to come."""
        if self._notes or self._released:
            self.append(())

    def read(self, table: str) -> Deferred[Sequence[bytes]]:
        """Read the lines of a live table in their order."""
        return self._ask("read", table)

    def index(self, after: str = "") -> Deferred[Sequence[IndexRow]]:
        """List the tables that were noted and have not been retired, some of them, behind a code."""
        return self._ask("index", after).addCallback(_index)

    def claim(self, table: str) -> Deferred[Claimed]:
        """Take a table that rests: gives the run that it belongs to now."""
        if table in self._released:  # which is not to be released behind this
            self._flush()
        return self._ask("claim", table).addCallback(_claimed)

    def give_back(self, table: str) -> None:
        """Let go of a table at which nothing was done."""
        self._writer.tell("give_back", table)

    def adopt(self, table: str) -> Deferred[bool]:
        """Count that a table is about to be replayed which a dead run left awake; False if it is set aside."""
        return self._adoptions.begin(table)

    def adopted(self, table: str) -> None:
        """Clear that count: the table was replayed."""
        self._adoptions.end(table)

    def _change(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self.on_changed(_index(rows))

    def _drain(self, seconds: float) -> None:
        self.on_drain(seconds)

    def reserve(self, draw: Callable[[], str], count: int) -> Deferred[Sequence[str]]:
        """Reserve those of so many codes that nobody has or had; ``draw`` gives one."""
        return self._ask("reserve", sorted({draw() for _ in range(count)}))

    def beat(self, lived: float, matters: bool) -> None:
        """Leave a sign of life; one that waits already will do, but if that is so for long there is trouble."""
        if self._beating:
            self._late += 1
            self._tell_trouble()
        else:
            self._beating = True
            # A row is not to be there before its record: that may wait for a batch which is under way.
            if self._has_waited and not self._pending:
                self._flush_all()
            else:
                self._flush()
            self._adoptions.flush()
            self._has_waited = bool(self._notes)
            self._writer.ask("beat", lived, matters).addCallback(self._beaten)

    def _beaten(self, age: float) -> None:
        self._beating = False
        self._late = 0
        self.age = age
        self._tell_trouble()

    # -- linked daemons ----------------------------------------------------------------

    def link(self, where: str, key: str) -> None:
        """Let the others know where our run is found, and what it proves itself by."""
        self._writer.tell("link", where, key)

    def judge(self, run: int) -> Deferred[float]:
        """Say for how many seconds another run may be believed to live; 0 for one that is dead."""
        return self._ask("judge", run)

    def mirror(self, table: str, after: int = -1) -> Deferred[Sequence[Followed]]:
        """Be the heir of a table that has none, and read its records behind the one of a sequence."""
        return self._ask("mirror", table, after)

    def unmirror(self, table: str) -> None:
        """Be the heir of a table no more."""
        self._writer.tell("unmirror", table)

    def offer(self, game: str, code: str, tried: Sequence[str]) -> Deferred[str]:
        """Give the code of a table for newcomers to a game: one that was offered before, else this one."""
        return self._ask("offer", game, code, list(tried))

    def hand_over(self, table: str) -> Deferred[None]:
        """Let go of a table of ours, all of whose records are written; fires when it is its heir's."""
        self._flush(table)  # or a batch to come would take it back
        return self._ask("hand_over", table)

    def _meet(self, peers: Sequence[tuple[Any, ...]]) -> None:
        self.on_peers([PeerRow(*each) for each in peers])

    # -- tables that have ended -------------------------------------------------------

    def retire(self, table: str, before: float | None = None) -> None:
        """Make a table that has ended one compact row among the finished, when there is time.

        A crash may forget that this was asked for, but leaves the table either live or finished.
        """
        self._writer.tell("retire", table, before)

    def finished(self) -> Deferred[Sequence[FinishedRow]]:
        """List the tables that were retired, the latest first."""
        return self._ask("finished").addCallback(_finished)

    def read_finished(self, table: str) -> Deferred[bytes | None]:
        """Read the compact record of a retired table; the latest, should two have had the same code."""
        return self._ask("read_finished", table)

    def forget(self, age: float) -> None:
        """Delete what was finished before the house had this age, when there is time."""
        self._writer.tell("forget", age)

    def _forgot(self, count: int) -> None:
        self.on_forgotten(count)

    def _log_forgotten(self, count: int) -> None:
        self._log.info("{count} finished games are forgotten", count=count)

    # -- results and ratings ----------------------------------------------------------

    def history(self, who: Sequence[str], most: int) -> Deferred[Sequence[ResultRow]]:
        """List the latest games of some names or accounts, but for those that are hidden."""
        return self._ask("history", list(who), most).addCallback(_results)

    def ratings(self, account: str) -> Deferred[Sequence[RatingRow]]:
        """List what an account is rated, by pool."""
        return self._ask("ratings", account).addCallback(_ratings)

    def top(self, pool: str, who: str, most: int) -> Deferred[Sequence[RatingRow]]:
        """List the best of a pool; ``who`` is ``people``, ``bots`` or ``all``."""
        return self._ask("top", pool, who, most).addCallback(_ratings)

    # -- the end ----------------------------------------------------------------------

    def close(self) -> Deferred[None]:
        """Finish what was begun and let go of the file; fails with JournalUndone if it cannot be finished."""
        if self._lock is None:
            return succeed(None) if not self._pending else fail(JournalUndone(self._pending))
        self._closed = Deferred()
        self._flush_all()
        self._adoptions.flush()
        self._writer.tell("close")
        return self._closed

    def _ended(self, why: JournalLost | JournalRefused | None) -> None:
        """Hear that the writer is gone, whether it was asked to go or not."""
        self._release()
        if why is not None:
            self._lose(why)
        if self._closed is not None:
            undone = self._pending
            self._closed.callback(None) if not undone else self._closed.errback(
                JournalUndone(undone)
            )

    def _lose(self, why: JournalLost | JournalRefused) -> None:
        self._lost = why if isinstance(why, JournalLost) else JournalLost(str(why))
        self.on_lost(why)

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # -- what the writer says ----------------------------------------------------------

    def _ask(self, question: str, *values: object) -> Deferred[Any]:
        if self._lost is not None:
            return fail(self._lost)
        return self._writer.ask("ask", question, *values)

    def _trouble(self, trouble: str | None) -> None:
        """Hear that commits fail, or go again."""
        self._failing = trouble
        self._tell_trouble()

    def _tell_trouble(self) -> None:
        """Tell of it when trouble begins and when it ends, be it that commits fail or that none is answered."""
        late = self._late >= LATE_BEATS and self._lost is None and self._closed is None
        trouble = self._failing or (_LATE if late else None)
        if self._in_trouble != (trouble is not None):
            self._in_trouble = trouble is not None
            self.on_trouble(trouble)

    def _log_trouble(self, trouble: str | None) -> None:
        if trouble is None:
            self._log.info("the journal can be written again")
        else:
            self._log.error("{trouble}", trouble=trouble)

    def _log_lost(self, lost: Exception) -> None:
        self._log.critical("the journal is lost: {lost}", lost=lost)

    def _advise(self, advice: str) -> None:
        self._log.critical("{advice}", advice=advice)

    def _odd(self, what: str, problem: Exception | None) -> None:
        if problem is None:
            self._log.warn("{what}", what=what)
        else:
            self._log.failure("{what}", Failure(problem), what=what)


def rows_of(batch: Sequence[Record]) -> list[Row]:
    """Take from records what is written of them."""
    return [
        (each.table, each.sequence, each.at, each.wall, each.line, each.asked) for each in batch
    ]


def _index(rows: Sequence[tuple[Any, ...]]) -> Sequence[IndexRow]:
    return [IndexRow(*row) for row in rows]


def _claimed(answer: tuple[int, tuple[Any, ...] | None]) -> Claimed:
    run, row = answer
    return Claimed(run, None if row is None else IndexRow(*row))


def _finished(rows: Sequence[tuple[Any, ...]]) -> Sequence[FinishedRow]:
    return [FinishedRow(*row) for row in rows]


def _results(rows: Sequence[tuple[Any, ...]]) -> Sequence[ResultRow]:
    return [ResultRow(*row) for row in rows]


def _ratings(rows: Sequence[tuple[Any, ...]]) -> Sequence[RatingRow]:
    return [RatingRow(*row) for row in rows]


def _name(function: Callable[..., bytes]) -> str:
    """Name a function so that another process can find it."""
    if isinstance(function, partial):
        function = function.func
    return f"{function.__module__}:{function.__qualname__}"
