"""What one seat, or a watcher, may know of a table whatever its game."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from attrs import frozen

from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.rules import Move, View
from gamecore.settings import Value


@frozen
class SeatView:
    """One seat as anybody may see it; ``level`` is set for a bot."""

    seat: int
    name: str
    presence: Presence
    level: str | None


@frozen
class Invitation:
    """A seat that is kept for somebody who has not come yet."""

    seat: int
    name: str


@frozen
class TableView:
    """All that one player, or a watcher, may know of a table at the table time ``at``.

    ``seat`` is the viewer's own, None for a watcher; ``told`` is how many events the viewer's stream has
    had; ``most_players`` is how many seats there are; ``due`` gives table times; ``board`` is the game's own
    View, None before the first game; ``hints`` says whether who plays here may ask what to play; ``unrated`` says
    why the game that is played or over is not rated (see ``rated``), None where it is, or may come to be;
    ``played`` is how many moves the viewer has made in this game, 0 for a watcher.
    """

    code: str
    kind: str
    name: str
    stage: Stage
    number: int
    options: Mapping[str, Value]
    commitment: str
    most_players: int
    seats: tuple[SeatView, ...]
    invited: tuple[Invitation, ...]
    names: tuple[str, ...]
    seat: int | None
    told: int
    at: float
    to_move: frozenset[int]
    due: Mapping[int, float]
    board: View | None
    hints: bool = False
    unrated: str | None = None
    played: int = 0


class Detail(Enum):
    """How much of the table comes with a :class:`Turn`: no more than its reader draws from."""

    MOVES = "moves"
    OWN_BOARD = "own board"  # the board as well, for the seat whose decision is awaited
    BOARD = "board"  # the board, whoever is awaited
    VIEW = "view"  # all that the seat may know

    __hash__ = object.__hash__  # one of each: a key by what it is, asked for with every move


@frozen
class Turn:
    """Whose decision is awaited at the table time ``at``, and until when (``due``, in table time).

    ``moves`` are the legal ones of the seat it was made for, none unless its decision is awaited. The game's
    View for that seat, ``board``, and the whole ``view`` are there as far as the :class:`Detail` asked for.
    """

    at: float
    to_move: frozenset[int]
    due: Mapping[int, float]
    moves: tuple[Move, ...]
    board: View | None = None
    view: TableView | None = None
