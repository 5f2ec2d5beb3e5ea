"""A game of Expanding Nim from outside: judges a move, then feeds the round the one input that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf, nextafter

from attrs import evolve

from gamecore.errors import Refused
from gamecore.events import Emit, tell_nobody
from gamecore.games.nim.events import Faulted
from gamecore.games.nim.moves import NOTHING, Take
from gamecore.games.nim.round import RoundCore, RoundMachine
from gamecore.games.nim.view import NimView, view_of
from gamecore.rules import Chance, Move, Outcome, departure


class NimPosition:
    """Where one game of Expanding Nim stands."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        self._core = core
        self._round = RoundMachine(core)

    def to_move(self) -> frozenset[int]:
        """Name the one seat whose turn it is."""
        return self._core.to_move

    def due(self) -> Mapping[int, float]:
        """Give the first instant at which the mover's total is more than the game allows."""
        core = self._core
        if core.options.lazy_clock or not core.to_move:
            return {}
        return {core.turn: nextafter(core.deadline(), inf)}

    def legal_moves(self, seat: int) -> Sequence[Take]:
        """List the takes, small ones first, then the same with a reset if one is left.

        A take of more than is left is allowed as well and takes what is left; it is not listed.
        """
        core = self._core
        if seat not in core.to_move:
            return ()
        most = min(core.limit, core.left)
        takes = _few_takes if most <= _FEW else _takes
        return takes(most, bool(core.resets[seat]))

    def play(self, seat: int, move: Move, now: float) -> None:
        """Judge a take in the order of the Expanding Nim specification, section 1.2; a bad one loses the game.

        Refused: ``game-over``, ``no-such-move``, and ``not-your-turn`` where early moves may wait.
        """
        core = self._core
        if not core.to_move:
            raise Refused("game-over")
        if not isinstance(move, Take):
            raise Refused("no-such-move")
        if seat not in core.to_move:
            self._play_early(seat, move)
            return
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

    def _play_early(self, seat: int, move: Take) -> None:
        if self._core.options.early_moves == "keep":
            raise Refused("not-your-turn")
        self._round.fault(seat, "turn", move)

    def time_up(self, seat: int, now: float) -> None:
        """End the game: the mover's clock has run out (Expanding Nim specification, section 1.4)."""
        self._lose(seat, "time", now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game: whoever leaves has lost."""
        if self._core.to_move:
            self._lose(seat, departure(why), now)

    def _lose(self, seat: int, fault: str, now: float) -> None:
        self._core.used = self._core.clock_used(now)
        self._round.fault(seat, fault, NOTHING)

    def seen_by(self, seat: int | None) -> NimView:
        """Show the whole table, to anybody."""
        return view_of(self._core)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> NimPosition:
        """Copy the position: there is nothing to guess in it."""
        twin = NimPosition(evolve(self._core, emit=tell_nobody))
        if not self._core.to_move:
            twin._round.fault(0, "", NOTHING)
            twin._core.last = self._core.last
        twin._core.emit = emit
        return twin

    @property
    def outcome(self) -> Outcome | None:
        """Say who won, once the game is over."""
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
