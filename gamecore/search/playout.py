"""Playing a position on by quick bots, as far as one looks in its game, and saying how it looks then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, frozen

from gamecore.bots import Bot
from gamecore.events import Event, RoundOver
from gamecore.rules import Chance, Outcome, Position

_MOST_MOVES = 3_000  # of one try: a game that goes on for longer is judged as it stands


@define
class Depth:
    """How far a try has come: its moves, and the rounds that ended as the events of its position tell."""

    moves: int = 0
    rounds: int = 0

    def __call__(self, event: Event) -> None:
        self.rounds += isinstance(event, RoundOver)


@frozen
class Playout:
    """Plays on for everybody as the quick bot of ``bot`` does, at the table time ``now``."""

    bot: Bot
    now: float

    @property
    def quick(self) -> Bot:
        """Who plays for everybody."""
        return self.bot.quick or self.bot

    def far(self, depth: Depth) -> bool:
        """Say whether a try has come as far as one looks in this game."""
        most_rounds, most_moves = self.bot.rounds_ahead, self.bot.moves_ahead or _MOST_MOVES
        return depth.moves >= most_moves or (
            most_rounds is not None and depth.rounds >= most_rounds
        )

    def finish(self, position: Position, depth: Depth, chance: Chance) -> None:
        """Play on to the end, or as far as one looks."""
        quick = self.quick
        while (seats := position.to_move()) and not self.far(depth):
            seat = _anybody(seats, chance)
            moves = position.legal_moves(seat)
            single = len(moves) == 1  # then no View need be drawn
            move = moves[0] if single else quick.choose(position.seen_by(seat), moves, chance)
            position.play(seat, move, self.now)
            depth.moves += 1

    def shares(self, position: Position) -> Mapping[int, float]:
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


def _anybody(seats: frozenset[int], chance: Chance) -> int:
    """Choose who moves first where several may (see ``order_of``)."""
    if len(seats) == 1:
        return next(iter(seats))
    return sorted(seats)[int(chance.random() * len(seats))]


def order_of(seats: frozenset[int], chance: Chance) -> Sequence[int]:
    """Say who moves first where several may: anybody, for in a race nobody knows who is quicker."""
    order = sorted(seats)
    if len(order) > 1:
        chance.shuffle(order)
    return order


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
