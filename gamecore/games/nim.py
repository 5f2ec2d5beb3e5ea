"""Expanding Nim: take stones in turn, and whoever takes the last one wins.

The rules are those of the Expanding Nim specification, sections 1.1 to 1.4.  A take of k stones raises the
maximum to k + 1 if that is more; a reset puts the maximum back to its first value for the next take only.
Whoever takes too few or too many, takes out of turn, resets without a reset left or uses up the clock has lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf, nextafter
from typing import ClassVar, Protocol

from attrs import define, evolve, frozen
from automat import TypeMachine, TypeMachineBuilder

from gamecore.errors import Refused
from gamecore.events import (
    EVERYONE,
    Audience,
    Emit,
    Event,
    RoundBegan,
    RoundOver,
    tell_nobody,
)
from gamecore.fairness import Deal
from gamecore.rules import Chance, Move, Outcome, Seat, View
from gamecore.settings import setting

Pair = tuple[int, int]
Times = tuple[float, float]

MOST_STONES = 1_000_000


@frozen
class NimOptions:
    """The settings of a table of Expanding Nim."""

    stones: int = setting(100, "stones on the table at the start", low=1, high=MOST_STONES)
    resets: int = setting(4, "resets each player may use", low=0, high=1000)
    maximum: int = setting(3, "most stones the first take may have", low=1, high=1000)
    seconds: int = setting(120, "seconds each player has for the whole game", low=1, high=86_400)
    lag: float = setting(0.0, "seconds of slow sending forgiven to each think", low=0, high=10)
    lazy_clock: bool = setting(False, "look at the clock only when a move arrives")
    early_moves: str = setting(
        "lose", "what a move out of turn does: lose the game, or wait", choices=("lose", "keep")
    )


@frozen
class Take(Move):
    """Take stones, and perhaps put the maximum back for the next take."""

    stones: int
    reset: bool = False


@frozen
class Board:
    """What everybody can see on the table; pairs are by seat, ``used`` in seconds."""

    left: int
    limit: int
    resets: Pair
    used: Times


@frozen
class PileSet:
    """The stones are on the table; seat 0 is to move."""

    options: NimOptions
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Taken:
    """A legal take; ``stones`` as asked for, ``won`` if it was the last."""

    seat: int
    stones: int
    reset: bool
    board: Board
    won: bool
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Faulted:
    """``seat`` has lost: ``fault`` is ``time``, ``turn``, ``take``, ``reset`` or how they went."""

    seat: int
    fault: str
    stones: int
    reset: bool
    board: Board
    audience: ClassVar[Audience] = EVERYONE


@frozen
class NimView(View):
    """The whole game: nothing is hidden in Nim.

    ``since`` is the table time at which the think under way began; ``stored`` the maximum that comes
    back after a reset; ``last`` the event that led here, if any.
    """

    options: NimOptions
    board: Board
    mover: int | None
    since: float
    stored: int | None
    last: Taken | Faulted | None


NOTHING = Take(0)
GOINGS = ("left", "disconnected", "absent")  # why a player may have gone


# -- the round: moving -> over --------------------------------------------------------


class Round(Protocol):
    """What may happen to a round of Nim, and what it answers."""

    def take(self, seat: int, move: Take, now: float) -> None:
        """Take stones and pass the turn on."""

    def take_last(self, seat: int, move: Take, now: float) -> None:
        """Take the last stones and win."""

    def fault(self, seat: int, fault: str, move: Take) -> None:
        """Lose the game by a fault."""

    def mover(self) -> int | None:
        """Whose turn it is, or None once the round is over."""


@define
class RoundCore:
    """The table itself: what outlives the turn."""

    options: NimOptions
    emit: Emit
    left: int
    limit: int
    resets: Pair
    since: float
    stored: int | None = None
    used: Times = (0, 0)
    turn: int = 0
    last: Taken | Faulted | None = None

    def board(self) -> Board:
        """Show the table as it stands."""
        return Board(self.left, self.limit, self.resets, self.used)

    def think(self, now: float) -> float:
        """Measure the think that is under way, less what slow sending took of it."""
        return max(0.0, now - self.since - self.options.lag)

    def deadline(self) -> float:
        """Say until when the mover may move: strictly later is too late."""
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

    def say(self, event: Taken | Faulted) -> None:
        """Tell what happened and remember it for those who come later."""
        self.last = event
        self.emit(event)


def _round_machine() -> TypeMachine[Round, RoundCore]:
    builder = TypeMachineBuilder(Round, RoundCore)
    moving = builder.state("moving")
    over = builder.state("over")

    over.upon(Round.mover).loop().returns(None)

    @moving.upon(Round.mover).loop()
    def name_mover(round: Round, core: RoundCore) -> int:
        return core.turn

    @moving.upon(Round.take).loop()
    def pass_turn(round: Round, core: RoundCore, seat: int, move: Take, now: float) -> None:
        _take(core, seat, move, won=False)
        core.turn = 1 - seat
        core.since = now

    @moving.upon(Round.take_last).to(over)
    def win(round: Round, core: RoundCore, seat: int, move: Take, now: float) -> None:
        _take(core, seat, move, won=True)
        core.emit(RoundOver(1))

    @moving.upon(Round.fault).to(over)
    def lose(round: Round, core: RoundCore, seat: int, fault: str, move: Take) -> None:
        core.say(Faulted(seat, fault, move.stones, move.reset, core.board()))
        core.emit(RoundOver(1))

    return builder.build()


def _take(core: RoundCore, seat: int, move: Take, won: bool) -> None:
    core.remove(move)
    if move.reset:
        core.reset(seat)
    core.say(Taken(seat, move.stones, move.reset, core.board(), won))


RoundMachine = _round_machine()


# -- the position: checks, then feeds the one input that fits -------------------------


class NimPosition:
    """Where one game of Expanding Nim stands."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        self._core = core
        self._round = RoundMachine(core)

    def to_move(self) -> frozenset[int]:
        """Name the one seat whose turn it is."""
        mover = self._round.mover()
        return frozenset() if mover is None else frozenset((mover,))

    def due(self) -> Mapping[int, float]:
        """Give the first instant at which the mover's total is more than the game allows."""
        core = self._core
        if core.options.lazy_clock or self.outcome is not None:
            return {}
        return {core.turn: nextafter(core.deadline(), inf)}

    def legal_moves(self, seat: int) -> Sequence[Take]:
        """List the takes, small ones first, then the same with a reset if one is left.

        A take of more than is left is allowed as well and takes what is left; it is not listed.
        """
        if seat != self._round.mover():
            return ()
        most = min(self._core.limit, self._core.left)
        takes = _few_takes if most <= _FEW else _takes
        return takes(most, bool(self._core.resets[seat]))

    def play(self, seat: int, move: Move, now: float) -> None:
        """Judge a take in the order of specification 1.2; Refused: ``game-over``, ``not-your-turn``."""
        mover = self._round.mover()
        if mover is None:
            raise Refused("game-over")
        if not isinstance(move, Take):
            raise Refused("no-such-move")
        if mover != seat:
            self._out_of_turn(seat, move)
            return
        core = self._core
        late = now > core.deadline()
        core.used = core.clock_used(now)
        if late:
            self._round.fault(seat, "time", move)
        elif not 1 <= move.stones <= core.limit:
            self._round.fault(seat, "take", move)
        elif move.reset and not core.resets[seat]:
            core.remove(move)
            self._round.fault(seat, "reset", move)
        elif move.stones >= core.left:
            self._round.take_last(seat, move, now)
        else:
            self._round.take(seat, move, now)

    def _out_of_turn(self, seat: int, move: Take) -> None:
        if self._core.options.early_moves == "keep":
            raise Refused("not-your-turn")
        self._round.fault(seat, "turn", move)

    def time_up(self, seat: int, now: float) -> None:
        """End the game: the mover's clock has run out (specification 1.4)."""
        self._core.used = self._core.clock_used(now)
        self._round.fault(seat, "time", NOTHING)

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game: whoever leaves has lost."""
        if self._round.mover() is None:
            return
        self._core.used = self._core.clock_used(now)
        self._round.fault(seat, why if why in GOINGS else "left", NOTHING)

    def seen_by(self, seat: int | None) -> NimView:
        """Show the whole table, to anybody."""
        core = self._core
        mover = self._round.mover()
        return NimView(core.options, core.board(), mover, core.since, core.stored, core.last)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> NimPosition:
        """Copy the position: there is nothing to guess in it."""
        twin = NimPosition(evolve(self._core, emit=tell_nobody))
        if self._round.mover() is None:
            twin._round.fault(0, "", NOTHING)
            twin._core.last = self._core.last
        twin._core.emit = emit
        return twin

    @property
    def outcome(self) -> Outcome | None:
        """Say who won, once the round is over."""
        last = self._core.last
        if isinstance(last, Faulted):
            return Outcome((2, 1) if last.seat == 0 else (1, 2), reason=last.fault)
        if last is not None and last.won:
            return Outcome((1, 2) if last.seat == 0 else (2, 1), reason="last-stone")
        return None


def _takes(most: int, reset: bool) -> Sequence[Take]:
    flags = (False, True) if reset else (False,)
    return tuple(Take(stones, flag) for flag in flags for stones in range(1, most + 1))


_FEW = 50
_few_takes = lru_cache(_takes)  # asked for with every move, and much the same every time


class NimRules:
    """The constant facts of Expanding Nim, and how a game begins."""

    kind = "nim"
    title = "Expanding Nim"
    version = 1
    seats = range(2, 3)
    options = NimOptions
    brings = None
    moves: Sequence[type[Move]] = (Take,)
    events: Sequence[type[Event]] = (PileSet, Taken, Faulted, RoundBegan, RoundOver)

    def begin(
        self, seats: Sequence[Seat], options: NimOptions, deal: Deal, emit: Emit, now: float
    ) -> NimPosition:
        """Put the stones on the table; the clock of seat 0 runs from ``now``."""
        emit(RoundBegan(1))
        emit(PileSet(options))
        resets = (options.resets, options.resets)
        core = RoundCore(options, emit, options.stones, options.maximum, resets, now)
        return NimPosition(core)


RULES = NimRules()
