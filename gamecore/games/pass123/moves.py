"""What a player of 1-2-3 Pass may want to do."""

from __future__ import annotations

from attrs import frozen

from gamecore.cards import PACK, Card
from gamecore.rules import Move


@frozen
class Pass(Move):
    """Name the card to pass."""

    card: Card


@frozen
class Finish(Move):
    """Lay down a set."""


@frozen
class Tap(Move):
    """Put a hand on the table, once somebody has finished."""


PASSES = {card: Pass(card) for card in PACK}  # they are listed at every turn
