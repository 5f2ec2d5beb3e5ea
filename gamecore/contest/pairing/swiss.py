"""Swiss: who has as many points meets, nobody twice, nobody has two byes.

The best matching of a graph in which each two who may meet are joined, weighed so that this decides, in order: no
second bye, no second meeting, points that are near, the upper half of those who are level against the lower, seats.
With many players only those who stand near one another are joined; where no matching of those will do, more are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from gamecore.contest.pairing.roundrobin import ROUND_ROBIN, balanced
from gamecore.contest.rounds import (
    Field,
    PairedRound,
    byes,
    meetings,
    number_pairings,
    seat_balance,
)
from gamecore.contest.standing import points_of, standings

WINDOW = 12  # how many players below each one may meet, to begin with
FEW = 8  # fewer than this all meet
_BYE = -1  # the vertex that whoever has a bye is matched with
_AGAIN = -(10**8)
_GAP = -(10**4)  # times the square of the difference in points
_SEATS = -40  # times how much worse the seats are balanced
_FOLD = -1  # times how far from half a group apart
_SECOND_BYE = -(10**11)


@frozen
class Swiss:
    """So many rounds that one is left without a loss, and one more."""

    bye_worth: int = 1

    def pair(self, field: Field) -> PairedRound | None:
        """Pair the next round; None after the last, or where fewer than two are present.

        Raises ImportError where networkx (the extra ``tournament``) is not installed.
        """
        if len(field.entrants) < FEW:
            return ROUND_ROBIN.pair(field)
        if len(field.rounds) >= rounds(len(field.entrants)) or len(field.present) < 2:
            return None
        return pair(field)


def rounds(entrants: int) -> int:
    """Say how many rounds so many entrants play."""
    return (entrants - 1).bit_length() + 1


def pair(field: Field) -> PairedRound:
    """Pair one round of everybody who is present."""
    graph = _Graph(field)
    window = WINDOW
    while True:
        matched = graph.match(window)
        whole = window >= len(graph.ranked)
        if whole or (matched is not None and not graph.met_again(matched)):
            break
        window *= 2
    assert matched is not None  # where all are joined there is a matching of all
    two = sorted((low, high) for low, high in matched if low != _BYE)
    free = tuple(graph.ranked[high] for low, high in matched if low == _BYE)
    groups = [balanced((graph.ranked[low], graph.ranked[high]), field) for low, high in two]
    return number_pairings(len(field.rounds) + 1, groups, free)


class _Graph:
    """Who may meet, and how well that fits."""

    def __init__(self, field: Field) -> None:
        table = standings(field)
        self.ranked = [row.entrant for row in table if row.entrant in field.present]
        points = points_of(field)
        self._points: Sequence[Fraction] = [points[each] for each in self.ranked]
        self._met = meetings(field)
        self._byes = byes(field)
        self._balance = seat_balance(field)
        self._half = [self._points.count(each) // 2 for each in self._points]

    def match(self, window: int) -> list[tuple[int, int]] | None:
        """Match everybody within a window, the lower rank first; None where somebody is left over."""
        from networkx import Graph, max_weight_matching  # takes a while; an extra of the house

        count = len(self.ranked)
        graph = Graph()
        graph.add_nodes_from(range(count))
        for low in range(count):
            for high in range(low + 1, min(count, low + window + 1)):
                graph.add_edge(low, high, weight=self._weight(low, high))
        if count % 2:
            for rank in range(count):
                graph.add_edge(_BYE, rank, weight=self._weight_of_bye(rank))
        matched = [(min(two), max(two)) for two in max_weight_matching(graph, maxcardinality=True)]
        return matched if len(matched) == (count + 1) // 2 else None

    def met_again(self, matched: Sequence[tuple[int, int]]) -> bool:
        """Say whether a matching lets two meet again, or gives a second bye."""
        return any(
            self._byes[self.ranked[high]] if low == _BYE else self._meetings(low, high)
            for low, high in matched
        )

    def _meetings(self, low: int, high: int) -> int:
        return self._met[frozenset((self.ranked[low], self.ranked[high]))]

    def _weight(self, low: int, high: int) -> int:
        gap = self._points[low] - self._points[high]
        seats = abs(self._balance[self.ranked[low]] + self._balance[self.ranked[high]])
        fold = abs(high - low - self._half[low])
        return (
            _AGAIN * self._meetings(low, high)
            + int(_GAP * gap * gap)
            + _SEATS * seats * seats
            + _FOLD * fold
        )

    def _weight_of_bye(self, rank: int) -> int:
        above_last = self._points[rank] - self._points[-1]
        return (
            _SECOND_BYE * self._byes[self.ranked[rank]]
            + int(_GAP * above_last * above_last)
            - (len(self.ranked) - rank)
        )


SWISS = Swiss()
