"""The settings of a table of Castle Wars."""

from __future__ import annotations

from attrs import frozen

from gamecore.settings import setting


@frozen
class CastleOptions:
    """How long players may think, and what the printed rules leave open."""

    seconds: int = setting(300, "seconds a player has for a turn", low=1, high=86_400)
    response_seconds: int = setting(
        60, "seconds to answer a question or an action", low=1, high=86_400
    )
    begins: str = setting(
        "random",
        "who has the first turn",
        choices={"random": "by chance", "first-seat": "the player in the first seat"},
    )
    hand_limit: int = setting(10, "most cards a hand holds", low=6, high=50)
