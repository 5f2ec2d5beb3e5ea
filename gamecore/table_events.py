"""What happens at a table whatever the game: people coming and going, games beginning and ending."""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from gamecore.events import EVERYONE, Audience
from gamecore.rules import Outcome


@frozen
class Sat:
    """Somebody has taken a seat; ``level`` is set for a bot."""

    seat: int
    name: str
    level: str | None
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Invited:
    """A seat is kept for somebody."""

    seat: int
    name: str
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Mixed:
    """A player has added words to the shuffle to come."""

    seat: int
    words: str
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Left:
    """A player is gone for good."""

    seat: int
    name: str
    why: str
    audience: ClassVar[Audience] = EVERYONE


@frozen
class GameBegan:
    """A game has begun; ``names`` by seat, in the order in which they will play it."""

    number: int
    names: tuple[str, ...]
    audience: ClassVar[Audience] = EVERYONE


@frozen
class GameOver:
    """A game has its outcome."""

    number: int
    outcome: Outcome
    audience: ClassVar[Audience] = EVERYONE


@frozen
class SeedRevealed:
    """What the deal was made from, so that anyone can check it (see ``fairness``)."""

    number: int
    seed: str = field(repr=False)
    words: tuple[str, ...] = ()
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Dropped:
    """A player's link is lost; the seat is held for ``grace`` seconds."""

    seat: int
    grace: float
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Waiting:
    """The grace period is over, and the table waits for the player with that player's clock standing."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Returned:
    """A player is back."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Replaced:
    """A bot has taken over a seat."""

    seat: int
    name: str
    level: str
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Gathered:
    """The same people gather for another game; ``names`` by their new seats."""

    number: int
    names: tuple[str, ...]
    commitment: str
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Agreed:
    """A player agrees to the game that the same people gather for."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Abandoned:
    """Nobody will finish the game of this table."""

    why: str
    audience: ClassVar[Audience] = EVERYONE


TABLE_EVENTS = (
    Sat,
    Invited,
    Mixed,
    Left,
    GameBegan,
    GameOver,
    SeedRevealed,
    Dropped,
    Waiting,
    Returned,
    Replaced,
    Gathered,
    Agreed,
    Abandoned,
)
