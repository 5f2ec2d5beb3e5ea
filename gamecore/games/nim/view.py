"""What a seat, or a watcher, may know of a game of Expanding Nim: everything."""

from __future__ import annotations

from attrs import frozen

from gamecore.games.nim.events import Board, Faulted, Taken
from gamecore.games.nim.options import NimOptions
from gamecore.games.nim.round import RoundCore
from gamecore.rules import View


@frozen
class NimView(View):
    """The whole game: nothing is hidden in Nim.

    ``since`` is the table time at which the think under way began; ``stored`` the maximum that comes
    back after a reset; ``last`` the event that led here, if any.
    """

    options: NimOptions
    board: Board
    mover: int | None
    since: float
    stored: int | None
    last: Taken | Faulted | None


def view_of(core: RoundCore) -> NimView:
    """Show the whole table; the same for everybody."""
    mover = core.turn if core.to_move else None
    return NimView(core.options, core.board(), mover, core.since, core.stored, core.last)
