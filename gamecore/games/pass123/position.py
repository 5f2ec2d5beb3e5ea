"""A game of 1-2-3 Pass from outside: checks a move, then feeds the round the one input that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.cards import PACK, RANKS, Card
from gamecore.errors import Refused
from gamecore.events import Emit, Event, RoundBegan, RoundOver, tell_nobody
from gamecore.fairness import Deal
from gamecore.games.pass123.guessing import imagine
from gamecore.games.pass123.round import RoundCore, RoundMachine, begin_with, is_set, spare_card
from gamecore.games.pass123.vocabulary import (
    GOINGS,
    HAND,
    MOST_PLAYERS,
    TAP,
    TIME,
    Away,
    Begun,
    Dealt,
    Finish,
    Finished,
    Named,
    Pass,
    Passed,
    PassOptions,
    PassView,
    Ready,
    Received,
    TakenBack,
    Tap,
    Tapped,
    Voided,
)
from gamecore.rules import Chance, Move, Outcome, Seat


class PassPosition:
    """Where one game of 1-2-3 Pass stands."""

    __slots__ = ("_core", "_round")

    def __init__(self, core: RoundCore) -> None:
        self._core = core
        self._round = RoundMachine(core)

    def to_move(self) -> frozenset[int]:
        """Name all who have yet to name a card or, once somebody has finished, to tap."""
        return self._round.to_move()

    def due(self) -> Mapping[int, float]:
        """Give the same instant to all who are to move."""
        end = self._core.since + self._core.options.seconds
        return dict.fromkeys(sorted(self.to_move()), end)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """List to finish, if that is possible, and each card from the left; or only to tap."""
        if seat not in self.to_move():
            return ()
        if self._core.shown:
            return (Tap(),)
        hand = self._core.hands[seat]
        passes = [Pass(card) for card in hand]
        return [Finish(), *passes] if is_set(hand) else passes

    def play(self, seat: int, move: Move, now: float) -> None:
        """Name a card, finish or tap.

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
        awaited, finished = self.to_move(), bool(self._core.shown)
        if not awaited:
            raise Refused("game-over")
        if not isinstance(move, Pass | Finish | Tap):
            raise Refused("no-such-move")
        if isinstance(move, Tap) is not finished:
            raise Refused("somebody-finished" if finished else "nobody-finished")
        if seat not in awaited:
            raise Refused("already-tapped" if finished else "already-named")
        if isinstance(move, Pass) and move.card not in self._core.hands[seat]:
            raise Refused("not-held", card=str(move.card))
        if isinstance(move, Finish) and not is_set(self._core.hands[seat]):
            raise Refused("no-set")

    def _choose(self, seat: int, card: Card, late: bool, now: float) -> None:
        if self.to_move() == {seat}:
            self._round.last_choice(seat, card, late, now)
        else:
            self._round.choose(seat, card, late)

    def _place(self, seat: int, place: int, how: str) -> None:
        if self.to_move() == {seat}:
            self._round.last_tap(seat, place, how)
        else:
            self._round.tap(seat, place, how)

    def _free_places(self) -> list[int]:
        taken = self._core.places
        return [place for place in range(2, len(taken) + 1) if place not in taken]

    def time_up(self, seat: int, now: float) -> None:
        """Pass the spare card of one who named none; give who did not tap the worst place there is."""
        if seat not in self.to_move():
            return
        if self._core.shown:
            self._place(seat, self._free_places()[-1], TIME)
        else:
            self._choose(seat, spare_card(self._core.hands[seat]), True, now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game or, once somebody has finished, give the worst place to one who has none."""
        why = why if why in GOINGS else "left"
        if self._core.shown:
            if seat in self.to_move():
                self._place(seat, self._free_places()[-1], why)
        elif self._core.voided is None:
            self._round.void(seat, why)

    def seen_by(self, seat: int | None) -> PassView:
        """Show a seat its hand, and everybody who is ready and who has which place."""
        core = self._core
        away = {} if seat is None else core.away[seat]
        return PassView(
            options=core.options,
            seat=seat,
            players=len(core.hands),
            hand=() if seat is None else tuple(core.hands[seat]),
            named=None if seat is None else core.named.get(seat),
            ready=tuple(sorted(core.named)),
            passes=len(core.passes),
            since=core.since,
            places=tuple(core.places),
            shown=core.shown,
            away=tuple(Away(card, number) for card, number in away.items()),
            voided=core.voided,
        )

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> PassPosition:
        """Imagine another game, from its deal on, in which ``seat`` has seen the same."""
        core = self._core
        twin = PassPosition(imagine(core, seat, chance))
        if core.shown:
            twin._round.finish(core.places.index(1), core.since)
            if all(core.places):
                last = max(core.places)
                twin._round.last_tap(core.places.index(last), last, TAP)
        elif core.voided is not None:
            twin._round.void(core.voided.seat, core.voided.why)
        twin._core.emit = emit
        return twin

    @property
    def outcome(self) -> Outcome | None:
        """Give the places; in a void game all but the one who left share the first."""
        core = self._core
        if core.voided is not None:
            last = len(core.places)
            places = tuple(last if seat == core.voided.seat else 1 for seat in range(last))
            return Outcome(places, reason=core.voided.why)
        return Outcome(tuple(core.places), reason="set") if all(core.places) else None


class PassRules:
    """The constant facts of 1-2-3 Pass, and how a game begins."""

    kind = "pass123"
    title = "1-2-3 Pass"
    version = 1
    seats = range(2, MOST_PLAYERS + 1)
    options = PassOptions
    brings = None
    moves: Sequence[type[Move]] = (Pass, Finish, Tap)
    events: Sequence[type[Event]] = (
        Begun,
        Dealt,
        Named,
        Ready,
        Passed,
        Received,
        Finished,
        TakenBack,
        Tapped,
        Voided,
        RoundBegan,
        RoundOver,
    )

    def begin(
        self, seats: Sequence[Seat], options: PassOptions, deal: Deal, emit: Emit, now: float
    ) -> PassPosition:
        """Draw as many ranks as there are players, and deal all their cards."""
        players = len(seats)
        ranks = deal.shuffle("ranks", RANKS)[:players]
        pack = deal.shuffle("hands", [card for card in PACK if card.rank in ranks])
        dealt = tuple(tuple(pack[HAND * seat :][:HAND]) for seat in range(players))
        emit(RoundBegan(1))
        emit(Begun(players, options))
        for seat, hand in enumerate(dealt):
            emit(Dealt(seat, hand, players))
        return PassPosition(begin_with(dealt, options, emit, now))


RULES = PassRules()
