"""The order in which tables are replayed that dead runs left awake, lest one of them kills each of us for ever."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

from twisted.internet.defer import Deferred

from gamecore.errors import Refused
from protocols.journal.interface import Journal

T = TypeVar("T")


class Adopting:
    """Has each counted in the journal while it is replayed; behind a death all that were under way have a count.

    Those are then replayed behind all others, the ones with most deaths last, each with no other beside it: so the
    next death counts for the guilty one alone, and at the third all its neighbours are cleared.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._others: deque[Callable[[], None]] = deque()
        # By their deaths, then by who came first.
        self._suspects: list[tuple[int, int, Callable[[], None]]] = []
        self._turns = count()
        self._under_way = 0
        self._alone = False

    def run(self, code: str, deaths: int, replay: Callable[[], Deferred[T]]) -> Deferred[T]:
        """Replay a table in whose replay so many runs have ended, when its turn has come.

        Fails as ``replay`` does, and with Refused ``table-unreadable`` where the table is set aside.
        """
        done: Deferred[T] = Deferred()

        def start() -> None:
            self._under_way += 1
            counting: Deferred[Any] = self._journal.adopt(code)
            counting.addCallback(self._replay, code, replay)
            counting.addBoth(self._ended).chainDeferred(done)

        if deaths:
            heappush(self._suspects, (deaths, next(self._turns), start))
        else:
            self._others.append(start)
        self._go_on()
        return done

    def _replay(self, may: bool, code: str, replay: Callable[[], Deferred[T]]) -> Deferred[T]:
        if not may:
            raise Refused("table-unreadable")

        def replayed(result: Any) -> Any:
            self._journal.adopted(code)
            return result

        return replay().addBoth(replayed)

    def _ended(self, result: Any) -> Any:
        self._under_way -= 1
        self._alone = False  # one that is alone is the only one that can have ended
        self._go_on()
        return result

    def _go_on(self) -> None:
        while self._others and not self._alone:
            self._others.popleft()()
        if self._suspects and not self._under_way:
            self._alone = True
            heappop(self._suspects)[2]()
