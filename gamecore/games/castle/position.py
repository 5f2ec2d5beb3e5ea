"""Where a game of Castle Wars stands, and what may be done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import cast

from gamecore.errors import Refused
from gamecore.events import Emit, tell_nobody
from gamecore.fairness import Deal
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle import turns
from gamecore.games.castle.answering import allow, answer, answers_of
from gamecore.games.castle.core import Question, RoundCore, Window
from gamecore.games.castle.costs import in_order
from gamecore.games.castle.engine import go_on, offered, reply
from gamecore.games.castle.events import TimedOut
from gamecore.games.castle.guessing import draw_anew
from gamecore.games.castle.legal_moves import moves_of, why_not
from gamecore.games.castle.round import RoundMachine, finish
from gamecore.games.castle.view import CastleView, view_of
from gamecore.rules import Chance, Move, Outcome

Stop = Window | Question | None


class CastlePosition:
    """One game of Castle Wars."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        """Begin with the mulligan, or go on from where the core of a copied game stands."""
        self._core = core
        self._round = RoundMachine(core)
        if core.stage == "over":
            self._round.finish()
        elif core.stage != "mulligan":
            self._resume()

    def _resume(self) -> None:
        """Bring the machine to where the core stands; nobody is told of it."""
        core = self._core
        emit, turn, draws = core.emit, core.turn, core.to_draw
        core.emit = tell_nobody
        self._round.keep_last(0)
        core.emit, core.turn, core.to_draw = emit, turn, draws
        self._rest_at(core.stop)

    # -- questions --------------------------------------------------------------------

    def to_move(self) -> frozenset[int]:
        """Name both seats in the mulligan, the one that is asked, or the one whose turn it is."""
        return self._core.to_move

    def due(self) -> Mapping[int, float]:
        """Give each seat's limit: for its hand, for an answer, or for what is left of its turn."""
        core = self._core
        return {seat: core.ends[seat] for seat in sorted(core.to_move)}

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """List every move with all its targets and payments, plays first and the end of the turn last."""
        core, stop = self._core, self._core.stop
        if seat not in core.to_move:
            return ()
        if core.stage == "mulligan":
            small = len(core.sides[seat].hand) <= 1
            keep = castle_moves.Keep()
            return [keep] if small else [keep, castle_moves.Mulligan()]
        if stop is None:
            return moves_of(core, seat)
        return answers_of(core, seat) if isinstance(stop, Window) else offered(core, stop)

    def seen_by(self, seat: int | None) -> CastleView:
        """Show what ``seat`` may know."""
        return view_of(self._core, seat)

    @property
    def outcome(self) -> Outcome | None:
        """Say who won, once a castle has fallen, a deck has run out or somebody has gone."""
        ending = self._core.ending
        return None if ending is None else Outcome(ending.places, reason=ending.reason)

    # -- commands ---------------------------------------------------------------------

    def play(self, seat: int, move: Move, now: float) -> None:
        """Check a move, then do it (Castle Wars specification, section 1).

        Refused: any of ``legal_moves.REASONS``, the first that fits.
        """
        move = in_order(move)
        fault = self._fault(seat, move)
        if fault is not None:
            raise Refused(fault)
        self._do(seat, move, now)

    def _fault(self, seat: int, move: Move) -> str | None:
        """Say why a move is not allowed now; what it says follows from the View of ``seat``."""
        core, stage = self._core, self._core.stage
        if stage == "over":
            return "game-over"
        if type(move) not in castle_moves.MOVES:
            return "no-such-move"
        if seat not in core.to_move:
            return self._fault_of_idle(seat)
        if stage == "turn":
            return why_not(core, seat, move)
        if move in self.legal_moves(seat):
            return None
        if stage == "mulligan":
            redraws = isinstance(move, castle_moves.Mulligan)
            return "hand-too-small" if redraws else "accept-hand-first"
        return "answer-first" if stage == "window" else "not-offered"

    def _fault_of_idle(self, seat: int) -> str:
        if self._core.stage == "mulligan":
            return "hand-accepted"
        return "enemy-answers" if seat == self._core.active else "not-your-turn"

    def _do(self, seat: int, move: Move, now: float) -> None:
        core = self._core
        if core.stage == "mulligan":
            self._accept_or_redraw(seat, move, now)
            return
        turn, stop = core.turn, core.stop
        if stop is None:
            core.left = max(0.0, core.ends[seat] - now)
        core.stop = None
        self._carry_out(stop, seat, move)
        go_on(core)
        self._come_to_rest(stop, turn, now)

    def _accept_or_redraw(self, seat: int, move: Move, now: float) -> None:
        core = self._core
        if isinstance(move, castle_moves.Mulligan):
            core.ends[seat] = now + core.options.response_seconds
            self._round.redraw(seat)
        elif core.choosing == {seat}:
            self._round.keep_last(seat)
            core.ends = {core.active: now + core.options.seconds}
        else:
            self._round.keep(seat)

    def _carry_out(self, stop: Stop, seat: int, move: Move) -> None:
        """Begin what a checked move does; the steps it leaves are done afterwards."""
        core = self._core
        match stop:
            case Window():
                self._answer(stop, move)
                return
            case Question():
                reply(core, stop, cast(castle_moves.Reply, move))
                return
        match move:
            case castle_moves.DrawCard():
                turns.announce_draw(core, seat)
            case castle_moves.PlayCard():
                turns.announce_play(core, seat, move)
            case castle_moves.LevelMage():
                turns.announce_level(core, seat, move)
            case castle_moves.UseAbility():
                turns.announce_ability(core, seat, move)
            case castle_moves.Attack():
                turns.announce_attack(core, seat, move)
            case castle_moves.EndTurn():
                core.push(turns.EndOfTurn())

    def _answer(self, window: Window, move: Move) -> None:
        if isinstance(move, castle_moves.ActivateTrickster | castle_moves.UseAbility):
            answer(self._core, window, move)
        else:
            allow(self._core, window)

    def _come_to_rest(self, before: Stop, turn: int, now: float) -> None:
        """Feed the machine the one input that says whom the table waits for now, and set the clocks."""
        core = self._core
        if core.ending is not None:
            finish(self._round, core)
            return
        if core.stop is not None:
            core.ends = {seat: now + core.options.response_seconds for seat in core.to_move}
        elif core.turn != turn:
            core.ends = {core.active: now + core.options.seconds}
        elif before is not None:
            core.ends = {core.active: now + core.left}
        self._rest_at(core.stop)

    def _rest_at(self, stop: Stop) -> None:
        if stop is None:
            self._round.act()
        elif isinstance(stop, Window):
            self._round.await_answer()
        else:
            self._round.await_reply()

    def time_up(self, seat: int, now: float) -> None:
        """Accept the hand, allow the action, choose nothing or the first choice, or draw and end the turn."""
        if seat in self._core.to_move:
            self._core.emit(TimedOut(seat))
            self._do(seat, self._default(seat), now)

    def _default(self, seat: int) -> Move:
        moves = self.legal_moves(seat)
        if self._core.stage in ("window", "turn") or castle_moves.Decline() in moves:
            return moves[-1]
        return moves[0]

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game: whoever leaves has lost."""
        if self._core.ending is None:
            self._core.lose((seat, why))
            finish(self._round, self._core)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> CastlePosition:
        """Copy the position and draw anew all that ``seat`` cannot know (see ``guessing``)."""
        core = self._core
        memo: dict[int, object] = {id(core.emit): emit, id(core.deal): Deal.by_chance(chance)}
        twin = deepcopy(core, memo)
        draw_anew(twin, seat, chance)
        return CastlePosition(twin)
