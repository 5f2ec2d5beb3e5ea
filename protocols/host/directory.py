"""The directory: all live tables of the house by their cards, to list, to find, and to be matched at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from itertools import count

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.settings import Value
from protocols.host.card import Card, plays
from protocols.host.shelves import Shelf, Shelves

_Terms = tuple[str, str, str]  # kind, options, and what the password was sealed to
_Meeting = tuple[str, str]  # kind, and the name of a private table


class _Offers:
    """The tables where a newcomer without a code meets others, by what is played there and which seats are free."""

    def __init__(self) -> None:
        self._free: dict[_Terms, dict[tuple[int, ...], dict[str, int]]] = {}
        self._turns = count()

    def move(self, before: Card | None, after: Card | None) -> None:
        """Follow a table from one card of it to the next."""
        old = self._where(before)
        new = self._where(after)
        if old == new:
            return
        if before is not None and old is not None:
            seats = self._free[old[0]]
            del seats[old[1]][before.code]
            if not seats[old[1]]:
                del seats[old[1]]
            if not seats:
                del self._free[old[0]]
        if after is not None and new is not None:
            seats = self._free.setdefault(new[0], {})
            seats.setdefault(new[1], {})[after.code] = next(self._turns)

    def _where(self, card: Card | None) -> tuple[_Terms, tuple[int, ...]] | None:
        if card is None or not card.awaits(None):
            return None
        return (card.kind, card.plays, card.lock), card.free

    def find(self, terms: _Terms, seat: int | None) -> str | None:
        """Find the fullest table, then the longest waiting, where a seat is free, or this one."""
        groups = self._free.get(terms, {})
        fitting = (free for free in groups if seat is None or seat in free)
        best = min(
            fitting, key=lambda free: (len(free), next(iter(groups[free].values()))), default=None
        )
        return None if best is None else next(iter(groups[best]))


class Directory:
    """Every live table by its code; what is listed is there at once, and says nothing of the future."""

    def __init__(self) -> None:
        self._cards: dict[str, Card] = {}
        self._shelves = Shelves()
        self._offers = _Offers()
        self._meetings: dict[_Meeting, dict[str, None]] = {}
        self._tally: Counter[tuple[str, Stage]] = Counter()

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, code: object) -> bool:
        return code in self._cards

    # -- questions --------------------------------------------------------------------

    def find(self, code: str) -> Card:
        """Find a table by its code, in any case; raises Refused ``no-such-table``."""
        try:
            return self._cards[code.upper()]
        except KeyError:
            raise Refused("no-such-table") from None

    def joinable(self, kind: str | None = None) -> Iterator[Card]:
        """List the public tables where a seat can be taken, of one kind or of all, oldest first."""
        return self._shelves.list(lambda shelf: shelf.joinable and kind in (None, shelf.kind))

    def joinable_of(self, kinds: Container[str]) -> Iterator[Card]:
        """List the public tables of some kinds where a seat can be taken, oldest first."""
        return self._shelves.list(lambda shelf: shelf.joinable and shelf.kind in kinds)

    def public(self, kind: str | None = None) -> Iterator[Card]:
        """List the tables that everybody may know of, of one kind or of all, the joinable ones first."""
        yield from self.joinable(kind)
        yield from self._shelves.list(
            lambda shelf: not shelf.joinable and kind in (None, shelf.kind)
        )

    def free(self, kind: str, locked: bool | None = None) -> Iterator[Card]:
        """List the joinable tables where a seat is kept for nobody, all or those with a password or without."""
        return self._shelves.list(
            lambda shelf: (
                (shelf.kind, shelf.joinable, shelf.free) == (kind, True, True)
                and locked in (None, shelf.locked)
            )
        )

    def watchable(self, kind: str) -> Card | None:
        """Find a table where everybody may look on, the first where a game goes on, or else the first."""

        def first(joinable: bool, under_way: bool) -> Card | None:
            wanted = (kind, joinable, under_way, True, False)
            return next(self._shelves.list(lambda shelf: wanted == _looked_at(shelf)), None)

        return first(False, True) or first(True, False) or first(False, False)

    def match(
        self, kind: str, seat: int | None, options: Mapping[str, Value], lock: str = ""
    ) -> Card | None:
        """Find a table to meet others at who came without a code.

        It plays by these very options, begins by itself, somebody is there, and it has this seat free, or any.
        ``lock`` is what the word that all of them know was sealed to, if there is one.
        """
        code = self._offers.find((kind, plays(options), lock), seat)
        return None if code is None else self._cards[code]

    def waiting(self, kind: str | None) -> Card | None:
        """Find a public table of any options, and without a password, where somebody waits for whoever comes."""
        wanted = (True, True, True, False)
        found = self._shelves.list(
            lambda shelf: (
                (shelf.joinable, shelf.free, shelf.here, shelf.locked) == wanted
                and kind in (None, shelf.kind)
            )
        )
        return next(found, None)

    def meeting(self, kind: str, word: str) -> Card | None:
        """Find the private table of a kind that was opened to meet at by a word, and still gathers."""
        codes = self._meetings.get((kind, word), {})
        return next((self._cards[code] for code in codes), None)

    def tally(self) -> Mapping[tuple[str, Stage], int]:
        """Count all live tables by game and stage, those that are nobody else's business too."""
        return +self._tally

    # -- what the Host tells ----------------------------------------------------------

    def put(self, card: Card) -> None:
        """Have a table as its card says it is."""
        before = self._cards.get(card.code)
        self._cards[card.code] = card
        self._shelves.put(card)
        self._follow(before, card)

    def remove(self, code: str) -> None:
        """Have a table no more."""
        before = self._cards.pop(code, None)
        if before is not None:
            self._shelves.drop(code)
            self._follow(before, None)

    def _follow(self, before: Card | None, after: Card | None) -> None:
        self._offers.move(before, after)
        for card, keep in ((before, False), (after, True)):
            if card is None:
                continue
            self._tally[card.kind, card.stage] += 1 if keep else -1
            if card.private and card.name and card.joinable:
                self._note_meeting(card, keep)

    def _note_meeting(self, card: Card, keep: bool) -> None:
        key = (card.kind, card.name)
        codes = self._meetings.setdefault(key, {})
        if keep:
            codes[card.code] = None
        else:
            codes.pop(card.code, None)
        if not codes:
            del self._meetings[key]


def _looked_at(shelf: Shelf) -> tuple[str, bool, bool, bool, bool]:
    return shelf.kind, shelf.joinable, shelf.under_way, shelf.watchers, shelf.locked
