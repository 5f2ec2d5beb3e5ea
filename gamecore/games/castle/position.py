"""Where a game of Castle Wars stands, and what may be done to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import cast

from gamecore.errors import Refused
from gamecore.events import Emit, tell_nobody
from gamecore.fairness import Deal
from gamecore.games.castle import acting
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.allowed import moves_of, why_not
from gamecore.games.castle.answering import allow, answer, answers_of
from gamecore.games.castle.core import DuelCore, Question, Window
from gamecore.games.castle.engine import go_on, offered, reply
from gamecore.games.castle.events import TimedOut
from gamecore.games.castle.guessing import draw_anew
from gamecore.games.castle.round import (
    Acting,
    DuelMachine,
    Mulligans,
    Over,
    Stands,
    finish,
)
from gamecore.games.castle.view import CastleView, awaited, look
from gamecore.rules import Chance, Move, Outcome


class CastlePosition:
    """One game of Castle Wars."""

    __slots__ = ("_core", "_duel")

    def __init__(self, core: DuelCore, stands: Stands | None = None) -> None:
        """Begin with the mulligan, or go on from where a copied game stands."""
        self._core = core
        self._duel = DuelMachine(core)
        if stands is not None:
            self._resume(stands)

    def _resume(self, stands: Stands) -> None:
        if isinstance(stands, Over):
            self._duel.finish()
        elif not isinstance(stands, Mulligans):
            emit, turn, draws = self._core.emit, self._core.turn, self._core.to_draw
            self._core.emit = tell_nobody
            self._duel.keep_last(0)
            self._core.emit, self._core.turn, self._core.to_draw = emit, turn, draws
            self._rest_at(stands)

    # -- questions --------------------------------------------------------------------

    def to_move(self) -> frozenset[int]:
        """Name both seats in the mulligan, the one that is asked, or the one whose turn it is."""
        return frozenset(awaited(self._core, self._duel.stands()))

    def due(self) -> Mapping[int, float]:
        """Give each seat's limit: for its hand, for an answer, or for what is left of its turn."""
        return {seat: self._core.ends[seat] for seat in sorted(self.to_move())}

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """List every move with all its targets and payments, plays first and the end of the turn last."""
        stands = self._duel.stands()
        if seat not in awaited(self._core, stands):
            return ()
        match stands:
            case Mulligans():
                small = len(self._core.sides[seat].hand) <= 1
                return (
                    [castle_moves.Keep()]
                    if small
                    else [castle_moves.Keep(), castle_moves.Mulligan()]
                )
            case Acting():
                return moves_of(self._core, seat)
            case Window():
                return answers_of(self._core, seat)
            case Question():
                return offered(self._core, stands)
        return ()

    def seen_by(self, seat: int | None) -> CastleView:
        """Show what ``seat`` may know."""
        return look(self._core, self._duel.stands(), seat)

    @property
    def outcome(self) -> Outcome | None:
        """Say who won, once a castle has fallen, a deck has run out or somebody has gone."""
        ending = self._core.ending
        return None if ending is None else Outcome(ending.places, reason=ending.reason)

    # -- commands ---------------------------------------------------------------------

    def play(self, seat: int, move: Move, now: float) -> None:
        """Check a move, then do it (the keys of what is Refused are those of :meth:`_fault`)."""
        fault = self._fault(seat, move)
        if fault is not None:
            raise Refused(fault)
        self._do(seat, move, now)

    def _fault(self, seat: int, move: Move) -> str | None:
        """Say why a move is not allowed now; what it says follows from the View of ``seat``."""
        core, stands = self._core, self._duel.stands()
        if isinstance(stands, Over):
            return "game-over"
        if type(move) not in castle_moves.MOVES:
            return "no-such-move"
        if seat not in awaited(core, stands):
            return self._fault_of_idle(stands, seat)
        if isinstance(stands, Acting):
            return why_not(core, seat, move)
        if move in self.legal_moves(seat):
            return None
        if isinstance(stands, Mulligans):
            return (
                "hand-too-small" if isinstance(move, castle_moves.Mulligan) else "accept-hand-first"
            )
        return "answer-first" if isinstance(stands, Window) else "not-offered"

    def _fault_of_idle(self, stands: Stands, seat: int) -> str:
        if isinstance(stands, Mulligans):
            return "hand-accepted"
        return "enemy-answers" if seat == self._core.active else "not-your-turn"

    def _do(self, seat: int, move: Move, now: float) -> None:
        core, stands = self._core, self._duel.stands()
        if isinstance(stands, Mulligans):
            self._accept_or_redraw(stands, seat, move, now)
            return
        turn = core.turn
        if isinstance(stands, Acting):
            core.left = max(0.0, core.ends[seat] - now)
        core.stop = None
        self._carry_out(stands, seat, move)
        go_on(core)
        self._come_to_rest(stands, turn, now)

    def _accept_or_redraw(self, stands: Mulligans, seat: int, move: Move, now: float) -> None:
        core = self._core
        if isinstance(move, castle_moves.Mulligan):
            core.ends[seat] = now + core.options.response_seconds
            self._duel.redraw(seat)
        elif stands.waiting == {seat}:
            self._duel.keep_last(seat)
            core.ends = {core.active: now + core.options.seconds}
        else:
            self._duel.keep(seat)

    def _carry_out(self, stands: Stands, seat: int, move: Move) -> None:
        """Begin what a checked move does; the steps it leaves are done afterwards."""
        core = self._core
        match move:
            case castle_moves.AllowAction() if isinstance(stands, Window):
                allow(core, stands)
            case castle_moves.ActivateTrickster() | castle_moves.UseAbility() if isinstance(
                stands, Window
            ):
                answer(core, stands, move)
            case castle_moves.DrawCard():
                acting.announce_draw(core, seat)
            case castle_moves.PlayCard():
                acting.announce_play(core, seat, move)
            case castle_moves.LevelMage():
                acting.announce_level(core, seat, move)
            case castle_moves.UseAbility():
                acting.announce_ability(core, seat, move)
            case castle_moves.Attack():
                acting.announce_attack(core, seat, move)
            case castle_moves.EndTurn():
                core.push(acting.EndOfTurn())
            case _ if isinstance(stands, Question):
                reply(core, stands, cast(castle_moves.Reply, move))

    def _come_to_rest(self, before: Stands, turn: int, now: float) -> None:
        """Feed the machine the one input that says whom the table waits for now, and set the clocks."""
        core = self._core
        if core.ending is not None:
            finish(self._duel, core)
        elif isinstance(core.stop, Window):
            core.ends = {core.stop.asked: now + core.options.response_seconds}
            self._duel.await_answer(core.stop)
        elif isinstance(core.stop, Question):
            core.ends = {core.stop.seat: now + core.options.response_seconds}
            self._duel.await_reply(core.stop)
        else:
            if core.turn != turn:
                core.ends = {core.active: now + core.options.seconds}
            elif not isinstance(before, Acting):
                core.ends = {core.active: now + core.left}
            self._duel.act()

    def _rest_at(self, stands: Stands) -> None:
        if isinstance(stands, Window):
            self._duel.await_answer(stands)
        elif isinstance(stands, Question):
            self._duel.await_reply(stands)

    def time_up(self, seat: int, now: float) -> None:
        """Accept the hand, allow the action, choose nothing or the first choice, or draw and end the turn."""
        if seat in self.to_move():
            self._core.emit(TimedOut(seat))
            self._do(seat, self._default(seat), now)

    def _default(self, seat: int) -> Move:
        moves, stands = self.legal_moves(seat), self._duel.stands()
        if isinstance(stands, Window | Acting) or castle_moves.Decline() in moves:
            return moves[-1]
        return moves[0]

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game: whoever leaves has lost."""
        if self._core.ending is None:
            self._core.lose((seat, why))
            finish(self._duel, self._core)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> CastlePosition:
        """Copy the position and draw anew all that ``seat`` cannot know (see ``guessing``)."""
        core = self._core
        deal = Deal.by_chance(chance)
        memo: dict[int, object] = {id(core.emit): emit, id(core.deal): deal}
        twin, stands = deepcopy((core, self._duel.stands()), memo)
        draw_anew(twin, stands, seat, chance)
        return CastlePosition(twin, stands)
