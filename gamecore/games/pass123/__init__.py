"""1-2-3 Pass: pass a card on, all at once, until somebody has a set; then tap, and do not be the last.

The rules are those of the 123Pass specification, section 1.  There are as many ranks in the pack as players, and
four cards in each hand.  Which ranks those are, nobody is told.  The words stand
in `vocabulary`, the life of a game in `round`, what may be asked of it in `position`.
"""

from __future__ import annotations

from gamecore.games.pass123.position import RULES, PassPosition, PassRules
from gamecore.games.pass123.round import Round, RoundMachine, begin_with, is_set, spare_card, taker
from gamecore.games.pass123.vocabulary import (
    GOINGS,
    TAP,
    TIME,
    Away,
    Begun,
    Dealt,
    Finish,
    Finished,
    Hand,
    Named,
    Pass,
    Passed,
    PassOptions,
    PassView,
    Ready,
    Received,
    TakenBack,
    Tap,
    Tapped,
    Voided,
)

__all__ = [
    "GOINGS",
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
    "Round",
    "RoundMachine",
    "TakenBack",
    "Tap",
    "Tapped",
    "Voided",
    "begin_with",
    "is_set",
    "spare_card",
    "taker",
]
