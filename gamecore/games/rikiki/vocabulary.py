"""The moves and events of Rikiki, and what a seat may know of it."""

from __future__ import annotations

from typing import ClassVar, Literal

from attrs import frozen

from gamecore.cards import Card
from gamecore.events import EVERYONE, AllBut, Audience, Only
from gamecore.games.rikiki.options import RikikiOptions
from gamecore.rules import Move, View

Phase = Literal["bidding", "playing", "between-tricks", "done"]
Forced = Literal[
    "", "time", "left"
]  # who decided: the player, the clock, the house for one who left


@frozen
class Bid(Move):
    """Say how many tricks you will take."""

    tricks: int


@frozen
class PlayCard(Move):
    """Play a card of your hand."""

    card: Card


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


# -- events ---------------------------------------------------------------------------


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
class RoundScored:
    """All tricks are taken: what the round has brought, in the order of bidding."""

    number: int
    rounds: int
    results: tuple[Result, ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class RikikiView(View):
    """One seat's own hand, and all that everybody has seen.

    ``bids``, ``won``, ``held`` (cards in hand) and ``totals`` are by seat; ``table`` holds the trick under way or,
    between tricks and at the end, the last one; ``tricks`` are those taken in this round, ``results`` those of the
    rounds before and, once it is done, of this one; ``since`` is the table time from which the decision under way,
    or the pause, is counted.
    """

    options: RikikiOptions
    seat: int | None
    number: int
    rounds: int
    cards: int
    order: tuple[int, ...]
    turned: Card | None
    phase: Phase
    turn: int | None
    since: float
    hand: tuple[Card, ...]
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    held: tuple[int, ...]
    table: tuple[Laid, ...]
    tricks: tuple[Trick, ...]
    totals: tuple[int, ...]
    results: tuple[tuple[Result, ...], ...]
    gone: tuple[int, ...]
    over: bool

    @property
    def trump(self) -> str | None:
        """The suit that is trump, if one is."""
        return None if self.turned is None else self.turned.suit

    @property
    def led(self) -> Card | None:
        """The card that is to be followed, if a trick is under way."""
        return self.table[0].card if self.phase == "playing" and self.table else None
