"""Which card lies where, as far as the one who looks may know."""

from __future__ import annotations

from gamecore.games.castle import CastleView
from gamecore.games.castle.moves import Spot


def card_at(board: CastleView, spot: Spot) -> int | None:
    """Find the number of the card at a place; None if there is none, or it is face down to the viewer."""
    side = board.sides[spot.seat]
    if spot.zone == "castle":
        return side.castle
    if spot.zone == "hand":
        return side.hand[spot.slot].card if spot.slot < len(side.hand) else None
    return next((each.card for each in side.field if each.spot == spot), None)
