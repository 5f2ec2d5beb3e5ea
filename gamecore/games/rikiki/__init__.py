"""Rikiki: bid how many tricks you will take, then take exactly so many.

A round deals each player the same number of cards, one fewer than the round before; then all bid in turn, and then
the tricks are played.  The rules are those of the Rikiki specification, section a: they stand in `tricks` and
`scoring`, the sizes of the hands in `options`, the life of one round in `round`, what outlives it in `game`.
"""

from gamecore.games.rikiki.events import (
    Asked,
    Awaited,
    BidPlaced,
    CardPlayed,
    CardsChosen,
    Dealt,
    HandDealt,
    Laid,
    Result,
    RoundScored,
    Trick,
    TrickTaken,
    TrumpTurned,
)
from gamecore.games.rikiki.moves import Bid, ChooseCards, PlayCard
from gamecore.games.rikiki.options import RikikiOptions, hand_sizes, turns_trump
from gamecore.games.rikiki.position import RikikiPosition
from gamecore.games.rikiki.rules import RULES, RikikiRules
from gamecore.games.rikiki.view import RikikiView

__all__ = [
    "RULES",
    "Asked",
    "Awaited",
    "Bid",
    "BidPlaced",
    "CardPlayed",
    "CardsChosen",
    "ChooseCards",
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
