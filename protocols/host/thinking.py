"""Thinking ahead for a seat, away from the reactor."""

from __future__ import annotations

from typing import Protocol

from attrs import field, frozen
from twisted.internet.defer import Deferred, fail

from gamecore.rules import Move


class NotThought(Exception):
    """Nobody has thought: they were too many, too slow, or it was not to be."""


@frozen
class Question:
    """What to do in a seat: the position as it may be for all that the seat knows, packed (see ``parcel``).

    ``level`` is that of the bot of the game who thinks, ``now`` the game's own time, ``seed`` its chance, and
    ``table`` the code of the table. It takes so many ``playouts``, or None: the seconds of its level.
    """

    kind: str
    level: str
    seat: int
    now: float
    seed: int
    parcel: bytes = field(repr=False)
    table: str = ""
    playouts: int | None = None


class Thinking(Protocol):
    """Who thinks."""

    def think(self, question: Question) -> Deferred[Move]:
        """Find a move; fails with NotThought."""

    def stop(self) -> None:
        """Let go of whoever thinks; all that is under way fails."""


class NobodyThinks:
    """For a house that thinks for nobody: whoever asks plays as well as it can at once."""

    def think(self, question: Question) -> Deferred[Move]:
        """Fail."""
        return fail(NotThought())

    def stop(self) -> None:
        """Have nothing to let go of."""


NOBODY = NobodyThinks()
