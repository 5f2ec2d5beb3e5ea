"""The settings of a table of Expanding Nim."""

from __future__ import annotations

from attrs import frozen

from gamecore.settings import setting

MOST_STONES = 1_000_000


@frozen
class NimOptions:
    """What a table of Expanding Nim can choose; times are in seconds."""

    stones: int = setting(100, "stones on the table at the start", low=1, high=MOST_STONES)
    resets: int = setting(4, "resets each player may use", low=0, high=1000)
    maximum: int = setting(3, "most stones the first take may have", low=1, high=1000)
    seconds: int = setting(120, "seconds each player has for the whole game", low=1, high=86_400)
    lag: float = setting(0.0, "seconds of slow sending forgiven to each think", low=0, high=10)
    lazy_clock: bool = setting(False, "look at the clock only when a move arrives")
    early_moves: str = setting(
        "lose",
        "what a move out of turn does: lose the game, or wait",
        choices={"lose": "lose the game", "keep": "wait"},
    )
