"""Comparing the moves one has now, where a playout costs so much that a tree would not grow.

Every move is tried in the same imagined games, so that what differs is the move and not the luck: common random
numbers.  By and by the worse half of the moves is left aside, so that the last few are tried most: sequential
halving.

Sources: Karnin, Koren, Somekh, *Almost Optimal Exploration in Multi-Armed Bandits* (2013); Tesauro, Galperin,
*On-line Policy Improvement using Monte-Carlo Search* (1996).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean

from attrs import Factory, define, field

from gamecore.bots import Bot, RandomBot
from gamecore.rules import Chance, Move, Position
from gamecore.search.budget import Budget, Spending, Thought
from gamecore.search.playout import Depth, Playout

_MOST_COMPARED = 8  # moves: the bot's own, and those that its quick one would play next
_SEED_BITS = 64


@define
class Halving:
    """One seat's search for a move in one guess of a position.

    ``bot`` is the strongest that plays the game; its own choice is among those that are compared, and stands where
    nothing does better.
    """

    guess: Position
    seat: int
    chance: Chance
    bot: Bot = Factory(RandomBot)
    now: float = 0.0
    _playout: Playout = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Play on as the bot says."""
        self._playout = Playout(self.bot, self.now)

    def think(self, budget: Budget, clock: Callable[[], float]) -> Thought:
        """Compare until the budget is spent; with a single legal move, not at all."""
        moves = self._likely(budget)
        found: dict[Move, list[float]] = {move: [] for move in moves}
        spending = Spending(budget, clock)
        stages = (len(moves) - 1).bit_length()
        left = moves
        for stage in range(1, stages + 1):
            while spending.share < stage / stages:
                self._try_all(left, found)
                spending.playouts += len(left)
            left = _better_half(left, found)
        worth = {move: fmean(shares) for move, shares in found.items() if shares}
        return Thought(left[0], spending.playouts, worth)

    def _likely(self, budget: Budget) -> list[Move]:
        """List the moves to compare, the bot's own first; no more than the budget has two playouts for."""
        most = _MOST_COMPARED
        if budget.playouts is not None:
            most = max(1, min(most, budget.playouts // 2))
        view = self.guess.seen_by(self.seat)
        others = list(self.guess.legal_moves(self.seat))
        likely = [self.bot.choose(view, others, self.chance)]
        others.remove(likely[0])
        while others and len(likely) < most:
            likely.append(self._playout.quick.choose(view, others, self.chance))
            others.remove(likely[-1])
        return likely

    def _try_all(self, moves: Sequence[Move], found: dict[Move, list[float]]) -> None:
        """Try each of the moves in the same game, drawn anew, with the same luck."""
        seed = self.chance.getrandbits(_SEED_BITS)
        for move in moves:
            found[move].append(self._try(move, Random(seed)))

    def _try(self, move: Move, chance: Random) -> float:
        depth = Depth()
        position = self.guess.guess(self.seat, chance, depth)
        position.play(self.seat, move, self.now)
        depth.moves += 1
        self._playout.finish(position, depth, chance)
        return self._playout.shares(position)[self.seat]


def _better_half(moves: Sequence[Move], found: dict[Move, list[float]]) -> list[Move]:
    """Keep the half that did better, and of those that did as well the first; all were tried as often."""
    ranked = sorted(moves, key=lambda move: -sum(found[move]))
    kept = ranked[: (len(ranked) + 1) // 2]
    return [move for move in moves if move in kept]
