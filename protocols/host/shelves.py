"""The lists of tables: what can be asked for is asked of those alone that fit, however many others there are."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from heapq import merge
from itertools import count
from operator import itemgetter
from typing import NamedTuple

from gamecore.game import Stage
from protocols.host.card import Card

_Entry = tuple[int, Card]
_AGE: Callable[[_Entry], int] = itemgetter(0)
_UNDER_WAY = (Stage.PLAYING, Stage.BETWEEN_ROUNDS)


class Shelf(NamedTuple):
    """What cards that lie together have in common; a list is drawn from the shelves that fit it."""

    kind: str
    joinable: bool
    free: bool
    here: bool
    locked: bool
    watchers: bool
    under_way: bool


class Shelves:
    """The public tables, each on one shelf, those first that came first to be joinable, or to be so no more."""

    def __init__(self) -> None:
        self._shelves: dict[Shelf, list[_Entry]] = {}
        self._where: dict[str, tuple[int, Shelf]] = {}
        self._ages = count()

    def list(self, fits: Callable[[Shelf], bool]) -> Iterator[Card]:
        """List the cards of all shelves that fit, the oldest first, each when it is asked for."""
        fitting = [cards for shelf, cards in self._shelves.items() if fits(shelf)]
        return map(itemgetter(1), merge(*fitting, key=_AGE))

    def put(self, card: Card) -> None:
        """Have a table as its card says it is."""
        new = shelf_of(card)
        age, old = self._where.get(card.code, (-1, None))
        if old is not None:
            cards = self._shelves[old]
            place = bisect_left(cards, age, key=_AGE)
            if old == new:
                cards[place] = age, card
                return
            self._take_off(old, place)
        if new is None:
            self._where.pop(card.code, None)
            return
        if old is None or old.joinable != new.joinable:
            age = next(self._ages)
        insort(self._shelves.setdefault(new, []), (age, card), key=_AGE)
        self._where[card.code] = age, new

    def drop(self, code: str) -> None:
        """Have a table no more."""
        if code in self._where:
            age, shelf = self._where.pop(code)
            self._take_off(shelf, bisect_left(self._shelves[shelf], age, key=_AGE))

    def _take_off(self, shelf: Shelf, place: int) -> None:
        del self._shelves[shelf][place]
        if not self._shelves[shelf]:
            del self._shelves[shelf]


def shelf_of(card: Card) -> Shelf | None:
    """Say where a table belongs; nowhere if it is private, or over with nobody there."""
    stage = card.stage
    joinable = card.joinable
    over = stage is Stage.ABANDONED or (stage is Stage.OVER and not card.here)
    if card.private or (over and not joinable):
        return None
    return Shelf(
        card.kind,
        joinable,
        bool(card.free),
        card.here > 0,
        card.locked,
        card.watchers,
        stage in _UNDER_WAY,
    )
