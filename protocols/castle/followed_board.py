"""Where the reader of the wire believes all cards to be, which is not always where the rules have them.

A reader follows the duel by positions, so what they are worth in between must be known here: how many cards each
hand and deck has, and which card is on its way from a hand to the field.  The reader sees that one in the hand
until it has arrived (Castle Wars specification, section 5.5); the rules have taken it out by then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.games.castle import CastleView
from gamecore.games.castle.card_events import PutDown
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import HandCard
from protocols.castle.wire_positions import position_of


class FollowedBoard:
    """The hands and decks of both players as the one in seat ``reader`` has been told of them."""

    def __init__(self, reader: int) -> None:
        self.reader = reader
        self.hands = [0, 0]
        """How many cards each hand has."""
        self.decks = [0, 0]
        """How many cards each deck has."""
        self._totals = [0, 0]  # cards in hand and deck before the first turn
        self._leaving: list[int | None] = [None, None]  # the hand's place of a card on its way
        self._arriving = [0, 0]  # cards on their way from a deck, which the reader sees there
        self._own_hand: Sequence[HandCard] = ()  # when it was seen last

    def see(self, board: CastleView) -> None:
        """Go on from a View that the reader was just shown."""
        for seat, side in enumerate(board.sides):
            self.hands[seat], self.decks[seat] = len(side.hand), side.deck_count
            self._totals[seat] = len(side.hand) + side.deck_count
        self._leaving, self._arriving = [None, None], [0, 0]

    def remember_hand(self, board: CastleView) -> None:
        """Keep in mind what is in the reader's own hand."""
        self._own_hand = board.sides[self.reader].hand

    # -- positions ----------------------------------------------------------------------

    def position(self, spot: Spot) -> str:
        """Name a place, a hand's with the card counted that is still on its way."""
        leaving = self._leaving[spot.seat]
        if spot.zone == "hand" and leaving is not None and spot.slot >= leaving:
            spot = Spot(spot.seat, "hand", spot.slot + 1)
        elif spot.zone == "deck":
            spot = Spot(spot.seat, "deck", spot.slot + self._arriving[spot.seat])
        return position_of(spot, self.reader)

    def place(self, seat: int, zone: Zone, slot: int = 0) -> str:
        """Name a place by its parts."""
        return self.position(Spot(seat, zone, slot))

    def moved_down(self, seat: int, hand: int) -> Mapping[str, str]:
        """Say where the cards go that lie above one that has gone from a hand."""
        count = self.hands[seat] + (self._leaving[seat] is not None)
        return {
            self.place(seat, "hand", at + 1): self.place(seat, "hand", at)
            for at in range(hand, count)
        }

    # -- what happens to the cards --------------------------------------------------------

    def deal(self, hands: Sequence[int], decks: Sequence[int]) -> None:
        """Begin with so many cards in both hands and decks."""
        self.hands, self.decks = [*hands], [*decks]
        self._totals = [sum(pair) for pair in zip(hands, decks, strict=True)]

    def redraw(self, seat: int, count: int) -> None:
        """Put a first hand back and draw another one of ``count`` cards."""
        self.hands[seat], self.decks[seat] = count, self._totals[seat] - count

    def take_from_hand(self, seat: int, hand: int) -> None:
        """Send a card of a hand on its way to the field."""
        self.hands[seat] -= 1
        self._leaving[seat] = hand

    def put_down(self, event: PutDown) -> None:
        """Send a card on its way that another card lets one put into play."""
        if event.source == "hand":
            self.hands[event.seat] -= 1
            self._leaving[event.seat] = self._slot_in_hand(event)
        else:
            self.decks[event.seat] -= 1
            self._arriving[event.seat] += 1

    def _slot_in_hand(self, event: PutDown) -> int:
        """Find at which place of a hand a card was that is put into play."""
        if event.hand is not None:
            return event.hand
        same = [at for at, each in enumerate(self._own_hand) if each.card == event.card]
        if event.seat != self.reader or not same:
            return self.hands[event.seat]
        return max(same, key=lambda at: (self._own_hand[at].discount, -at))

    def arrive_from_deck(self, seat: int) -> str:
        """Let a card arrive on the field; gives where in the deck the reader saw it."""
        self._arriving[seat] = max(0, self._arriving[seat] - 1)
        return self.place(seat, "deck", self.decks[seat])

    def arrive_from_hand(self, seat: int) -> tuple[str, int | None]:
        """Let a card arrive on the field; gives where in the hand the reader saw it, and the gap it leaves."""
        leaving, self._leaving[seat] = self._leaving[seat], None
        slot = self.hands[seat] if leaving is None else leaving
        return self.place(seat, "hand", slot), leaving

    def awaits_arrival(self, seat: int) -> bool:
        """Tell whether a card of a deck is still on its way."""
        return bool(self._arriving[seat])
