"""Thinking ahead for a seat, away from the reactor."""

from __future__ import annotations

from pickle import PicklingError
from random import Random
from typing import Protocol

from attrs import field, frozen
from twisted.internet.defer import Deferred, fail

from gamecore.parcel import pack
from gamecore.rules import Move
from gamecore.table import Table


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


def ask_about(table: Table, seat: int, level: str, now: float, chance: Random) -> Question | None:
    """Ask a level what a seat might do, by all that the seat knows; None where nobody can think about it elsewhere.

    ``now`` is table time.
    """
    guess = table.guess(seat, chance)
    if guess is None:
        return None
    try:
        parcel = pack(guess)
    except PicklingError:
        return None
    seed, at = chance.getrandbits(64), table.game_time(now)
    return Question(table.rules.kind, level, seat, at, seed, parcel, table.code)


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
