"""The life of a game of Expanding Nim: moving, over."""

from __future__ import annotations

from typing import Protocol

from attrs import define
from automat import TypeMachine, TypeMachineBuilder

from gamecore.events import Emit, RoundOver
from gamecore.games.nim.events import Board, Faulted, Pair, Taken, Times
from gamecore.games.nim.moves import Take
from gamecore.games.nim.options import NimOptions

_ONLY = (frozenset((0,)), frozenset((1,)))


class Round(Protocol):
    """What may happen to a game of Nim."""

    def take(self, seat: int, move: Take, now: float) -> None:
        """Take stones and pass the turn on."""

    def take_last(self, seat: int, move: Take, now: float) -> None:
        """Take the last stones and win."""

    def fault(self, seat: int, fault: str, move: Take) -> None:
        """Lose the game by a fault."""


@define
class RoundCore:
    """The table itself: what outlives the turn.

    ``turn`` is the seat whose clock runs, or ran last; ``to_move`` is empty once the game is over.
    """

    options: NimOptions
    emit: Emit
    left: int
    limit: int
    resets: Pair
    since: float
    stored: int | None = None
    used: Times = (0, 0)
    turn: int = 0
    to_move: frozenset[int] = _ONLY[0]
    last: Taken | Faulted | None = None

    def board(self) -> Board:
        """Show the table as it stands."""
        return Board(self.left, self.limit, self.resets, self.used)

    def think(self, now: float) -> float:
        """Measure the think that is under way, in seconds, less what slow sending took of it."""
        return max(0.0, now - self.since - self.options.lag)

    def deadline(self) -> float:
        """Say until which table time the mover may move: strictly later is too late."""
        return self.since + self.options.lag + self.options.seconds - self.used[self.turn]

    def clock_used(self, now: float) -> Times:
        """Add the think under way to the mover's total."""
        spent = self.used[self.turn] + self.think(now)
        return (spent, self.used[1]) if self.turn == 0 else (self.used[0], spent)

    def remove(self, move: Take) -> None:
        """Take the stones and let the maximum grow (specification 1.1, steps 1 to 3)."""
        self.left -= min(move.stones, self.left)
        if self.stored is not None:
            self.limit, self.stored = self.stored, None
        self.limit = max(self.limit, move.stones + 1)

    def reset(self, seat: int) -> None:
        """Put the maximum back for the next take (specification 1.1, step 4)."""
        self.stored, self.limit = self.limit, self.options.maximum
        first, second = self.resets
        self.resets = (first - 1, second) if seat == 0 else (first, second - 1)

    def take(self, seat: int, move: Take, won: bool) -> None:
        """Take stones, reset if that is asked for, and tell both."""
        self.remove(move)
        if move.reset:
            self.reset(seat)
        self.record(Taken(seat, move.stones, move.reset, self.board(), won))

    def pass_turn(self, now: float) -> None:
        """Let the other think, from now on."""
        self.turn = 1 - self.turn
        self.to_move = _ONLY[self.turn]
        self.since = now

    def record(self, event: Taken | Faulted) -> None:
        """Tell what happened and remember it for those who come later."""
        self.last = event
        self.emit(event)

    def end(self) -> None:
        """Wait for nobody any more."""
        self.to_move = frozenset()
        self.emit(RoundOver(1))


def _round_machine() -> TypeMachine[Round, RoundCore]:
    builder = TypeMachineBuilder(Round, RoundCore)
    moving = builder.state("moving")
    over = builder.state("over")

    @moving.upon(Round.take).loop()
    def pass_turn(round: Round, core: RoundCore, seat: int, move: Take, now: float) -> None:
        core.take(seat, move, won=False)
        core.pass_turn(now)

    @moving.upon(Round.take_last).to(over)
    def win(round: Round, core: RoundCore, seat: int, move: Take, now: float) -> None:
        core.take(seat, move, won=True)
        core.end()

    @moving.upon(Round.fault).to(over)
    def lose(round: Round, core: RoundCore, seat: int, fault: str, move: Take) -> None:
        core.record(Faulted(seat, fault, move.stones, move.reset, core.board()))
        core.end()

    return builder.build()


RoundMachine = _round_machine()
