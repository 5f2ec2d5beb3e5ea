"""Opponents: what moves for a seat where no person sits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gamecore.errors import Refused
from gamecore.rules import Chance, Move, View


class Bot(Protocol):
    """One way to play; it knows what its seat knows, and has chance of its own."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick one of the legal moves, of which there is at least one."""


class RandomBot:
    """Plays any game, and none of them well: each legal move is as likely as the next."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick any legal move."""
        return chance.choice(moves)


ANY_GAME = {"random": RandomBot()}


def find_bot(kind: str, level: str) -> Bot:
    """Find the bot of a level for a game; raises Refused ``no-such-level``."""
    try:
        return ANY_GAME[level]
    except KeyError:
        raise Refused("no-such-level", level=level, known=", ".join(ANY_GAME)) from None
