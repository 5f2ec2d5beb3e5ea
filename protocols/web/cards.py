"""Playing cards on a page: what they are called, and all of them in one small picture for each language.

The picture is a sprite: an SVG file of symbols named by rank and suit (``QH``, ``TS``, ``back``), of which a page
uses one by ``<use href="...#QH">``.  Its colours come from the page (``currentColor``), so that two or four of them
is a matter of looks; the letters are those of the language.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamecore.cards import RANKS, SUITS, Card
from protocols.i18n.translate import N_, Translator

_CALLED = {
    "J": N_("jack"),
    "Q": N_("queen"),
    "K": N_("king"),
    "A": N_("ace"),
}
_SUITS_CALLED = {"S": N_("spades"), "C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts")}
_LETTERS: Mapping[str, Mapping[str, str]] = {"fr": {"J": "V", "Q": "D", "K": "R"}}

_SUIT_PATHS = {
    "S": "M0-4.8C-1.2-2.4-4.6-.6-4.6 1.6-4.6 3.6-2.3 4-.8 2.6-.9 3.6-1.4 4.4-2 4.8H2C1.4 4.4.9 3.6.8 2.6"
    " 2.3 4 4.6 3.6 4.6 1.6 4.6-.6 1.2-2.4 0-4.8Z",
    "H": "M0 4.7C-6-.4-4.6-4.5-2.3-4.5-.9-4.5 0-3.4 0-2.5 0-3.4.9-4.5 2.3-4.5 4.6-4.5 6-.4 0 4.7Z",
    "D": "M0-5C1-3 2.4-1.2 3.8 0 2.4 1.2 1 3 0 5-1 3-2.4 1.2-3.8 0-2.4-1.2-1-3 0-5Z",
    "C": "M0-4.8A2.2 2.2 0 0 1 1.7-1.2 2.2 2.2 0 1 1 .7 2.4C.8 3.5 1.3 4.4 2 4.8H-2C-1.3 4.4-.8 3.5-.7 2.4"
    "A2.2 2.2 0 1 1-1.7-1.2 2.2 2.2 0 0 1 0-4.8Z",
}
_LEFT, _MIDDLE, _RIGHT = 20, 30, 40  # columns of pips; the numbers beside them are rows
_PIPS: Mapping[str, tuple[tuple[int, tuple[int, ...]], ...]] = {
    "2": ((_MIDDLE, (20, 64)),),
    "3": ((_MIDDLE, (20, 42, 64)),),
    "4": ((_LEFT, (20, 64)), (_RIGHT, (20, 64))),
    "5": ((_LEFT, (20, 64)), (_MIDDLE, (42,)), (_RIGHT, (20, 64))),
    "6": ((_LEFT, (20, 42, 64)), (_RIGHT, (20, 42, 64))),
    "7": ((_LEFT, (20, 42, 64)), (_MIDDLE, (31,)), (_RIGHT, (20, 42, 64))),
    "8": ((_LEFT, (20, 42, 64)), (_MIDDLE, (31, 53)), (_RIGHT, (20, 42, 64))),
    "9": ((_LEFT, (18, 34, 50, 66)), (_MIDDLE, (42,)), (_RIGHT, (18, 34, 50, 66))),
    "10": ((_LEFT, (18, 34, 50, 66)), (_MIDDLE, (26, 58)), (_RIGHT, (18, 34, 50, 66))),
}
_HATS = {  # a crown, a diadem over long hair, a cap with a feather
    "K": '<path d="M20 22 18 11l6 5 6-8 6 8 6-5-2 11Z"/><circle cx="30" cy="7" r="1.8"/>'
    '<path d="M24 27c0 11 12 11 12 0l-1 8c-2 4-8 4-10 0Z"/>',
    "Q": '<path d="M20 23c0-9 20-9 20 0l2-8-5 3-3-6-4 5-4-5-3 6-5-3Z"/>'
    '<path d="M20 24c-4 6-3 11-1 14l3-14Zm20 0c4 6 3 11 1 14l-3-14Z"/>',
    "J": '<path d="M19 23c0-10 22-10 22 0Z"/><path d="M37 15C41 5 46 6 48 10c-4-1-7 2-9 6Z"/>',
}
_HEAD = (
    '<path d="M13 42c0-6 9-8 17-8s17 2 17 8Z" opacity=".9"/><path d="M26 33l4 9 4-9Z" fill="#fff"/>'
    '<circle cx="30" cy="26" r="8" fill="#f6dcc0" stroke="currentColor" stroke-width=".8"/>'
    '<path d="M27 26h.01M33 26h.01" stroke="#222" stroke-width="1.6" stroke-linecap="round"/>'
    '<path d="M28 30q2 1.4 4 0" fill="none" stroke="#222" stroke-width=".8"/>'
)
_PAPER = '<rect x=".5" y=".5" width="59" height="83" rx="5" fill="#fffdf8" stroke="#b9b2a0"/>'
_BACK = (
    f'{_PAPER}<rect x="4" y="4" width="52" height="76" rx="3" fill="#7a2432"/>'
    '<path d="M4 42 30 4 56 42 30 80ZM17 42 30 23 43 42 30 61Z" fill="none" stroke="#e9c9a0"'
    ' stroke-width="1.5"/><circle cx="30" cy="42" r="4" fill="#e9c9a0"/>'
)


def card_called(card: Card, say: Translator) -> str:
    """Say a card in words: ``queen of hearts``."""
    rank = say(_CALLED[card.rank]) if card.rank in _CALLED else card.rank
    return say("{rank} of {suit}", rank=rank, suit=say(_SUITS_CALLED[card.suit]))


def rank_called(rank: str, say: Translator) -> str:
    """Say a rank in a letter or a number, as it stands on a card of the language."""
    return _LETTERS.get(say.language, {}).get(rank, rank)


def suit_called(suit: str, say: Translator) -> str:
    """Say a suit in a word."""
    return say(_SUITS_CALLED[suit])


def symbol_of(card: Card) -> str:
    """Name the symbol of a card in the sprite."""
    return ("T" if card.rank == "10" else card.rank) + card.suit


def sprite(language: str) -> str:
    """Draw the pack in a language: 52 cards, the four suits and a back."""
    letters = _LETTERS.get(language, {})
    suits = "".join(
        f'<path id="{suit}" d="{path}" fill="currentColor"/>' for suit, path in _SUIT_PATHS.items()
    )
    cards = "".join(
        _symbol(symbol_of(Card(rank, suit)), _face(rank, suit, letters.get(rank, rank)))
        for suit in SUITS
        for rank in RANKS
    )
    halves = "".join(map(_half, _HATS))
    back = _symbol("back", _BACK)
    start = '<svg xmlns="http://www.w3.org/2000/svg"><defs>'
    return f"{start}{suits}{halves}</defs>{cards}{back}</svg>"


def _half(rank: str) -> str:
    """Draw the upper half of a court card."""
    return (
        f'<g id="h{rank}"><clipPath id="c{rank}"><path d="M10 0H50V42H10Z"/></clipPath>'
        f'<g clip-path="url(#c{rank})" fill="currentColor">{_HEAD}{_HATS[rank]}</g></g>'
    )


def _symbol(name: str, body: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 60 84">{body}</symbol>'


def _face(rank: str, suit: str, letter: str) -> str:
    if rank == "A":
        body = _pip(suit, 33, 46, 4)
    elif rank in _HATS:
        body = _court(rank, suit)
    else:
        places = [(column, row) for column, rows in _PIPS[rank] for row in rows]
        body = "".join(_pip(suit, 8 + column * 0.9, row, 1.25, row > 42) for column, row in places)
    return f'{_PAPER}<g fill="currentColor">{_corner(letter, suit)}{body}</g>'


def _pip(suit: str, x: float, y: float, scale: float, upside_down: bool = False) -> str:
    turn = " rotate(180)" if upside_down else ""
    return f'<use href="#{suit}" transform="translate({x:g} {y:g}){turn} scale({scale:g})"/>'


def _corner(letter: str, suit: str) -> str:
    squeezed = ' textLength="17" lengthAdjust="spacingAndGlyphs"' if len(letter) > 1 else ""
    size = 15 if len(letter) > 1 else 18
    return (
        f'<text x="10" y="17" font-size="{size}" font-weight="700" font-family="system-ui,sans-serif"'
        f' text-anchor="middle"{squeezed}>{letter}</text>{_pip(suit, 10, 25, 1.15)}'
    )


def _court(rank: str, suit: str) -> str:
    return (
        '<rect x="19" y="6" width="36" height="72" rx="2" fill="none" stroke="currentColor"'
        f' stroke-width=".8" opacity=".55"/><use href="#h{rank}" x="7"/>'
        f'<use href="#h{rank}" x="-7" transform="rotate(180 30 42)"/>'
        f"{_pip(suit, 48, 14, 1)}{_pip(suit, 26, 70, 1, True)}"
    )
