"""Playing cards on a page: their pictures, and what they are called."""

from __future__ import annotations

from gamecore.cards import SIGNS, Card
from protocols.i18n.translate import N_, Translator
from protocols.web.static_files import address_of

_RANKS = {
    "J": N_("jack"),
    "Q": N_("queen"),
    "K": N_("king"),
    "A": N_("ace"),
}
_SUITS = {"S": N_("spades"), "C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts")}
_COLOURS = {"S": "black", "C": "green", "D": "blue", "H": "red"}


def card_file(card: Card) -> str:
    """Write the address of the picture of a card."""
    return address_of(f"cards/{'T' if card.rank == '10' else card.rank}{card.suit}.svg")


def card_called(card: Card, say: Translator) -> str:
    """Say a card in words: ``queen of hearts``."""
    rank = say(_RANKS[card.rank]) if card.rank in _RANKS else card.rank
    return say("{rank} of {suit}", rank=rank, suit=say(_SUITS[card.suit]))


def suit_called(suit: str, say: Translator) -> str:
    """Say a suit in a word."""
    return say(_SUITS[suit])


def suit_sign(suit: str) -> str:
    """Write a suit as its sign."""
    return SIGNS[suit]


def suit_colour(suit: str) -> str:
    """Name the class in which a suit is coloured; each of the four has its own."""
    return _COLOURS[suit]
