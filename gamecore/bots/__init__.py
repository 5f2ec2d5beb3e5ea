"""Opponents: what moves for a seat where no person sits.

A game brings bots of its own by naming a mapping of levels to bots in the entry point group ``parlour.bots``,
from the weakest to the strongest as far as games have shown one; ``random`` plays every game, and ``thinker``
thinks ahead in every game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points

from gamecore.errors import Refused
from gamecore.rules import Chance, Move, View

__all__ = [
    "ANY_GAME",
    "RANDOM",
    "Bot",
    "RandomBot",
    "Thinker",
    "bots_of",
    "find_bot",
    "usual_level",
]

RANDOM = "random"


class Bot:
    """One way to play; it knows what its seat knows, and has chance of its own.

    For who thinks ahead with its help (``search``): ``quick`` is one that plays about as well in a small part of
    the time, if there is any; ``rounds_ahead`` and ``moves_ahead`` are how far a look is worth it, None being to
    the end of the game; ``costly`` says that playing on costs so much that a tree would not grow, and moves are
    compared instead.
    """

    quick: Bot | None = None
    rounds_ahead: int | None = None
    moves_ahead: int | None = None
    costly: bool = False

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick one of the legal moves, of which there is at least one; thinks for a bounded time."""
        raise NotImplementedError

    def hesitate(self, view: View, moves: Sequence[Move], chance: Chance) -> float:
        """Say how many seconds pass before it moves: none, but in a race."""
        return 0.0

    def outlook(self, view: View) -> float:
        """Judge a game that goes on, for the seat of a View: 0 is lost, 1 is won."""
        return 0.5


class RandomBot(Bot):
    """Plays any game, and none of them well: each legal move is as likely as the next."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick any legal move."""
        return chance.choice(moves)


class Thinker(Bot):
    """Thinks ahead for ``seconds``, or for so many ``playouts``, with the help of ``bot`` (see ``search``).

    That takes longer than a reactor can wait and more than a View, so whoever seats one has it thought elsewhere;
    asked as any other bot it plays as that one.
    """

    def __init__(self, bot: Bot, seconds: float | None = None, playouts: int | None = None) -> None:
        self.bot, self.seconds, self.playouts = bot, seconds, playouts

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Play as the bot that helps it."""
        return self.bot.choose(view, moves, chance)

    def hesitate(self, view: View, moves: Sequence[Move], chance: Chance) -> float:
        """Hesitate as that one does."""
        return self.bot.hesitate(view, moves, chance)


ANY_GAME: Mapping[str, Bot] = {RANDOM: RandomBot()}
THINKING_SECONDS = {"thinker-fast": 0.05, "thinker": 0.2}


@cache
def bots_of(kind: str) -> Mapping[str, Bot]:
    """List the bots of a game by level: the one that plays every game, the game's own, and those that think."""
    levels = dict(ANY_GAME)
    for point in entry_points(group="parlour.bots", name=kind):
        levels.update(point.load())
    strongest = list(levels.values())[-1]
    if isinstance(strongest, Thinker):
        strongest = strongest.bot
    thinkers = {level: Thinker(strongest, each) for level, each in THINKING_SECONDS.items()}
    return {**levels, **thinkers}


def usual_level(kind: str) -> str:
    """Choose the bot for who names none: a game's own first one, else the one that plays every game."""
    return next((level for level in bots_of(kind) if level != RANDOM), RANDOM)


def levels_of(kind: str) -> tuple[str, ...]:
    """List the levels of a game's bots, the usual one first."""
    usual = usual_level(kind)
    return (usual, *(level for level in bots_of(kind) if level != usual))


def find_bot(kind: str, level: str) -> Bot:
    """Find the bot of a level for a game; raises Refused ``no-such-level``."""
    levels = bots_of(kind)
    try:
        return levels[level]
    except KeyError:
        raise Refused("no-such-level", level=level, known=", ".join(levels)) from None
