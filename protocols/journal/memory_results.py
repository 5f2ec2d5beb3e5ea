"""Results and ratings of a journal that forgets them with its process: the latest, in plain lists."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from gamecore.contest.rating import Formula, can_rate
from protocols.journal.ladder import best, fold
from protocols.journal.results import (
    Due,
    Key,
    Meeting,
    Rated,
    RatingRow,
    ResultRow,
    Written,
    latest,
)

_MOST = 10_000  # results that are remembered; ratings are made of all


class MemoryResults:
    """What a store has in its tables of results; each game that ends is rated at once."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, Written]] = deque(maxlen=_MOST)
        self._count = 0
        self._ratings: dict[Key, Rated] = {}
        self._met: set[Meeting] = set()
        self._formula = Formula() if can_rate() else None

    def put(self, results: Iterable[Written], age: float) -> None:
        """Take results of a house of this age; a run plays no game twice."""
        for each in results:
            self._count += 1
            self._kept.append((self._count, each))
            if self._formula is not None:
                _, _, _, _, pool, _, why, _, seats, _ = each
                due = Due(self._count, pool, age, why is None, seats)
                self._met |= fold([due], self._ratings, self._formula)

    def history(self, who: Sequence[str], most: int) -> Sequence[ResultRow]:
        """List the latest games of some names or accounts, but for those that are hidden."""
        wanted = set(who)
        rows = [
            (id, code, kind, ended, why, seats)
            for id, (_, code, _, kind, _, ended, why, hidden, seats, by) in self._kept
            if not hidden and not wanted.isdisjoint(by)
        ]
        return latest(rows[-most:], most)

    def ratings(self, account: str) -> Sequence[RatingRow]:
        """List what an account is rated, by pool."""
        found = sorted(each for each in self._ratings.items() if each[0][1] == account)
        return [RatingRow(*key, mu, sigma, games) for key, (mu, sigma, games, _) in found]

    def top(self, pool: str, who: str, age: float, most: int) -> Sequence[RatingRow]:
        """List the best of a pool in a house of this age."""
        return best(self._ratings, self._opponents, pool, who, age, most)

    def _opponents(self, key: Key) -> int:
        return sum((pool, account) == key for pool, account, _ in self._met)
