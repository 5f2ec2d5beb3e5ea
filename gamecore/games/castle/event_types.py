"""Who hears of an event, and the words that several events share."""

from __future__ import annotations

from typing import Literal

from gamecore.events import EVERYONE, AllBut, Audience, Only

Pair = tuple[int, int]
Doing = Literal["draw", "play", "level", "ability", "attack"]
Cause = Literal["battle", "ability", "cost", "self", "timer"]
Result = Literal["done", "cancelled", "void"]
Fight = Literal["win", "lose", "both", "castle"]
Asking = Literal["target", "take", "discard", "put", "may", "save"]
HealthCause = Literal["attack", "ability", "cost", "rescue"]


def told_to(only: int | None, but: int | None) -> Audience:
    """Give the audience of an event that only one seat, or all but one, may hear."""
    if only is not None:
        return Only(only)
    return EVERYONE if but is None else AllBut(but)
