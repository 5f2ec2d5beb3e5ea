"""What happens to cards and castles in a game of Castle Wars.

Where a card is a secret, the same event goes out twice: to the one seat that may know it (``only``), and with
``card`` None to all the others (``but``).  Spots name where a card lay when it happened.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from gamecore.events import EVERYONE, AllBut, Audience, Only
from gamecore.games.castle.effect_schema import Zone
from gamecore.games.castle.event_types import Cause, Fight, HealthCause, Pair, told_to
from gamecore.games.castle.moves import Spot, Spots

# -- hands, decks, discard piles ------------------------------------------------------


@frozen
class Drew:
    """A card has gone from the top of a deck to ``hand``; ``left`` remain in the deck.

    ``usual`` if it is the draw with which a turn begins.
    """

    seat: int
    card: int | None
    hand: int
    left: int
    usual: bool
    only: int | None = None
    but: int | None = None

    @property
    def audience(self) -> Audience:
        """The card is named to who drew it."""
        return told_to(self.only, self.but)


@frozen
class Fetched:
    """A card has been chosen out of a deck and is at ``hand`` now."""

    seat: int
    card: int | None
    hand: int
    left: int
    only: int | None = None
    but: int | None = None

    @property
    def audience(self) -> Audience:
        """The card is named to who fetched it."""
        return told_to(self.only, self.but)


@frozen
class Overflowed:
    """A card found the hand full and lies face up on the discard pile."""

    seat: int
    card: int
    left: int
    discard: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Shuffled:
    """A deck has been shuffled."""

    seat: int
    left: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Discarded:
    """A card has gone from a hand to its owner's discard pile; those above it move down."""

    seat: int
    card: int
    hand: int
    discard: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Revealed:
    """``viewer`` is shown the cards at some spots."""

    viewer: int
    spots: Spots
    cards: tuple[int, ...]

    @property
    def audience(self) -> Audience:
        """Only who is shown them."""
        return Only(self.viewer)


@frozen
class Inspected:
    """``viewer`` was shown the cards at some spots."""

    viewer: int
    spots: Spots

    @property
    def audience(self) -> Audience:
        """All that were not shown them."""
        return AllBut(self.viewer)


# -- the field ------------------------------------------------------------------------


@frozen
class PutDown:
    """The effect of another card puts a card into play: this is given up for it, and then it enters.

    ``hand`` is where in the hand it was, None if it comes from elsewhere.
    """

    seat: int
    card: int | None
    source: Zone
    spot: Spot
    paid: Spots
    health: int
    hand: int | None = None
    only: int | None = None
    but: int | None = None

    @property
    def audience(self) -> Audience:
        """Everyone; a trickster set is named to its owner only."""
        return told_to(self.only, self.but)


@frozen
class Entered:
    """A card is on the field; ``silent`` if its entry ability does not happen."""

    seat: int
    card: int | None
    source: Zone
    spot: Spot
    silent: bool
    only: int | None = None
    but: int | None = None

    @property
    def audience(self) -> Audience:
        """Everyone; a trickster set is named to its owner only."""
        return told_to(self.only, self.but)


@frozen
class Destroyed:
    """A card has gone from the field to the discard pile of ``owner``."""

    spot: Spot
    card: int
    owner: int
    discard: int
    cause: Cause
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Spent:
    """A trickster has done its work, or was cancelled, and lies on the discard pile."""

    spot: Spot
    card: int
    discard: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Saved:
    """A card that would have been destroyed was not; ``card`` is None while it is face down."""

    spot: Spot
    card: int | None
    by: Spot | None
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Shielded:
    """No card of ``seat`` can be destroyed this turn."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Stunned:
    """A card can neither attack nor use abilities until its controller's turn is over."""

    spot: Spot
    card: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class StunEnded:
    """Cards may act again."""

    spots: Spots
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Levelled:
    """A mage has reached a level."""

    spot: Spot
    card: int
    level: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class PointsChanged:
    """A card has other points for as long as it is on the field."""

    spot: Spot
    card: int
    points: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class AttacksGranted:
    """A card may attack so many times this turn; a mage at any level if ``any_level``."""

    spot: Spot
    card: int
    attacks: int
    any_level: bool
    audience: ClassVar[Audience] = EVERYONE


@frozen
class CostReduced:
    """A card that ``seat`` plays costs so many cards less; ``fetched`` if it must be the one just fetched."""

    seat: int
    items: int
    fetched: bool
    audience: ClassVar[Audience] = EVERYONE


@frozen
class ControlChanged:
    """A card has changed sides; ``target`` is None if it found no slot and lies on its owner's discard pile."""

    source: Spot
    target: Spot | None
    card: int
    owner: int
    discard: int | None = None
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Scheduled:
    """The card at ``spot`` will be destroyed at the end of a turn, this one being number 1."""

    spot: Spot
    turns: int
    audience: ClassVar[Audience] = EVERYONE


# -- battles and castles --------------------------------------------------------------


@frozen
class Redirected:
    """An attack is aimed at another card."""

    number: int
    target: Spot
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Fought:
    """A battle between two cards, or a hit on a castle, and the points that decided it."""

    number: int
    attacker: Spot
    target: Spot
    points: Pair
    result: Fight
    audience: ClassVar[Audience] = EVERYONE


@frozen
class CastleChanged:
    """A castle's health is ``health`` now, after a change that never counts more than there was."""

    seat: int
    health: int
    change: int
    cause: HealthCause
    source: Spot | None
    audience: ClassVar[Audience] = EVERYONE


@frozen
class DuelLost:
    """Why a seat has lost: ``castle``, ``deck-out`` or how they went."""

    seat: int
    why: str
    audience: ClassVar[Audience] = EVERYONE
