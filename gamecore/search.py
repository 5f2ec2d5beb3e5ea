"""Thinking ahead in any game: information-set Monte Carlo tree search over what a seat may know.

A search begins from a *guess*: a position that shows the seat what it knows, with the rest drawn anew (see
``Position.guess``), so that nothing the seat may not know can be in it.  Each try draws the hidden things once
more, goes down the tree by the upper confidence bound of each seat's own moves, adds one node, and lets quick bots
play on from there.  Seats that decide at once choose independently of each other.

Sources: Cowling, Powley, Whitehouse, *Information Set Monte Carlo Tree Search* (2012); for simultaneous moves Tak,
Lanctot, Winands, *Monte Carlo Tree Search Variants for Simultaneous Move Games* (2014).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt

from attrs import Factory, define, field, frozen

from gamecore.bots import Bot, RandomBot, Thinker
from gamecore.events import Event, RoundOver
from gamecore.rules import Chance, Move, Outcome, Position

_EXPLORATION = 0.7
_WIDTH = 1.5  # times the root of the tries: so many moves of a node are tried, those a bot would play first
_MOST_MOVES = 3_000  # of one try: a game that goes on for longer is judged as it stands
_DOUBT = 1.0  # standard errors by which a move must do better than the bot's own choice


@frozen
class Budget:
    """When to stop: after so many seconds by the given clock, or so many playouts; both may be set."""

    seconds: float | None = None
    playouts: int | None = None


@frozen
class Thought:
    """What a search found: the move, how many playouts it took, and each move's share of a won game, 0 to 1."""

    move: Move
    playouts: int
    worth: Mapping[Move, float]


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
    after: dict[tuple[Move, ...], _Node] = field(factory=dict)


@define
class _Rounds:
    """Counts the rounds that end, as the events of a position tell."""

    over: int = 0

    def __call__(self, event: Event) -> None:
        self.over += isinstance(event, RoundOver)


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

    def think(self, budget: Budget, clock: Callable[[], float]) -> Thought:
        """Search until the budget is spent; with a single legal move, not at all."""
        moves = self.guess.legal_moves(self.seat)
        own = self.bot.choose(self.guess.seen_by(self.seat), moves, self.chance)
        playouts = 0
        if len(moves) > 1:
            until = None if budget.seconds is None else clock() + budget.seconds
            while (until is None or clock() < until) and (
                budget.playouts is None or playouts < budget.playouts
            ):
                self._try(own)
                playouts += 1
        tallies = self._root.tallies.get(self.seat, {})
        return Thought(
            self._best(moves, own, tallies),
            playouts,
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
        rounds = _Rounds()
        position = self.guess.guess(self.seat, self.chance, rounds)
        node, moves = self._root, 0
        passed: list[tuple[int, _Tally]] = []
        while position.to_move() and not self._far(rounds, moves):
            made = []
            for seat in sorted(position.to_move()):
                if seat not in position.to_move():  # what another did has decided for it
                    continue
                move, tally = self._choose(
                    node, seat, position, own if node is self._root else None
                )
                position.play(seat, move, self.now)
                passed.append((seat, tally))
                made.append(move)
                moves += 1
            key = tuple(made)
            if key not in node.after:
                node.after[key] = _Node()
                break
            node = node.after[key]
        self._play_out(position, rounds, moves)
        shares = self._shares(position)
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
                first = self._quick.choose(position.seen_by(seat), fresh, self.chance)
            chosen = first
        else:
            chosen = max(known, key=lambda move: _bound(tallies[move]))
        return chosen, tallies[chosen]

    @property
    def _quick(self) -> Bot:
        return self.bot.quick or self.bot

    def _far(self, rounds: _Rounds, moves: int) -> bool:
        """Say whether that many rounds or moves are as far as one looks in this game."""
        most_rounds, most_moves = self.bot.rounds_ahead, self.bot.moves_ahead or _MOST_MOVES
        return moves >= most_moves or (most_rounds is not None and rounds.over >= most_rounds)

    def _play_out(self, position: Position, rounds: _Rounds, moves: int) -> None:
        """Let the quick bot play for everybody, to the end or as far as one looks in this game."""
        quick, chance = self._quick, self.chance
        while (seats := position.to_move()) and not self._far(rounds, moves):
            seat = min(seats)
            move = quick.choose(position.seen_by(seat), position.legal_moves(seat), chance)
            position.play(seat, move, self.now)
            moves += 1

    def _shares(self, position: Position) -> Mapping[int, float]:
        """Say what everybody has of a won game, 0 to 1: by places, or as the bot judges one that goes on."""
        if (outcome := position.outcome) is not None:
            return dict(enumerate(shares_of(outcome)))
        return _Judged(position, self.bot)


class _Judged(dict[int, float]):
    """How a game that goes on looks for each seat, as far as that is asked for."""

    def __init__(self, position: Position, bot: Bot) -> None:
        super().__init__()
        self._position, self._bot = position, bot

    def __missing__(self, seat: int) -> float:
        """Judge by what the seat sees."""
        self[seat] = self._bot.outlook(self._position.seen_by(seat))
        return self[seat]


def think_as(
    thinker: Thinker,
    guess: Position,
    seat: int,
    chance: Chance,
    now: float,
    playouts: int | None,
    clock: Callable[[], float],
) -> Move:
    """Find the move of a bot that thinks ahead, in so many playouts, or with None in its seconds by the clock."""
    budget = Budget(thinker.seconds) if playouts is None else Budget(playouts=playouts)
    return Search(guess, seat, chance, thinker.bot, now).think(budget, clock).move


def shares_of(outcome: Outcome) -> list[float]:
    """Say what each seat has of a won game: 1 for the first place, 0 for the last, level places share."""
    places = outcome.places
    if len(places) < 2:
        return [1.0] * len(places)
    behind = [
        sum(other > place for other in places) + sum(other == place for other in places) / 2 - 0.5
        for place in places
    ]
    return [each / (len(places) - 1) for each in behind]


def _bound(tally: _Tally) -> float:
    return tally.mean + _EXPLORATION * sqrt(log(tally.offered + 1) / tally.tried)
