"""Opponents: what moves for a seat where no person sits.

A game brings bots of its own by naming a mapping of levels to bots in the entry point group ``parlour.bots``;
``random`` plays every game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points

from gamecore.errors import Refused
from gamecore.rules import Chance, Move, View

__all__ = ["ANY_GAME", "RANDOM", "Bot", "RandomBot", "bots_of", "find_bot"]

RANDOM = "random"


class Bot:
    """One way to play; it knows what its seat knows, and has chance of its own."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick one of the legal moves, of which there is at least one; thinks for a bounded time."""
        raise NotImplementedError

    def hesitate(self, view: View, moves: Sequence[Move], chance: Chance) -> float:
        """Say how many seconds pass before it moves: none, but in a race."""
        return 0.0


class RandomBot(Bot):
    """Plays any game, and none of them well: each legal move is as likely as the next."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick any legal move."""
        return chance.choice(moves)


ANY_GAME: Mapping[str, Bot] = {RANDOM: RandomBot()}


@cache
def bots_of(kind: str) -> Mapping[str, Bot]:
    """List the bots of a game by level, the one that plays every game first."""
    levels = dict(ANY_GAME)
    for point in entry_points(group="parlour.bots", name=kind):
        levels.update(point.load())
    return levels


def find_bot(kind: str, level: str) -> Bot:
    """Find the bot of a level for a game; raises Refused ``no-such-level``."""
    levels = bots_of(kind)
    try:
        return levels[level]
    except KeyError:
        raise Refused("no-such-level", level=level, known=", ".join(levels)) from None
