"""What happens in a game of Rikiki; hands, and what can be chosen, are told only to whose they are."""

from __future__ import annotations

from typing import ClassVar, Literal

from attrs import frozen

from gamecore.cards import Card
from gamecore.events import EVERYONE, AllBut, Audience, Only

Forced = Literal[
    "", "time", "left"
]  # who decided: the player, the clock, the house for one who left


@frozen
class Laid:
    """A card on the table, and whose it is."""

    seat: int
    card: Card
    forced: Forced = ""


@frozen
class Trick:
    """A trick that was taken: its cards in the order in which they came, and who won it."""

    cards: tuple[Laid, ...]
    winner: int


@frozen
class Result:
    """What one round brought one seat; ``total`` is that of the game so far."""

    seat: int
    bid: int
    won: int
    points: int
    total: int


@frozen
class Dealt:
    """Cards are dealt for round ``number`` of ``rounds``, so many to each.

    ``order`` is the order of bidding; its first seat also leads first.
    """

    number: int
    rounds: int
    cards: int
    order: tuple[int, ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class HandDealt:
    """The cards of one seat."""

    seat: int
    cards: tuple[Card, ...]

    @property
    def audience(self) -> Audience:
        """Only the seat that holds them."""
        return Only(self.seat)


@frozen
class TrumpTurned:
    """A card is turned, and its suit is trump; with None there is no trump in this round."""

    card: Card | None
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Awaited:
    """All others wait for a seat to ``bid`` or to ``play``."""

    seat: int
    doing: Literal["bid", "play"]

    @property
    def audience(self) -> Audience:
        """All who wait."""
        return AllBut(self.seat)


@frozen
class Asked:
    """It is for ``seat`` to make one of these bids, or to play one of these cards."""

    seat: int
    bids: tuple[int, ...]
    cards: tuple[Card, ...]

    @property
    def audience(self) -> Audience:
        """Only the seat that is to choose."""
        return Only(self.seat)


@frozen
class BidPlaced:
    """A seat has bid; ``total`` is the sum of the bids so far, of ``cards`` tricks there are to take."""

    seat: int
    tricks: int
    forced: Forced
    total: int
    cards: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class CardPlayed:
    """A seat has played a card; ``leads`` if it is the first of a trick."""

    seat: int
    card: Card
    forced: Forced
    leads: bool
    audience: ClassVar[Audience] = EVERYONE


@frozen
class TrickTaken:
    """A seat has taken a trick with a card; ``won`` counts those it has."""

    seat: int
    card: Card
    won: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class CardsChosen:
    """The next round deals so many cards to each, whatever the schedule says."""

    cards: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class RoundScored:
    """All tricks are taken: what the round has brought, in the order of bidding."""

    number: int
    rounds: int
    results: tuple[Result, ...]
    audience: ClassVar[Audience] = EVERYONE
