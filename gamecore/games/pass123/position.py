"""A game of 1-2-3 Pass from outside: checks a move, then feeds the round the one input that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.cards import Card
from gamecore.errors import Refused
from gamecore.events import Emit, tell_nobody
from gamecore.games.pass123.events import TAP, TIME
from gamecore.games.pass123.guessing import draw_anew
from gamecore.games.pass123.moves import PASSES, Finish, Pass, Tap
from gamecore.games.pass123.round import RoundCore, RoundMachine, is_set, spare_card
from gamecore.games.pass123.view import PassView, view_of
from gamecore.rules import Chance, Move, Outcome, departure


class PassPosition:
    """Where one game of 1-2-3 Pass stands."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        self._core = core
        self._round = RoundMachine(core)

    def to_move(self) -> frozenset[int]:
        """Name all who have yet to name a card or, once somebody has finished, to tap."""
        return self._core.to_move

    def due(self) -> Mapping[int, float]:
        """Give the same instant to all who are to move."""
        core = self._core
        return dict.fromkeys(sorted(core.to_move), core.since + core.options.seconds)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """List to finish, if that is possible, and each card from the left; or only to tap."""
        core = self._core
        if seat not in core.to_move:
            return ()
        if core.shown:
            return (Tap(),)
        hand = core.hands[seat]
        passes = [PASSES[card] for card in hand]
        return [Finish(), *passes] if is_set(hand) else passes

    def play(self, seat: int, move: Move, now: float) -> None:
        """Name a card, finish or tap (123Pass specification, section 1).

        Refused: ``game-over``, ``no-such-move``, ``somebody-finished``, ``nobody-finished``, ``already-tapped``,
        ``already-named``, ``not-held``, ``no-set``.
        """
        self._check(seat, move)
        match move:
            case Pass(card):
                self._choose(seat, card, False, now)
            case Finish():
                self._round.finish(seat, now)
            case Tap():
                self._place(seat, self._free_places()[0], TAP)

    def _check(self, seat: int, move: Move) -> None:
        core, finished = self._core, bool(self._core.shown)
        if not core.to_move:
            raise Refused("game-over")
        if not isinstance(move, Pass | Finish | Tap):
            raise Refused("no-such-move")
        if isinstance(move, Tap) is not finished:
            raise Refused("somebody-finished" if finished else "nobody-finished")
        if seat not in core.to_move:
            raise Refused("already-tapped" if finished else "already-named")
        if isinstance(move, Pass) and move.card not in core.hands[seat]:
            raise Refused("not-held", card=move.card)
        if isinstance(move, Finish) and not is_set(core.hands[seat]):
            raise Refused("no-set")

    def _choose(self, seat: int, card: Card, late: bool, now: float) -> None:
        if self._core.to_move == {seat}:
            self._round.last_choice(seat, card, late, now)
        else:
            self._round.choose(seat, card, late)

    def _place(self, seat: int, place: int, how: str) -> None:
        if self._core.to_move == {seat}:
            self._round.last_tap(seat, place, how)
        else:
            self._round.tap(seat, place, how)

    def _free_places(self) -> list[int]:
        taken = self._core.places
        return [place for place in range(2, len(taken) + 1) if place not in taken]

    def time_up(self, seat: int, now: float) -> None:
        """Pass the spare card of one who named none; give who did not tap the worst place there is."""
        if seat not in self._core.to_move:
            return
        if self._core.shown:
            self._place(seat, self._free_places()[-1], TIME)
        else:
            self._choose(seat, spare_card(self._core.hands[seat]), True, now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game or, once somebody has finished, give the worst place to one who has none."""
        core = self._core
        if core.shown:
            if seat in core.to_move:
                self._place(seat, self._free_places()[-1], departure(why))
        elif core.voided is None:
            self._round.void(seat, departure(why))

    def seen_by(self, seat: int | None) -> PassView:
        """Show a seat its hand, and everybody who is ready and who has which place."""
        return view_of(self._core, seat)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> PassPosition:
        """Imagine another game, from its deal on, in which ``seat`` has seen the same."""
        twin = PassPosition(draw_anew(self._core, seat, chance))
        twin._catch_up(self._core)
        twin._core.emit = emit
        return twin

    def _catch_up(self, core: RoundCore) -> None:
        """Bring the machine to where the game stands whose core was copied; nobody is told."""
        if core.shown:
            self._round.finish(core.places.index(1), core.since)
            if not core.to_move:
                last = max(core.places)
                self._round.last_tap(core.places.index(last), last, TAP)
        elif core.voided is not None:
            self._round.void(core.voided.seat, core.voided.why)

    @property
    def outcome(self) -> Outcome | None:
        """Give the places; in a void game all but the one who left share the first."""
        core = self._core
        if core.voided is not None:
            last = len(core.places)
            places = tuple(last if seat == core.voided.seat else 1 for seat in range(last))
            return Outcome(places, reason=core.voided.why)
        return None if core.to_move else Outcome(tuple(core.places), reason="set")
