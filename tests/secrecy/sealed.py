"""Sealed: a game made to be leaky.  Two seats hold four cards each and lay one a round in secret; the higher wins.

As it stands it keeps its secrets; each class below has one leak planted in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen
from twisted.logger import Logger

from gamecore.errors import Refused
from gamecore.events import (
    EVERYONE,
    AllBut,
    Audience,
    Emit,
    Only,
    RoundBegan,
    RoundOver,
    tell_nobody,
)
from gamecore.fairness import Deal
from gamecore.rules import Chance, Move, Outcome, Seat, View

HAND = 4
PACK = range(12)  # four of them in nobody's hand


@frozen
class NoOptions:
    """There is nothing to choose."""


@frozen
class Lay(Move):
    """Lay a card, face down."""

    card: int


@frozen
class Muse(Move):
    """Think of something, of which nobody else hears; only some of the games below know it."""


@frozen
class Mused:
    """Somebody has thought of something."""

    seat: int

    @property
    def audience(self) -> Audience:
        return Only(self.seat)


@frozen
class Laid:
    """A card lies there; ``hint`` is what a leaky game lets slip."""

    seat: int
    hint: int = 0
    audience = EVERYONE


@frozen
class Whispered:
    """Something that only one seat hears of."""

    seat: int

    @property
    def audience(self) -> Audience:
        return AllBut(self.seat)


@frozen
class Given:
    """One seat's hand."""

    seat: int
    hand: tuple[int, ...]

    @property
    def audience(self) -> Audience:
        return Only(self.seat)


@frozen
class Turned:
    """Both cards are shown."""

    cards: tuple[int, int]
    audience = EVERYONE


@frozen
class SealedView(View):
    """What one seat may know."""

    hand: tuple[int, ...]
    own: int | None
    laid: frozenset[int]
    gone: tuple[int, ...]
    slip: int = 0


class Sealed:
    """Where one game stands."""

    def __init__(self, hands: list[list[int]], emit: Emit) -> None:
        self.hands = hands
        self.emit = emit
        self.laid: dict[int, int] = {}
        self.gone: tuple[int, ...] = ()
        self.outcome: Outcome | None = None

    def tell_hands(self) -> None:
        """Tell each its own hand."""
        for seat, hand in enumerate(self.hands):
            self.emit(Given(seat, tuple(hand)))

    def to_move(self) -> frozenset[int]:
        """Both, until they have laid."""
        return frozenset() if self.outcome else frozenset({0, 1} - self.laid.keys())

    def due(self) -> Mapping[int, float]:
        """There is no hurry."""
        return {}

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """Any card in the hand."""
        return [Lay(card) for card in self.hands[seat]] if seat in self.to_move() else []

    def play(self, seat: int, move: Move, now: float) -> None:
        """Lay a card, and turn both when there are two."""
        if move not in self.legal_moves(seat) or not isinstance(move, Lay):
            raise Refused("no-such-move")
        self.hands[seat].remove(move.card)
        self.laid[seat] = move.card
        self.tell_laid(seat, move.card)
        if len(self.laid) == 2:
            self.turn()

    def tell_laid(self, seat: int, card: int) -> None:
        """Tell that there is a card, and no more."""
        self.emit(Laid(seat))

    def turn(self) -> None:
        """Show both cards."""
        cards = (self.laid[0], self.laid[1])
        self.gone += cards
        self.laid = {}
        self.emit(Turned(cards))
        if not self.hands[0]:
            self.emit(RoundOver(1))
            self.outcome = Outcome((1, 1))

    def time_up(self, seat: int, now: float) -> None:
        """There is no hurry."""

    def leave(self, seat: int, why: str, now: float) -> None:
        """End the game."""
        self.outcome = self.outcome or Outcome((1, 1), reason=why)

    def seen_by(self, seat: int | None) -> SealedView:
        """Show one hand and what lies there."""
        hand = () if seat is None else tuple(self.hands[seat])
        own = None if seat is None else self.laid.get(seat)
        return SealedView(hand, own, frozenset(self.laid), self.gone)

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> Sealed:
        """Draw anew what a seat cannot see."""
        twin = type(self)([list(hand) for hand in self.hands], emit)
        twin.laid, twin.gone, twin.outcome = dict(self.laid), self.gone, self.outcome
        hidden = [each for each in (0, 1) if each != seat]
        seen = {*self.gone, *(() if seat is None else self.hands[seat])}
        seen |= {self.laid[seat]} if seat in self.laid and seat is not None else set()
        pool = [card for card in PACK if card not in seen]
        chance.shuffle(pool)
        for each in hidden:
            count = len(self.hands[each])
            twin.hands[each] = sorted(pool[:count])
            del pool[:count]
            if each in self.laid:
                twin.laid[each] = pool.pop()
        return twin


class SealedRules:
    """The constant facts of the game, whichever way it leaks."""

    kind = "sealed"
    title = "Sealed"
    version = 1
    seats = range(2, 3)
    options = NoOptions
    brings = None
    moves = (Lay, Muse)
    events = (Laid, Mused, Whispered, Given, Turned, RoundBegan, RoundOver)

    def __init__(self, position: type[Sealed] = Sealed) -> None:
        self.position = position

    def begin(
        self, seats: Sequence[Seat], options: NoOptions, deal: Deal, emit: Emit, now: float
    ) -> Sealed:
        """Deal four cards to each."""
        pack = deal.shuffle("hands", PACK)
        hands = [sorted(pack[:HAND]), sorted(pack[HAND : 2 * HAND])]
        emit(RoundBegan(1))
        position = self.position(hands, emit)
        position.tell_hands()
        return position


class Musing(Sealed):
    """One may also think of something, which keeps a secret that others could only count."""

    def legal_moves(self, seat: int) -> Sequence[Move]:
        moves = list(super().legal_moves(seat))
        return [*moves, Muse(), Muse()] if moves else []

    def play(self, seat: int, move: Move, now: float) -> None:
        if isinstance(move, Muse) and self.legal_moves(seat):
            self.emit(Mused(seat))
        else:
            super().play(seat, move, now)


# -- the leaks ------------------------------------------------------------------------


class LeakyView(Sealed):
    """Its View tells whose hand is the better one."""

    def seen_by(self, seat: int | None) -> SealedView:
        view = super().seen_by(seat)
        better = int(sum(self.hands[0]) > sum(self.hands[1]))
        return SealedView(view.hand, view.own, view.laid, view.gone, better)


class ForgetfulView(Sealed):
    """It turns up both cards, as it may, but its View does not show them afterwards."""

    def seen_by(self, seat: int | None) -> SealedView:
        view = super().seen_by(seat)
        return SealedView(view.hand, view.own, view.laid, ())


class LeakyEvent(Sealed):
    """Its event tells whether the card laid in secret is odd."""

    def tell_laid(self, seat: int, card: int) -> None:
        self.emit(Laid(seat, card % 2))


class LeakyBeginning(Sealed):
    """As it begins it tells whether a hand that was just dealt is odd."""

    def tell_hands(self) -> None:
        super().tell_hands()
        self.emit(Laid(0, sum(self.hands[0]) % 2))


class LeakyOrder(Sealed):
    """Its legal moves stand in an order that follows from the other's hand."""

    def legal_moves(self, seat: int) -> Sequence[Move]:
        moves = list(super().legal_moves(seat))
        return moves[::-1] if sum(self.hands[1 - seat]) % 2 else moves


class LeakyNumber(Sealed):
    """One more event reaches the others if the card laid in secret is high: its number tells."""

    def tell_laid(self, seat: int, card: int) -> None:
        self.emit(Laid(seat))
        if card >= 6:
            self.emit(Whispered(seat))


class LeakyRefusal(Sealed):
    """What it refuses it refuses in two ways, and one of them tells of the other's hand."""

    def play(self, seat: int, move: Move, now: float) -> None:
        if isinstance(move, Lay) and move not in self.legal_moves(seat):
            theirs = move.card in self.hands[1 - seat]
            raise Refused("that-is-not-yours" if theirs else "no-such-move")
        super().play(seat, move, now)


class LeakyTurn(Sealed):
    """Who is to move depends on a card laid in secret."""

    def to_move(self) -> frozenset[int]:
        waiting = super().to_move()
        low = any(card < 2 for card in self.laid.values())
        return waiting if not low else frozenset()


# What is seen in events and Views as well as in bytes.
LEAKY = (LeakyView, LeakyEvent, LeakyOrder, LeakyNumber, LeakyRefusal, LeakyTurn)


class LeakyLog(Sealed):
    """It logs the card laid in secret."""

    _log = Logger()

    def tell_laid(self, seat: int, card: int) -> None:
        super().tell_laid(seat, card)
        self._log.debug("seat {seat} lays {card}", seat=seat, card=card)


class BlindGuess(Sealed):
    """Its guess draws nothing anew."""

    def guess(self, seat: int | None, chance: Chance, emit: Emit = tell_nobody) -> Sealed:
        twin = type(self)([list(hand) for hand in self.hands], emit)
        twin.laid, twin.gone, twin.outcome = dict(self.laid), self.gone, self.outcome
        return twin
