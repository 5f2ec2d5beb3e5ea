"""What a player of Expanding Nim may want to do."""

from __future__ import annotations

from attrs import frozen

from gamecore.rules import Move


@frozen
class Take(Move):
    """Take stones, and perhaps put the maximum back for the next take."""

    stones: int
    reset: bool = False


NOTHING = Take(0)  # stands for the take of one who has lost without any
