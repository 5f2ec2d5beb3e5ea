"""Rikiki: bid how many tricks you will take, then take exactly so many.

A round deals each player the same number of cards, one fewer than the round before; then all bid in turn, and then
the tricks are played.  The rules stand in `tricks` and `scoring`, the sizes of the hands in `options`, the life of
one round in `round`, the whole game in `position`.
"""

from __future__ import annotations

from gamecore.games.rikiki.options import RikikiOptions, hand_sizes, turns_trump
from gamecore.games.rikiki.position import RULES, RikikiPosition, RikikiRules
from gamecore.games.rikiki.vocabulary import (
    Asked,
    Awaited,
    Bid,
    BidPlaced,
    CardPlayed,
    Dealt,
    HandDealt,
    Laid,
    PlayCard,
    Result,
    RikikiView,
    RoundScored,
    Trick,
    TrickTaken,
    TrumpTurned,
)

__all__ = [
    "RULES",
    "Asked",
    "Awaited",
    "Bid",
    "BidPlaced",
    "CardPlayed",
    "Dealt",
    "HandDealt",
    "Laid",
    "PlayCard",
    "Result",
    "RikikiOptions",
    "RikikiPosition",
    "RikikiRules",
    "RikikiView",
    "RoundScored",
    "Trick",
    "TrickTaken",
    "TrumpTurned",
    "hand_sizes",
    "turns_trump",
]
