"""What the writer of the journal does all day: one thing after the other, in the order it was told."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, repeat
from typing import Any

from protocols.journal.errors import JournalLost, OutOfPlace
from protocols.journal.house import LinkedStore
from protocols.journal.interface import MOST_ROWS, Compact, Note, Row, Store
from protocols.journal.packing import pack
from protocols.journal.rating import Rating
from protocols.journal.results import Written
from protocols.journal.worker_channel import HungUp, WorkerChannel

# Seconds before a failed commit is tried again; the last of them for ever.
WAITS = (0.1, 0.2, 0.4, 0.8, 1.0)
# Seconds without anything to do after which there is time to put things in order.
IDLE = 0.5
# Records after which it is time even if there is none; more make for longer pauses, fewer for more of them.
_HEAVY = 2000
# Tables that may wait for a quiet moment: to make one compact plays its game once more, beside those being played.
_MOST_WAITING = 2000
# The same if more of them wait.
_LADEN = 400
# Too little to be worth a checkpoint: signs of life alone are not to keep a disk awake.
_LIGHT = 100
# Tables in one transaction, so that no batch waits long.
_RETIRED_AT_ONCE = 16
# Seconds for retiring when the daemon ends; what is left stays live, and the next daemon asks for it again.
_AT_THE_END = 1.0
# Questions about results and ratings, for which no table need be settled.
_OF_RESULTS = frozenset({"history", "ratings", "top"})
# Questions for which nothing need be settled: of no table that there is, or of one that another run may have.
_AT_ONCE = frozenset({"adopt", "reserve", "judge", "mirror", "hand_over", "offer"})


class GaveUp(Exception):
    """The journal is to be closed and cannot be written."""


class Worker:
    """Writes what comes to the channel into the store."""

    def __init__(
        self,
        store: Store,
        channel: WorkerChannel,
        compact: Compact,
        waits: Sequence[float],
        idle: float,
    ) -> None:
        self._store = store
        self._channel = channel
        self._compact = compact
        self._waits = waits
        self._idle = idle
        self._open = True
        self._in_trouble = False
        self._was_put_off = False
        self._draining: float | None = None  # as the daemon was last told
        self._rating = Rating(store)
        self._peers: list[tuple[Any, ...]] = []  # as the daemon was last told
        self._to_retire: dict[str, float | None] = {}
        self._forget_age: float | None = None
        self._jobs: Mapping[str, Callable[..., None]] = {
            "append": self._append,
            "beat": self._beat,
            "ask": self._answer,
            "give_back": self._give_back,
            "retire": self._to_retire.__setitem__,
            "forget": self._note_to_forget,
            "become": become,
            "close": self._close,
        }
        self._questions: Mapping[str, Callable[..., object]] = {
            "claim": self._claim,
            "adopt": lambda begun, ended: list(store.adopt(begun, ended)),
            "reserve": store.reserve,
            "read": store.read,
            "index": lambda after: [tuple(row) for row in store.index(after)],
            "finished": lambda: [tuple(row) for row in store.finished()],
            "read_finished": store.read_finished,
            "history": lambda who, most: [
                tuple(row) for row in store.results.history(who, most, False)
            ],
            "ratings": lambda account: [tuple(row) for row in store.results.ratings(account)],
            "top": lambda pool, who, most: [
                tuple(row) for row in store.results.top(pool, who, store.age, most)
            ],
        }

        if store.house is not None:
            self._serve_linked(store.house)

    def _serve_linked(self, house: LinkedStore) -> None:
        """Know what linked daemons ask for, too."""
        self._jobs = {
            **self._jobs,
            "link": lambda where, key: self._persist(partial(house.link, where, key)),
            "unmirror": lambda table: self._persist(partial(house.unmirror, table)),
        }
        self._questions = {
            **self._questions,
            "judge": house.judge,
            "mirror": house.mirror,
            "offer": house.offer,
            "hand_over": house.hand_over,
        }

    def run(self) -> None:
        """Work until told to close, or until the daemon is gone; the last words say why it ended."""
        ended = ("closed", "", "")
        try:
            while self._open:
                self._do_next()
        except (GaveUp, HungUp):
            pass
        except JournalLost as problem:
            ended = ("lost", str(problem), "")
        except Exception as problem:  # whatever it is, it must not be a silent death
            ended = ("failed", repr(problem), traceback.format_exc())
        with suppress(*self._store.errors):
            self._store.close()
        with suppress(HungUp):
            self._channel.say("ended", *ended)

    def _do_next(self) -> None:
        waits = self._untidy() or self._rating.due
        message = self._channel.next(self._idle if waits else None)
        if message is not None:
            self._jobs[message[0]](*message[1:])
            return
        if self._untidy():
            self._tidy()
        while self._rating.due and self._channel.quiet() and self._tidy_up(self._rate_some):
            if self._rating.elsewhere:
                break  # until after the next pause

    def _untidy(self) -> bool:
        if self._to_retire or self._forget_age is not None:
            return True
        return self._store.weight >= _LIGHT

    # -- commits ----------------------------------------------------------------------

    def _append(
        self,
        rows: Sequence[Row],
        notes: Mapping[str, Note],
        released: Sequence[str],
        results: Sequence[Written] = (),
    ) -> None:
        self._persist(partial(self._store.keep, rows, notes, released, results))
        self._channel.say("done", None)
        if results:
            self._rating.hear()
        if self._rating.due and self._rating.rested:
            self._tidy_up(self._rate_some)
        laden = len(self._to_retire) >= _MOST_WAITING
        if self._store.weight >= (_LADEN if laden else _HEAVY):
            self._tidy_up(self._tidy_a_little if laden else self._tidy_the_rest)

    def _beat(self, lived: float, matters: bool) -> None:
        self._persist(partial(self._store.beat, lived, matters))
        if self._store.draining not in (None, self._draining):
            self._draining = self._store.draining
            self._channel.say("drain", self._draining)
        news = self._store.changed()
        for first in range(0, len(news), MOST_ROWS):
            rows = [tuple(row) for row in news[first : first + MOST_ROWS]]
            self._channel.say("changed", rows)
        self._tell_peers()
        self._channel.say("done", self._store.age)

    def _tell_peers(self) -> None:
        peers = (
            [] if self._store.house is None else [tuple(each) for each in self._store.house.peers()]
        )
        if peers != self._peers:
            self._peers = peers
            self._channel.say("peers", peers)

    def _persist(
        self, work: Callable[[], object] = lambda: None, failed: Exception | None = None
    ) -> None:
        """Do something again and again until it has succeeded, perhaps behind what ``failed``."""
        waits = chain(self._waits, repeat(self._waits[-1]))
        at_last = False
        while True:
            try:
                if failed is not None:
                    self._store.recover(failed)
                work()
                break
            except self._store.errors as problem:
                if not self._store.may_pass(problem):
                    raise
                failed = problem
            self._note_trouble(failed)
            if at_last:
                raise GaveUp
            at_last = self._channel.closes_within(next(waits))
        self._note_trouble(None)

    def _note_trouble(self, problem: Exception | None) -> None:
        if self._in_trouble != (problem is not None):
            self._in_trouble = problem is not None
            trouble = (
                None if problem is None else f"the journal cannot be written: {one_line(problem)}"
            )
            self._channel.say("trouble", trouble)
            if isinstance(problem, OutOfPlace):
                self._channel.say("advise", problem.advice)

    # -- what no command waits for ----------------------------------------------------

    def _tidy(self) -> None:
        """Put everything in order, as long as there is nothing else to do."""
        self._tidy_up(self._tidy_a_little)
        while self._to_retire and self._channel.quiet() and self._tidy_up(self._retire_some):
            pass

    def _rate_some(self) -> None:
        """Bring the ratings on by some results; a bug in that leaves them where they are, and hurts nobody."""
        problem = self._rating.go_on()
        if problem is not None:
            self._say_odd("games are not rated any more", problem)

    def _tidy_up(self, work: Callable[[], None]) -> bool:
        """Do a piece of tidying; if it cannot be done now, it is left for later."""
        try:
            work()
        except self._store.errors as problem:
            if not self._store.may_pass(problem):
                raise
            self._put_off(problem)
            return False
        self._was_put_off = False
        return True

    def _put_off(self, problem: Exception) -> None:
        if not self._was_put_off:
            what = f"the journal cannot be put in order now: {one_line(problem)}"
            self._channel.say("odd", what, None)  # it may pass, and is no bug of ours
        self._was_put_off = True
        with suppress(*self._store.errors):
            self._store.recover(problem)
        self._store.weight = _LIGHT  # not after every batch, but when there is time

    def _say_odd(self, what: str, problem: Exception) -> None:
        self._channel.say("odd", what, "".join(traceback.format_exception(problem)).strip())

    def _tidy_a_little(self) -> None:
        self._retire_some()
        self._tidy_the_rest()

    def _tidy_the_rest(self) -> None:
        self._forget()
        self._store.tidy()

    def _retire_some(self, most: int = _RETIRED_AT_ONCE) -> None:
        """Retire the tables that have waited longest, in transactions of a few."""
        for _ in range(0, most, _RETIRED_AT_ONCE):
            if self._to_retire:
                self._retire(list(islice(self._to_retire, _RETIRED_AT_ONCE)))

    def _retire(self, tables: Sequence[str]) -> None:
        """Retire these of the tables that wait for it, in one transaction."""
        self._store.retire({table: self._to_retire[table] for table in tables}, self._compacted)
        for table in tables:
            del self._to_retire[table]

    def _compacted(self, lines: Sequence[bytes]) -> bytes:
        """Make lines compact as we were asked to; should that fail, the lines alone are worth keeping."""
        try:
            return self._compact(lines)
        except Exception as problem:
            self._say_odd("a finished table is kept as its bare lines", problem)
            return pack(lines)

    def _note_to_forget(self, age: float) -> None:
        self._forget_age = age

    def _forget(self) -> None:
        if self._forget_age is not None:
            count = self._store.forget(self._forget_age)
            self._forget_age = None
            if count:
                self._channel.say("forgot", count)

    # -- questions and the end --------------------------------------------------------

    def _claim(self, table: str) -> tuple[int, tuple[Any, ...] | None]:
        claimed = self._store.claim(table)
        return claimed.run, None if claimed.row is None else tuple(claimed.row)

    def _give_back(self, table: str) -> None:
        self._persist(partial(self._store.give_back, table))

    def _answer(self, question: str, *values: Any) -> None:
        if question not in _AT_ONCE:
            self._persist(partial(self._settle, question, *values))
        try:
            answered = self._ask_twice(partial(self._questions[question], *values))
        except self._store.errors as problem:
            self._channel.say("failed", one_line(problem))
        else:
            self._channel.say("done", answered)

    def _settle(self, question: str, *tables: str) -> None:
        """Bring what a question is about to where it was left, and nothing else: there may be thousands."""
        if question in _OF_RESULTS:
            if self._rating.due:
                self._rate_some()
            return
        if question != "read":
            self._retire_some(len(self._to_retire))
        elif tables[0] in self._to_retire:
            self._retire(tables)
        self._forget()
        self._store.settle()

    def _ask_twice(self, question: Callable[[], object]) -> object:
        try:
            return question()
        except self._store.errors as problem:
            if not self._store.may_pass(problem):
                raise
            self._persist(failed=problem)
            return question()

    def _close(self) -> None:
        self._open = False
        deadline = time.monotonic() + _AT_THE_END
        while self._to_retire and time.monotonic() < deadline and self._tidy_up(self._retire_some):
            pass
        self._tidy_up(self._tidy_the_rest)


def one_line(problem: Exception) -> str:
    """Give in one line what went wrong: some engines need several."""
    return " ".join(str(problem).split())


def become(uids: tuple[int, int, int], gids: tuple[int, int, int], groups: Sequence[int]) -> None:
    """Have no more privileges than the daemon, which had more when it began."""
    os.setgroups(groups)
    os.setresgid(*gids)
    os.setresuid(*uids)
