"""The settings of a table of 1-2-3 Pass."""

from __future__ import annotations

from attrs import frozen

from gamecore.cards import RANKS
from gamecore.settings import setting

MOST_PLAYERS = len(RANKS)


@frozen
class PassOptions:
    """What a table of 1-2-3 Pass can choose (123Pass specification, section 1); times are in seconds."""

    players: int = setting(
        4, "how many play, unless the game is begun with fewer", low=2, high=MOST_PLAYERS
    )
    direction: str = setting(
        "up",
        "who gets a card: the next player, or the one before",
        choices={"up": "the next player", "down": "the one before"},
    )
    seconds: int = setting(300, "seconds to name a card, and to tap", low=1, high=86_400)
