"""Places and cards as people read and type them: ``s1`` is one's own first soldier, ``es1`` the enemy's."""

from __future__ import annotations

import re

from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.moves import Spot
from protocols.castle.visible_cards import card_at
from protocols.i18n.translate import N_, Translator

_LETTERS: dict[Zone, str] = {
    "soldier": "s",
    "mage": "m",
    "trickster": "t",
    "decree": "d",
    "castle": "castle",
    "hand": "h",
    "deck": "deck ",
    "discard": "pile ",
}
_ZONES: dict[str, Zone] = {"s": "soldier", "m": "mage", "t": "trickster", "d": "decree"}
_TYPED = re.compile(r"(e?)([smtd])([12]?)")
_NAMES: dict[Zone, str] = {
    "hand": N_("hand"),
    "soldier": N_("soldier {n}"),
    "mage": N_("mage {n}"),
    "trickster": N_("trickster {n}"),
    "decree": N_("decree"),
    "castle": N_("castle"),
    "deck": N_("deck"),
    "discard": N_("discard pile"),
}
_DROPPED = ("Trickster - ", "Mage - ")


def short_name(card: int | None, say: Translator) -> str:
    """Name a card without the type before its name; one that is not known is just a card."""
    if card is None:
        return say("a card")
    name = CARDS[card].name
    for prefix in _DROPPED:
        name = name.removeprefix(prefix)
    return name


def typed_place(spot: Spot, viewer: int | None) -> str:
    """Write a place as it is typed."""
    letter = _LETTERS[spot.zone]
    number = "" if spot.zone in ("castle", "decree") else str(spot.slot + 1)
    enemy = "" if viewer is None or spot.seat == viewer else "enemy " if len(letter) > 1 else "e"
    return f"{enemy}{letter}{number}"


def read_place(word: str, viewer: int) -> Spot | None:
    """Read ``s1``, ``em2``, ``castle`` (which is the enemy's); None if it is no place."""
    word = word.lower()
    if word in ("castle", "c", "ec"):
        return Spot(1 - viewer, "castle", 0)
    found = _TYPED.fullmatch(word)
    if found is None:
        return None
    zone = _ZONES[found[2]]
    if (zone == "decree") == bool(found[3]):
        return None
    return Spot(1 - viewer if found[1] else viewer, zone, int(found[3] or 1) - 1)


def place_name(spot: Spot, say: Translator) -> str:
    """Name a place in a sentence, whoever reads it."""
    return say(_NAMES[spot.zone], n=spot.slot + 1)


def place_and_card(board: CastleView, spot: Spot, viewer: int | None, say: Translator) -> str:
    """Write a place and the card in it."""
    if spot.zone == "castle":
        return say("the enemy castle") if spot.seat != viewer else say("your castle")
    card = card_at(board, spot)
    name = say("face down") if card is None else short_name(card, say)
    return f"{typed_place(spot, viewer)} {name}"
