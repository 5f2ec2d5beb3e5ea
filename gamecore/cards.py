"""Playing cards: the pack of fifty-two, as every game with cards in it means it.

A card is written rank first, then suit: ``AS``, ``10H``, ``QD``.  The canonical order of a pack, from which every
shuffle starts, is by suit (spades, clubs, diamonds, hearts) and then by rank, the two first and the ace last.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

SUITS = "SCDH"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SIGNS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
_WORTH = {rank: worth for worth, rank in enumerate(RANKS, 2)}


def _check_rank(_: object, __: object, value: str) -> None:
    if value not in _WORTH:
        raise ValueError(f"no rank: {value}")


def _check_suit(_: object, __: object, value: str) -> None:
    if value not in SIGNS:
        raise ValueError(f"no suit: {value}")


@frozen(cache_hash=True)
class Card:
    """One card of the pack; raises ValueError for a rank or a suit that there is not."""

    rank: str = field(validator=_check_rank)
    suit: str = field(validator=_check_suit)

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def high(self) -> int:
        """What the rank counts with the ace high: 2 to 14."""
        return _WORTH[self.rank]

    @property
    def low(self) -> int:
        """What the rank counts with the ace low: 1 to 13."""
        return 1 if self.rank == "A" else _WORTH[self.rank]

    @property
    def signed(self) -> str:
        """The card as people read it: ``10♥``."""
        return self.rank + SIGNS[self.suit]


PACK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_BY_NAME = {str(card): card for card in PACK}
_ASCII = str.maketrans({sign: suit for suit, sign in SIGNS.items()})


def read_card(text: str) -> Card:
    """Read a card as people type it (``ah``, ``10S``, ``th``, ``Q♦``); raises ValueError."""
    name = text.strip().upper().translate(_ASCII)
    if name.startswith("T") and len(name) == 2:
        name = "10" + name[1:]
    try:
        return _BY_NAME[name]
    except KeyError:
        raise ValueError(f"no card: {text}") from None


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Sort cards as a hand is held: by suit, then by rank, the ace high."""
    return sorted(cards, key=lambda card: (SUITS.index(card.suit), card.high))
