"""What happens in a game of GOPS; a card that is laid is told to nobody until both are face up."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from gamecore.events import EVERYONE, Audience

Pair = tuple[int, int]
Cards = tuple[int, ...]


@frozen
class PrizeTurned:
    """A prize has been added to the ``pot``; ``hands`` and ``scores`` by seat, as the round begins."""

    number: int
    prize: int
    pot: Cards
    hands: tuple[Cards, Cards]
    scores: Pair
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Laid:
    """``seat`` has laid a card; which one, is told to nobody yet."""

    seat: int
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Revealed:
    """Both cards are face up.

    ``pot`` is what was played for, oldest first, ``prize`` the last of it; ``winner`` is None after equal cards,
    ``scores`` stand as they are now, and ``left`` is what still lies on the table.
    """

    number: int
    prize: int
    pot: Cards
    bids: Pair
    winner: int | None
    scores: Pair
    left: Cards
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Forfeited:
    """The game ends here: ``why`` is ``time`` or how they went; both seats if both let the time run out."""

    seats: tuple[int, ...]
    why: str
    scores: Pair
    audience: ClassVar[Audience] = EVERYONE
