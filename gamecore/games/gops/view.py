"""What a seat, or a watcher, may know of a game of GOPS."""

from __future__ import annotations

from attrs import frozen

from gamecore.games.gops.events import Cards, Forfeited, Pair, Revealed
from gamecore.games.gops.options import GopsOptions
from gamecore.games.gops.round import RoundCore
from gamecore.rules import View


@frozen
class GopsView(View):
    """All but a card laid face down by somebody else, and the prizes to come.

    ``seat`` is the viewer's and ``own`` the card that it has laid; ``laid`` the seats that have laid one, in
    order; ``shown`` all that was revealed before; ``since`` the table time at which the round began; ``over``
    whether the game is.
    """

    options: GopsOptions
    seat: int | None
    number: int
    pot: Cards
    hands: tuple[Cards, Cards]
    scores: Pair
    laid: tuple[int, ...]
    own: int | None
    shown: tuple[Revealed, ...]
    forfeit: Forfeited | None
    since: float
    over: bool


def view_of(core: RoundCore, seat: int | None) -> GopsView:
    """Show everything but the other's laid card and the prizes to come."""
    return GopsView(
        options=core.options,
        seat=seat,
        number=core.number,
        pot=core.pot,
        hands=core.hands,
        scores=core.scores,
        laid=tuple(sorted(core.laid)),
        own=None if seat is None else core.laid.get(seat),
        shown=core.shown,
        forfeit=core.forfeit,
        since=core.since,
        over=not core.to_move,
    )
