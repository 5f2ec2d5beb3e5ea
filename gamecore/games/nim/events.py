"""What happens in a game of Expanding Nim; nothing of it is a secret."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from gamecore.events import EVERYONE, Audience
from gamecore.games.nim.options import NimOptions

Pair = tuple[int, int]
Times = tuple[float, float]


@frozen
class Board:
    """What everybody can see on the table; pairs are by seat, ``used`` in seconds."""

    left: int
    limit: int
    resets: Pair
    used: Times


@frozen
class PileSet:
    """The stones are on the table; seat 0 is to move."""

    options: NimOptions
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Taken:
    """A legal take; ``stones`` as asked for, ``won`` if it was the last."""

    seat: int
    stones: int
    reset: bool
    board: Board
    won: bool
    audience: ClassVar[Audience] = EVERYONE


@frozen
class Faulted:
    """``seat`` has lost: ``fault`` is ``time``, ``turn``, ``take``, ``reset`` or how they went."""

    seat: int
    fault: str
    stones: int
    reset: bool
    board: Board
    audience: ClassVar[Audience] = EVERYONE
