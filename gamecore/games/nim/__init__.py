"""Expanding Nim: take stones in turn, and whoever takes the last one wins.

The rules are those of the Expanding Nim specification, sections 1.1 to 1.4.  A take of k stones raises the
maximum to k + 1 if that is more; a reset puts the maximum back to its first value for the next take only.
Whoever takes too few or too many, takes out of turn, resets without a reset left or uses up the clock has lost.
"""

from gamecore.games.nim.events import Board, Faulted, PileSet, Taken
from gamecore.games.nim.moves import NOTHING, Take
from gamecore.games.nim.options import NimOptions
from gamecore.games.nim.position import NimPosition
from gamecore.games.nim.rules import RULES, NimRules
from gamecore.games.nim.view import NimView

__all__ = [
    "NOTHING",
    "RULES",
    "Board",
    "Faulted",
    "NimOptions",
    "NimPosition",
    "NimRules",
    "NimView",
    "PileSet",
    "Take",
    "Taken",
]
