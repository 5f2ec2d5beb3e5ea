"""Games of house bots alone: by the rules, without a table or a Host, and always the same from the same seed.

So are those of bots that think ahead, if they have a number of playouts: by seconds, of the processor and not of
the day, they get as far as they get.

The record of one is what a table would have kept of the same commands, all of them at table time 0: so two runs
give the same bytes, and the record can be played again at a table.
"""

from __future__ import annotations

from random import Random
from time import process_time

from gamecore.bots import Thinker, find_bot
from gamecore.commands import Command, Play, Sit, Start
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.record import write_command
from gamecore.rules import Move, Position, Seat, sample
from gamecore.search import think_as
from gamecore.settings import read_settings
from protocols.tournament.games import Game, Result, opening, result_of
from protocols.tournament.plan import Plan

_STILL = 0.0


class HouseBots:
    """Plays the games of one tournament that house bots alone sit at."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._rules = plan.rules
        self._options = read_settings(plan.rules.options, plan.options)
        self._levels = {each.name: each.level or "" for each in plan.entrants if each.level}
        self._bots = {
            name: find_bot(plan.rules.kind, level) for name, level in self._levels.items()
        }
        self._playouts = {each.name: each.playouts for each in plan.entrants}
        most = int(getattr(self._options, "players", plan.rules.seats[-1]))
        self._begins_by_itself = plan.seats == min(most, plan.rules.seats[-1])

    def play(self, game: Game) -> Result:
        """Play one game to its end."""
        seats = [Seat(name, sample(self._rules)) for name in game.entrants]
        written = [write_command(each) for each in self._gather(game, seats)]
        position = self._rules.begin(seats, self._options, Deal(game.seed), tell_nobody, _STILL)
        before = len(written)
        self._move(position, game, written)
        outcome = position.outcome
        assert outcome is not None
        return result_of(
            game,
            outcome.places,
            outcome=outcome.reason,
            moves=len(written) - before,
            record=b"[" + b",".join(written) + b"]",
        )

    def _gather(self, game: Game, seats: list[Seat]) -> list[Command]:
        commands: list[Command] = [opening(self._plan, game)]
        for number, seat in enumerate(seats):
            level = self._levels[seat.name]
            commands.append(Sit(number, seat.name, None, level, seat.brought))
        return commands if self._begins_by_itself else [*commands, Start()]

    def _move(self, position: Position, game: Game, written: list[bytes]) -> None:
        chance = Random(game.id + game.seed)
        while position.outcome is None:
            seat = self._first(game, position, chance)
            move = self._choose(game.entrants[seat], position, seat, chance)
            position.play(seat, move, _STILL)
            written.append(write_command(Play(seat, move)))

    def _first(self, game: Game, position: Position, chance: Random) -> int:
        """Say who moves first where several may: who hesitates least, as at a table; in the end the first seat."""
        seats = sorted(position.to_move())
        if len(seats) == 1:
            return seats[0]
        return min(seats, key=lambda seat: self._hesitation(game, position, seat, chance))

    def _hesitation(self, game: Game, position: Position, seat: int, chance: Random) -> float:
        bot = self._bots[game.entrants[seat]]
        return bot.hesitate(position.seen_by(seat), position.legal_moves(seat), chance)

    def _choose(self, name: str, position: Position, seat: int, chance: Random) -> Move:
        bot = self._bots[name]
        if not isinstance(bot, Thinker):
            return bot.choose(position.seen_by(seat), position.legal_moves(seat), chance)
        guess = position.guess(seat, chance, tell_nobody)
        return think_as(bot, guess, seat, chance, _STILL, self._playouts[name], process_time)
