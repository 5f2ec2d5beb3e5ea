"""Opponents at Castle Wars: one that goes by the old scripts, one with a policy, one that also plans its attacks.

They know their View and the printed cards, and keep nothing in mind between two decisions.  What a card is worth is
its points, and something for its levels; face-down cards are worth what they may be.
"""

from collections.abc import Mapping

from gamecore.bots import Bot
from gamecore.bots.castle.policy import PlanningBot, PolicyBot
from gamecore.bots.castle.script import ScriptBot

__all__ = ["LEVELS", "PlanningBot", "PolicyBot", "ScriptBot"]

LEVELS: Mapping[str, Bot] = {"easy": ScriptBot(), "normal": PolicyBot(), "hard": PlanningBot()}
