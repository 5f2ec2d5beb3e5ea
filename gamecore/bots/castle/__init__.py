"""Opponents at Castle Wars: one that goes by the old scripts, one with a policy, one that compares what may follow.

They know their View and the printed cards, and keep nothing in mind between two decisions.  What a card is worth is
its points, and something for its levels; face-down cards are worth what they may be.  ``hard`` has the help of a
policy that also plans its attacks, and plays as that one where nobody can think for it.
"""

from collections.abc import Mapping

from gamecore.bots import Bot, Thinker
from gamecore.bots.castle.policy import PlanningBot, PolicyBot
from gamecore.bots.castle.script import ScriptBot

__all__ = ["LEVELS", "PlanningBot", "PolicyBot", "ScriptBot"]

_PLAYOUTS = 48  # about a fifth of a second of a processor

LEVELS: Mapping[str, Bot] = {
    "easy": ScriptBot(),
    "normal": PolicyBot(),
    "hard": Thinker(PlanningBot(), playouts=_PLAYOUTS),
}
