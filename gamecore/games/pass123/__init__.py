"""1-2-3 Pass: pass a card on, all at once, until somebody has a set; then tap, and do not be the last.

The rules are those of the 123Pass specification, section 1.  There are as many ranks in the pack as players, and
four cards in each hand.  Which ranks those are, nobody is told.
"""

from gamecore.games.pass123.events import (
    TAP,
    TIME,
    Begun,
    Dealt,
    Finished,
    Hand,
    Named,
    Passed,
    Ready,
    Received,
    TakenBack,
    Tapped,
    Voided,
)
from gamecore.games.pass123.moves import Finish, Pass, Tap
from gamecore.games.pass123.options import PassOptions
from gamecore.games.pass123.past import Away, taker
from gamecore.games.pass123.position import PassPosition
from gamecore.games.pass123.round import begin_with
from gamecore.games.pass123.rules import RULES, PassRules
from gamecore.games.pass123.view import PassView

__all__ = [
    "RULES",
    "TAP",
    "TIME",
    "Away",
    "Begun",
    "Dealt",
    "Finish",
    "Finished",
    "Hand",
    "Named",
    "Pass",
    "PassOptions",
    "PassPosition",
    "PassRules",
    "PassView",
    "Passed",
    "Ready",
    "Received",
    "TakenBack",
    "Tap",
    "Tapped",
    "Voided",
    "begin_with",
    "taker",
]
