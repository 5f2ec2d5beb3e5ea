"""GOPS, the Game of Pure Strategy: bid a card for each prize, and the higher card takes it.

The rules are those of the GOPS specification, section 1.  Both players hold a suit of their own; a third suit
is the prizes, turned up one at a time.  Both lay a card face down; once both have, the higher takes all that
lies on the table.  Equal cards take nothing: the prizes stay (or are put away, where ``ties`` says so).  An ace
counts 1.
"""

from gamecore.games.gops.events import Cards, Forfeited, Laid, Pair, PrizeTurned, Revealed
from gamecore.games.gops.moves import Bid
from gamecore.games.gops.options import GopsOptions
from gamecore.games.gops.position import GopsPosition
from gamecore.games.gops.rules import RULES, GopsRules
from gamecore.games.gops.view import GopsView

__all__ = [
    "RULES",
    "Bid",
    "Cards",
    "Forfeited",
    "GopsOptions",
    "GopsPosition",
    "GopsRules",
    "GopsView",
    "Laid",
    "Pair",
    "PrizeTurned",
    "Revealed",
]
