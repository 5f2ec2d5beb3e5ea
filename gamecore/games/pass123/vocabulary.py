"""The words of 1-2-3 Pass: its settings, the moves, what happens, and what a seat may see."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from gamecore.cards import RANKS, Card
from gamecore.events import EVERYONE, Audience, Only
from gamecore.rules import Move, View
from gamecore.settings import setting

Hand = tuple[Card, ...]
Hands = tuple[Hand, ...]

HAND = 4
MOST_PLAYERS = len(RANKS)
TAP = "tap"  # how a place was come by, beside the clock and the ways to go
TIME = "time"
GOINGS = ("left", "disconnected", "absent")  # why a player may have gone


@frozen
class PassOptions:
    """The settings of a table of 1-2-3 Pass."""

    players: int = setting(
        4, "how many play, unless the game is begun with fewer", low=2, high=MOST_PLAYERS
    )
    direction: str = setting(
        "up", "who gets a card: the next player, or the one before", choices=("up", "down")
    )
    seconds: int = setting(300, "seconds to name a card, and to tap", low=1, high=86_400)


@frozen
class Pass(Move):
    """Name the card to pass."""

    card: Card


@frozen
class Finish(Move):
    """Lay down a set."""


@frozen
class Tap(Move):
    """Put a hand on the table, once somebody has finished."""


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


@frozen
class Away:
    """A card that a seat has passed on at the ``number``-th pass, and not seen since."""

    card: Card
    number: int


@frozen
class PassView(View):
    """What one seat may know; a watcher has no hand.

    ``hand`` is without ``named``, the card this seat will pass; ``ready`` are the seats that have named one;
    ``passes`` is how often cards have moved; ``since`` the table time from which the clock runs; ``places`` are 0
    for those that have none yet; ``shown`` is the set of the finisher; ``away`` is what the seat has passed on.
    """

    options: PassOptions
    seat: int | None
    players: int
    hand: Hand
    named: Card | None
    ready: tuple[int, ...]
    passes: int
    since: float
    places: tuple[int, ...]
    shown: Hand
    away: tuple[Away, ...]
    voided: Voided | None
