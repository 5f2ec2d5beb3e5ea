"""Information-set Monte Carlo tree search.

Each try draws the hidden things once more, goes down the tree by the upper confidence bound of each seat's own
moves, adds one node, and lets quick bots play on from there.  Seats that decide at once choose independently.

Sources: Cowling, Powley, Whitehouse, *Information Set Monte Carlo Tree Search* (2012); for simultaneous moves Tak,
Lanctot, Winands, *Monte Carlo Tree Search Variants for Simultaneous Move Games* (2014).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt

from attrs import Factory, define, field

from gamecore.bots import Bot, RandomBot
from gamecore.rules import Chance, Move, Position
from gamecore.search.budget import Budget, Spending, Thought
from gamecore.search.playout import Depth, Playout, order_of

_EXPLORATION = 0.7
_WIDTH = 1.5  # times the root of the tries: so many moves of a node are tried, those a bot would play first
_DOUBT = 1.0  # standard errors by which a move must do better than the bot's own choice


@define
class _Tally:
    """How one move of one seat has done at one node: it could be chosen ``offered`` times, and was ``tried``."""

    offered: int = 0
    tried: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.tried if self.tried else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.tried < 2:
            return 1.0
        spread = max(0.0, self.squares / self.tried - self.mean**2)
        return sqrt(spread / self.tried) + 1.0 / self.tried

    def note(self, share: float) -> None:
        self.tried += 1
        self.total += share
        self.squares += share * share


@define
class _Node:
    """What is known of one course of the game: every seat's moves there, and the courses that follow."""

    tallies: dict[int, dict[Move, _Tally]] = field(factory=dict)
    after: dict[tuple[tuple[int, Move], ...], _Node] = field(factory=dict)


@define
class Search:
    """One seat's search for a move in one guess of a position.

    ``bot`` is the strongest that plays the game: its own choice stands unless another move does clearly better.
    """

    guess: Position
    seat: int
    chance: Chance
    bot: Bot = Factory(RandomBot)
    now: float = 0.0
    _root: _Node = field(init=False, factory=_Node)
    _playout: Playout = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Play on as the bot says."""
        self._playout = Playout(self.bot, self.now)

    def think(self, budget: Budget, clock: Callable[[], float]) -> Thought:
        """Search until the budget is spent; with a single legal move, not at all."""
        moves = self.guess.legal_moves(self.seat)
        own = self.bot.choose(self.guess.seen_by(self.seat), moves, self.chance)
        spending = Spending(budget, clock)
        while len(moves) > 1 and spending.share < 1:
            self._try(own)
            spending.playouts += 1
        tallies = self._root.tallies.get(self.seat, {})
        return Thought(
            self._best(moves, own, tallies),
            spending.playouts,
            {move: tally.mean for move, tally in tallies.items() if tally.tried},
        )

    def _best(self, moves: Sequence[Move], own: Move, tallies: Mapping[Move, _Tally]) -> Move:
        """Take the move that was tried most, if it has done clearly better than what the bot would play."""
        usual = tallies.get(own)
        most = max(moves, key=lambda move: tallies[move].tried if move in tallies else 0)
        if usual is None or most == own or most not in tallies:
            return own
        better = tallies[most].mean - usual.mean
        doubt = sqrt(tallies[most].error ** 2 + usual.error**2)
        return most if better > _DOUBT * doubt else own

    def _try(self, own: Move) -> None:
        """Play the game out once, from a guess of its own, and note at every node passed how it ended."""
        depth = Depth()
        position = self.guess.guess(self.seat, self.chance, depth)
        node = self._root
        passed: list[tuple[int, _Tally]] = []
        while position.to_move() and not self._playout.far(depth):
            made = []
            for seat in order_of(position.to_move(), self.chance):
                if seat not in position.to_move():  # what another did has decided for it
                    continue
                move, tally = self._choose(
                    node, seat, position, own if node is self._root else None
                )
                position.play(seat, move, self.now)
                passed.append((seat, tally))
                made.append((seat, move))
                depth.moves += 1
            key = tuple(sorted(made, key=_seat_of))
            if key not in node.after:
                node.after[key] = _Node()
                break
            node = node.after[key]
        self._playout.finish(position, depth, self.chance)
        shares = self._playout.shares(position)
        for seat, tally in passed:
            tally.note(shares[seat])

    def _choose(
        self, node: _Node, seat: int, position: Position, own: Move | None
    ) -> tuple[Move, _Tally]:
        """Choose by the upper confidence bound, and now and then what a bot would play of the untried moves."""
        moves = position.legal_moves(seat)
        tallies = node.tallies.setdefault(seat, {})
        fresh: list[Move] = []
        known: list[Move] = []
        tries = 0
        for move in moves:
            tally = tallies.setdefault(move, _Tally())
            tally.offered += 1
            tries += tally.tried
            (known if tally.tried else fresh).append(move)
        if fresh and len(known) <= _WIDTH * sqrt(tries):
            first = own if seat == self.seat and own in fresh else None
            if first is None:
                first = self._playout.quick.choose(position.seen_by(seat), fresh, self.chance)
            chosen = first
        else:
            chosen = max(known, key=lambda move: _bound(tallies[move]))
        return chosen, tallies[chosen]


def _seat_of(made: tuple[int, Move]) -> int:
    return made[0]


def _bound(tally: _Tally) -> float:
    return tally.mean + _EXPLORATION * sqrt(log(tally.offered + 1) / tally.tried)
