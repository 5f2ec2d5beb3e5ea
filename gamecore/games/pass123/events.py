"""What happens in a game of 1-2-3 Pass; a card is named only to who holds it, until a set is laid down."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from gamecore.cards import Card
from gamecore.events import EVERYONE, Audience, Only
from gamecore.games.pass123.options import PassOptions

Hand = tuple[Card, ...]
Hands = tuple[Hand, ...]

TAP = "tap"  # how a place was come by, beside the clock and the ways to go
TIME = "time"


@frozen
class Begun:
    """The cards are dealt to so many players."""

    players: int
    options: PassOptions
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Dealt:
    """The hand that a seat is dealt; ``players`` is how many there are."""

    seat: int
    hand: Hand
    players: int

    @property
    def audience(self) -> Audience:
        """Only who holds it."""
        return Only(self.seat)


@frozen
class Named:
    """The card that a seat will pass, and the ``hand`` without it; ``late`` if the clock named it."""

    seat: int
    card: Card
    hand: Hand
    late: bool

    @property
    def audience(self) -> Audience:
        """Only who named it."""
        return Only(self.seat)


@frozen
class Ready:
    """A seat has named its card; ``late`` if the clock did so."""

    seat: int
    late: bool
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Passed:
    """All cards have moved at once, for the ``number``-th time."""

    number: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Received:
    """The card that ``seat`` got from ``giver``, and the ``hand`` with it."""

    seat: int
    card: Card
    giver: int
    hand: Hand

    @property
    def audience(self) -> Audience:
        """Only who got it."""
        return Only(self.seat)


@frozen
class Finished:
    """A seat has laid down a set, for all to see."""

    seat: int
    cards: Hand
    places: tuple[int, ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class TakenBack:
    """A card that was named is its owner's again, since somebody has finished; it ends the ``hand``."""

    seat: int
    card: Card
    hand: Hand

    @property
    def audience(self) -> Audience:
        """Only whose card it is."""
        return Only(self.seat)


@frozen
class Tapped:
    """A seat has its place: by a ``tap``, by the clock (``time``), or by how its player went."""

    seat: int
    place: int
    how: str
    places: tuple[int, ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Voided:
    """The game is void: a seat has gone, and the pack is no longer whole; ``why`` tells how it went."""

    seat: int
    why: str
    audience: ClassVar[Audience] = EVERYONE
