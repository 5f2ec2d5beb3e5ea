"""What happens in a game of Castle Wars.

Where a card is a secret, the same event goes out twice: to the one seat that may know it (``only``), and with
``card`` None to all the others (``but``).  Spots name where a card lay when it happened.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from gamecore.events import EVERYONE, AllBut, Audience, Event, Only, RoundBegan, RoundOver
from gamecore.games.castle import card_events
from gamecore.games.castle.event_types import Asking, Doing, Pair, Result, told_to
from gamecore.games.castle.moves import Reply, Spot, Spots
from gamecore.games.castle.options import CastleOptions

# -- beginning ------------------------------------------------------------------------


@frozen
class DuelBegan:
    """Both decks are shuffled; ``first`` will have the first turn, ``decks`` counts the cards below the hands."""

    options: CastleOptions
    first: int
    decks: Pair
    hands: Pair
    audience: ClassVar[Audience] = EVERYONE


@frozen
class HandDealt:
    """The hand a seat begins with, or holds after a mulligan."""

    seat: int
    cards: tuple[int, ...]

    @property
    def audience(self) -> Audience:
        """Only who holds it."""
        return Only(self.seat)


@frozen
class HandRedrawn:
    """A seat has shuffled its hand back and holds ``count`` new cards."""

    seat: int
    count: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class HandKept:
    """A seat has accepted its hand."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class CastlesShown:
    """Both hands are accepted: the castles are face up, by seat."""

    castles: Pair
    healths: Pair
    hands: Pair
    audience: ClassVar[Audience] = EVERYONE


@frozen
class TurnBegan:
    """A turn has begun; ``number`` counts from 1, and the first has no draw."""

    number: int
    seat: int
    draws: bool
    audience: ClassVar[Audience] = EVERYONE


# -- actions and their answers --------------------------------------------------------


@frozen
class Announced:
    """A player does something, and it is held until nobody answers any more.

    ``source`` is where the card lies, ``target`` where it will lie or whom it attacks, ``paid`` what is given
    up for it, ``health`` what its owner's castle loses for it, ``ability`` the place on the card's face.
    """

    number: int
    seat: int
    doing: Doing
    card: int | None = None
    source: Spot | None = None
    target: Spot | None = None
    ability: int | None = None
    paid: Spots = ()
    health: int = 0
    only: int | None = None
    but: int | None = None

    @property
    def audience(self) -> Audience:
        """Everyone; a trickster set is named to its owner only."""
        return told_to(self.only, self.but)


@frozen
class AnswerAwaited:
    """``seat`` may now answer the action ``number``, or allow it."""

    seat: int
    number: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Answered:
    """A player answers the action ``answers`` with a trickster, or with the ability of a card."""

    number: int
    seat: int
    answers: int
    card: int
    source: Spot
    ability: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Allowed:
    """A player has nothing (more) to answer."""

    seat: int
    number: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class ActionOver:
    """An action or an answer has been carried out, or will not be."""

    number: int
    seat: int
    result: Result
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Asked:
    """A player is asked to choose; ``moves`` are the choices, ``card`` at ``source`` is why.

    ``about`` is the card that will be destroyed unless it is saved.
    """

    seat: int
    why: Asking
    card: int
    source: Spot | None
    about: Spot | None
    moves: tuple[Reply, ...]

    @property
    def audience(self) -> Audience:
        """Only who is asked: what can be chosen may be a secret."""
        return Only(self.seat)


@frozen
class ChoiceAwaited:
    """A player is asked to choose."""

    seat: int
    why: Asking
    card: int
    source: Spot | None
    about: Spot | None

    @property
    def audience(self) -> Audience:
        """All that are not asked."""
        return AllBut(self.seat)


@frozen
class Declined:
    """A player has said no, or that enough is chosen."""

    seat: int
    card: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Skipped:
    """A part of what a card does had nothing to do: no target, no card, no slot."""

    seat: int
    card: int
    op: str
    audience: ClassVar[Audience] = EVERYONE


@frozen
class TimedOut:
    """A player took too long; what the rules do then follows."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


EVENTS: tuple[type[Event], ...] = (
    RoundBegan,
    RoundOver,
    DuelBegan,
    HandDealt,
    HandRedrawn,
    HandKept,
    CastlesShown,
    TurnBegan,
    Announced,
    AnswerAwaited,
    Answered,
    Allowed,
    ActionOver,
    Asked,
    ChoiceAwaited,
    Declined,
    Skipped,
    TimedOut,
    card_events.Drew,
    card_events.Fetched,
    card_events.Overflowed,
    card_events.Shuffled,
    card_events.Discarded,
    card_events.Revealed,
    card_events.Inspected,
    card_events.PutDown,
    card_events.Entered,
    card_events.Destroyed,
    card_events.Spent,
    card_events.Saved,
    card_events.Shielded,
    card_events.Stunned,
    card_events.StunEnded,
    card_events.Levelled,
    card_events.PointsChanged,
    card_events.AttacksGranted,
    card_events.CostReduced,
    card_events.ControlChanged,
    card_events.Scheduled,
    card_events.Redirected,
    card_events.Fought,
    card_events.CastleChanged,
    card_events.DuelLost,
)
