"""The life of one game of 1-2-3 Pass: choosing, tapping, over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from attrs import define
from automat import TypeMachine, TypeMachineBuilder

from gamecore.cards import Card
from gamecore.events import Emit, RoundOver
from gamecore.games.pass123.events import (
    Finished,
    Hand,
    Hands,
    Named,
    Passed,
    Ready,
    Received,
    TakenBack,
    Tapped,
    Voided,
)
from gamecore.games.pass123.options import PassOptions
from gamecore.games.pass123.past import Away, Past, remember, taker

HAND = 4  # cards, of one rank in a set


def is_set(hand: Sequence[Card]) -> bool:
    """Say whether a hand is four cards of one rank."""
    return len(hand) == HAND and len({card.rank for card in hand}) == 1


def spare_card(hand: Sequence[Card]) -> Card:
    """Choose the card that the clock passes for one who names none.

    It is of the rank the hand has fewest of, as the least is lost with it; of several such cards the one that came
    last, as its owner has had no time to count on it.
    """
    held = Counter(card.rank for card in hand)
    return min(reversed(hand), key=lambda card: held[card.rank])


class Round(Protocol):
    """What may happen to a game of 1-2-3 Pass."""

    def choose(self, seat: int, card: Card, late: bool) -> None:
        """Name a card; others have yet to name theirs."""

    def last_choice(self, seat: int, card: Card, late: bool, now: float) -> None:
        """Name the card that everybody was waiting for, and let all cards move."""

    def finish(self, seat: int, now: float) -> None:
        """Lay down a set; cards that were named go back."""

    def tap(self, seat: int, place: int, how: str) -> None:
        """Take a place."""

    def last_tap(self, seat: int, place: int, how: str) -> None:
        """Take the last place there is."""

    def void(self, seat: int, why: str) -> None:
        """End the game before anybody has finished, since a seat has gone."""


@define
class RoundCore:
    """The cards and the places; the seats are the indices of each list.

    ``to_move`` are the seats that have yet to name a card or, once somebody has finished, to tap; ``away`` is,
    for each seat, which card it has given out of its hand and after which pass, and ``past`` what led to the hands.
    """

    options: PassOptions
    emit: Emit
    since: float
    past: Past
    hands: list[list[Card]]
    places: list[int]
    away: list[dict[Card, Away]]
    named: dict[int, Card]
    to_move: frozenset[int]
    shown: Hand = ()
    voided: Voided | None = None

    def name(self, seat: int, card: Card, late: bool) -> None:
        """Put the card of a seat aside."""
        self.hands[seat].remove(card)
        self.named[seat] = card
        self.to_move -= {seat}
        self.emit(Named(seat, card, tuple(self.hands[seat]), late))
        self.emit(Ready(seat, late))

    def exchange(self, now: float) -> None:
        """Let all cards move at once."""
        cards = tuple(card for _, card in sorted(self.named.items()))
        self.named.clear()
        self.past.add(cards)
        self.since = now
        number, players = self.past.count, len(cards)
        self.to_move = frozenset(range(players))
        remember(self.away, cards, self.options.direction, number)
        self.emit(Passed(number))
        for giver, card in enumerate(cards):
            seat = taker(giver, players, self.options.direction)
            self.hands[seat].append(card)
            self.emit(Received(seat, card, giver, tuple(self.hands[seat])))

    def lay_down(self, seat: int, now: float) -> None:
        """Show the set of a seat, which has the first place; now all others are to tap."""
        self.places[seat], self.since = 1, now
        self.shown = tuple(self.hands[seat])
        self.to_move = frozenset(each for each, place in enumerate(self.places) if not place)
        self.emit(Finished(seat, self.shown, tuple(self.places)))

    def take_back(self) -> None:
        """Give the cards that were named back to their owners."""
        for seat, card in sorted(self.named.items()):
            self.hands[seat].append(card)
            self.emit(TakenBack(seat, card, tuple(self.hands[seat])))
        self.named.clear()

    def put(self, seat: int, place: int, how: str) -> None:
        """Give a seat its place."""
        self.places[seat] = place
        self.to_move -= {seat}
        self.emit(Tapped(seat, place, how, tuple(self.places)))


def _round_machine() -> TypeMachine[Round, RoundCore]:
    builder = TypeMachineBuilder(Round, RoundCore)
    choosing = builder.state("choosing")
    tapping = builder.state("tapping")
    over = builder.state("over")

    @choosing.upon(Round.choose).loop()
    def put_aside(round: Round, core: RoundCore, seat: int, card: Card, late: bool) -> None:
        core.name(seat, card, late)

    @choosing.upon(Round.last_choice).loop()
    def pass_all(
        round: Round, core: RoundCore, seat: int, card: Card, late: bool, now: float
    ) -> None:
        core.name(seat, card, late)
        core.exchange(now)

    @choosing.upon(Round.finish).to(tapping)
    def lay_down(round: Round, core: RoundCore, seat: int, now: float) -> None:
        core.lay_down(seat, now)
        core.take_back()

    @choosing.upon(Round.void).to(over)
    def give_up(round: Round, core: RoundCore, seat: int, why: str) -> None:
        core.to_move = frozenset()
        core.voided = Voided(seat, why)
        core.emit(core.voided)
        core.emit(RoundOver(1))

    @tapping.upon(Round.tap).loop()
    def take_place(round: Round, core: RoundCore, seat: int, place: int, how: str) -> None:
        core.put(seat, place, how)

    @tapping.upon(Round.last_tap).to(over)
    def take_last_place(round: Round, core: RoundCore, seat: int, place: int, how: str) -> None:
        core.put(seat, place, how)
        core.emit(RoundOver(1))

    return builder.build()


def begin_with(dealt: Hands, options: PassOptions, emit: Emit, now: float) -> RoundCore:
    """Set a game up with hands that are dealt already, one of four cards for each seat."""
    return RoundCore(
        options,
        emit,
        now,
        Past.of_deal(dealt, options.direction),
        hands=[list(hand) for hand in dealt],
        places=[0] * len(dealt),
        away=[{} for _ in dealt],
        named={},
        to_move=frozenset(range(len(dealt))),
    )


RoundMachine = _round_machine()
