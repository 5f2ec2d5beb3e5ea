"""Thinking as a bot that thinks ahead."""

from __future__ import annotations

from collections.abc import Callable

from gamecore.bots import Bot, Thinker
from gamecore.rules import Chance, Move, Position
from gamecore.search.budget import Budget
from gamecore.search.halving import Halving
from gamecore.search.tree import Search


def think_as(
    thinker: Thinker,
    guess: Position,
    seat: int,
    chance: Chance,
    now: float,
    playouts: int | None,
    clock: Callable[[], float],
) -> Move:
    """Find the move of a bot that thinks ahead, in so many playouts, or with None in what its level has."""
    budget = Budget(thinker.seconds, thinker.playouts)
    if playouts is not None:
        budget = Budget(playouts=playouts)
    search = search_of(thinker.bot)
    return search(guess, seat, chance, thinker.bot, now).think(budget, clock).move


def search_of(bot: Bot) -> type[Halving] | type[Search]:
    """Choose how to think with the help of a bot."""
    return Halving if bot.costly else Search
