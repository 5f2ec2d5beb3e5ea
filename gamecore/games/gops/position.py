"""A game of GOPS from outside: checks a move, then feeds the round the one input that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.errors import Refused
from gamecore.events import Emit, tell_nobody
from gamecore.games.gops.guessing import draw_anew, draw_laid
from gamecore.games.gops.moves import BIDS, Bid
from gamecore.games.gops.round import RoundCore, RoundMachine
from gamecore.games.gops.view import GopsView, view_of
from gamecore.rules import Chance, Move, Outcome, departure


class GopsPosition:
    """Where one game of GOPS stands."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        """Take a core that stands before a prize is turned, or after the end."""
        self._core = core
        self._round = RoundMachine(core)

    def to_move(self) -> frozenset[int]:
        """Name the seats that have yet to lay a card."""
        return self._core.to_move

    def due(self) -> Mapping[int, float]:
        """Give whoever has yet to lay a card the same time, from when the prize was turned up."""
        core = self._core
        return dict.fromkeys(sorted(core.to_move), core.since + core.options.seconds)

    def legal_moves(self, seat: int) -> Sequence[Bid]:
        """List the cards in the hand, the lowest first."""
        if seat not in self._core.to_move:
            return ()
        return [BIDS[card] for card in self._core.hands[seat]]

    def play(self, seat: int, move: Move, now: float) -> None:
        """Lay a card, and once both have, go on to the next prize (GOPS specification, section 1).

        Refused: ``game-over``, ``no-such-move``, ``already-laid``, ``no-such-card``, ``card-played``.
        """
        core = self._core
        if not core.to_move:
            raise Refused("game-over")
        card = self._check(seat, move)
        if not core.laid:
            self._round.bid(seat, card)
            return
        self._round.last_bid(seat, card)
        if core.prizes:
            self._round.open(now)

    def _check(self, seat: int, move: Move) -> int:
        core = self._core
        if not isinstance(move, Bid):
            raise Refused("no-such-move")
        if seat in core.laid:
            raise Refused("already-laid")
        if not 1 <= move.card <= core.options.cards:
            raise Refused("no-such-card", most=core.options.cards)
        if move.card not in core.hands[seat]:
            raise Refused("card-played", card=move.card)
        return move.card

    def time_up(self, seat: int, now: float) -> None:
        """End the game: whoever has not laid a card has lost it, and nobody has won if that is both."""
        self._forfeit(tuple(sorted(self._core.to_move)), "time")

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game: whoever leaves has lost."""
        self._forfeit((seat,), departure(why))

    def _forfeit(self, seats: tuple[int, ...], why: str) -> None:
        if self._core.to_move:
            self._round.forfeit(seats, why)

    def begin(self, now: float) -> None:
        """Turn up the first prize."""
        self._round.open(now)

    def seen_by(self, seat: int | None) -> GopsView:
        """Show everything but the other's laid card and the prizes to come."""
        return view_of(self._core, seat)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> GopsPosition:
        """Draw anew the order of the prizes to come, and the cards that others have laid."""
        core = self._core
        twin = GopsPosition(draw_anew(core, chance))
        if core.to_move:
            twin.begin(core.since)
            for other, card in draw_laid(core, seat, chance).items():
                twin._round.bid(other, card)
        twin._core.emit = emit
        return twin

    @property
    def outcome(self) -> Outcome | None:
        """Say who has won: more points, or the one who did not go."""
        core = self._core
        if core.forfeit is not None:
            lost = core.forfeit.seats
            places = (1, 1) if len(lost) > 1 else ((2, 1) if lost == (0,) else (1, 2))
            return Outcome(places, core.scores, core.forfeit.why)
        if core.to_move:
            return None
        first, second = core.scores
        return Outcome((1 + (second > first), 1 + (first > second)), core.scores, "points")
