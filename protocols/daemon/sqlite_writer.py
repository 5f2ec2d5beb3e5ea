"""The thread that works for the SQLite journal: one job after the other, in the order they came."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, repeat
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from attrs import field, frozen

from gamecore.record import Record
from protocols.daemon.sqlite_store import Compact, Note, Store, may_pass, pack

# Seconds before a failed commit is tried again; the last of them for ever.
WAITS = (0.1, 0.2, 0.4, 0.8, 1.0)
# Seconds without a job after which there is time to put things in order.
IDLE = 0.5
# Records after which it is time even if there is none; more make for longer pauses, fewer for more of them.
_HEAVY = 2000
# The same if tables are to be retired.
_LADEN = 400
# Too little to be worth a checkpoint: signs of life alone are not to keep a disk awake.
_LIGHT = 100
# Tables in one transaction, so that no batch waits long.
_RETIRED_AT_ONCE = 16

T = TypeVar("T")
Job = Callable[[], None]


class GaveUp(Exception):
    """The journal is to be closed and cannot be written."""


@frozen
class Ears:
    """What the thread has to say; each is called in the reactor's thread."""

    call: Callable[..., object] = field()  # the reactor's callFromThread
    trouble: Callable[[str | None], None]  # commits fail, or go again
    odd: Callable[[str, Exception], None]  # something failed that no command waits for
    ended: Callable[[Exception | None], None]  # the thread has ended; why, if nobody asked it to


class Writer:
    """The store in a thread of its own."""

    def __init__(
        self, store: Store, ears: Ears, compact: Compact, waits: Sequence[float], idle: float
    ) -> None:
        self._store = store
        self._ears = ears
        self._compact = compact
        self._waits = waits
        self._idle = idle
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._closing = Event()
        self._open = True
        self._in_trouble = False
        self._was_put_off = False
        self._to_retire: list[str] = []
        self._forget_before: float | None = None
        # So that a writer that hangs on a dead disk does not keep the process.
        self._thread = Thread(target=self._run, name="journal", daemon=True)

    # -- what the reactor's thread calls ----------------------------------------------

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def join(self) -> None:
        """Wait for the thread, once it has said that it has ended."""
        self._thread.join()

    def append(
        self, batch: Sequence[Record], notes: Mapping[str, Note], done: Callable[[int], None]
    ) -> None:
        """Commit a batch, however long it takes; then call ``done`` with its length."""
        self._jobs.put(partial(self._append, batch, notes, done))

    def beat(self, wall: float, done: Callable[[], None]) -> None:
        """Commit a sign of life."""
        self._jobs.put(partial(self._beat, wall, done))

    def ask(
        self,
        question: Callable[[], T],
        answer: Callable[[T], None],
        fail: Callable[[Exception], None],
    ) -> None:
        """Answer a question behind all that came before it."""
        self._jobs.put(partial(self._answer, question, answer, fail))

    def retire(self, table: str) -> None:
        """Retire a table when there is time."""
        self._jobs.put(partial(self._to_retire.append, table))

    def forget_finished(self, before: float) -> None:
        """Forget old finished tables when there is time."""
        self._jobs.put(partial(self._note_to_forget, before))

    def close(self) -> None:
        """Finish what came before and end; what fails now is tried only once more."""
        self._closing.set()
        self._jobs.put(self._close)

    # -- the thread -------------------------------------------------------------------

    def _run(self) -> None:
        why: Exception | None = None
        try:
            while self._open:
                self._next_job()()
        except GaveUp:
            pass
        except Exception as problem:  # whatever it is, it must not be a silent death
            why = problem
        with suppress(sqlite3.Error):
            self._store.close()
        self._say(self._ears.ended, why)

    def _say(self, ear: Callable[..., None], *what: object) -> None:
        self._ears.call(ear, *what)

    def _next_job(self) -> Job:
        if not self._untidy():
            return self._jobs.get()
        try:
            return self._jobs.get(timeout=self._idle)
        except Empty:
            return self._tidy

    def _untidy(self) -> bool:
        if self._to_retire or self._forget_before is not None:
            return True
        return self._store.weight >= _LIGHT

    # -- commits ----------------------------------------------------------------------

    def _append(
        self, batch: Sequence[Record], notes: Mapping[str, Note], done: Callable[[int], None]
    ) -> None:
        self._persist(partial(self._store.append, batch, notes))
        self._say(done, len(batch))
        if self._store.weight >= (_LADEN if len(self._to_retire) >= _RETIRED_AT_ONCE else _HEAVY):
            self._tidy_up(self._tidy_a_little)

    def _beat(self, wall: float, done: Callable[[], None]) -> None:
        self._persist(partial(self._store.beat, wall))
        self._say(done)

    def _persist(self, work: Callable[[], None]) -> None:
        """Do something again and again until it has succeeded."""
        waits = chain(self._waits, repeat(self._waits[-1]))
        failed: sqlite3.Error | None = None
        at_last = False
        while True:
            try:
                if failed is not None:
                    self._store.recover(failed)
                work()
                break
            except sqlite3.Error as problem:
                if not may_pass(problem):
                    raise
                failed = problem
            self._note_trouble(failed)
            if at_last:
                raise GaveUp
            at_last = self._closing.wait(next(waits))
        self._note_trouble(None)

    def _note_trouble(self, problem: sqlite3.Error | None) -> None:
        if self._in_trouble != (problem is not None):
            self._in_trouble = problem is not None
            trouble = None if problem is None else f"the journal cannot be written: {problem}"
            self._say(self._ears.trouble, trouble)

    # -- what no command waits for ----------------------------------------------------

    def _tidy(self) -> None:
        """Put everything in order, as long as no job comes."""
        self._tidy_up(self._tidy_a_little)
        while self._to_retire and self._jobs.empty() and self._tidy_up(self._retire_some):
            pass

    def _tidy_up(self, work: Callable[[], None]) -> bool:
        """Do a piece of tidying; if it cannot be done now, it is left for later."""
        try:
            work()
        except sqlite3.Error as problem:
            if not may_pass(problem):
                raise
            self._put_off(problem)
            return False
        self._was_put_off = False
        return True

    def _put_off(self, problem: sqlite3.Error) -> None:
        if not self._was_put_off:
            self._say(self._ears.odd, "the journal cannot be put in order now", problem)
        self._was_put_off = True
        with suppress(sqlite3.Error):
            self._store.recover(problem)
        self._store.weight = _LIGHT  # not after every batch, but when there is time

    def _tidy_a_little(self) -> None:
        self._retire_some()
        if self._forget_before is not None:
            self._store.forget_finished(self._forget_before)
            self._forget_before = None
        self._store.file()
        self._store.checkpoint()

    def _retire_some(self) -> None:
        some = self._to_retire[:_RETIRED_AT_ONCE]
        if some:
            self._store.retire(some, self._compacted)
            del self._to_retire[: len(some)]

    def _compacted(self, lines: Sequence[bytes]) -> bytes:
        """Make lines compact as we were asked to; should that fail, the lines alone are worth keeping."""
        try:
            return self._compact(lines)
        except Exception as problem:
            self._say(self._ears.odd, "a finished table is kept as its bare lines", problem)
            return pack(lines)

    def _note_to_forget(self, before: float) -> None:
        self._forget_before = before

    # -- questions and the end --------------------------------------------------------

    def _answer(
        self,
        question: Callable[[], T],
        answer: Callable[[T], None],
        fail: Callable[[Exception], None],
    ) -> None:
        self._persist(self._settle)
        try:
            answered = self._ask_twice(question)
        except sqlite3.Error as problem:
            self._say(fail, problem)
        else:
            self._say(answer, answered)

    def _settle(self) -> None:
        """Bring the tables to where a question finds them as they were left."""
        while self._to_retire:
            self._retire_some()
        if self._forget_before is not None:
            self._store.forget_finished(self._forget_before)
            self._forget_before = None
        self._store.file()

    def _ask_twice(self, question: Callable[[], T]) -> T:
        try:
            return question()
        except sqlite3.Error as problem:
            self._store.recover(problem)
            return question()

    def _close(self) -> None:
        self._open = False
        self._tidy_up(self._settle)
        self._tidy_up(self._store.checkpoint)
