"""The constant facts of GOPS, and how a game begins."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.events import Emit, Event, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.gops.events import Cards, Forfeited, Laid, PrizeTurned, Revealed
from gamecore.games.gops.moves import Bid
from gamecore.games.gops.options import GopsOptions
from gamecore.games.gops.position import GopsPosition
from gamecore.games.gops.round import RoundCore
from gamecore.rules import Move, Seat


class GopsRules:
    """GOPS for two."""

    kind = "gops"
    title = "Game of Pure Strategy"
    version = 1
    seats = range(2, 3)
    options = GopsOptions
    brings = None
    moves: Sequence[type[Move]] = (Bid,)
    events: Sequence[type[Event]] = (
        PrizeTurned,
        Laid,
        Revealed,
        Forfeited,
        RoundBegan,
        RoundOver,
    )

    def begin(
        self, seats: Sequence[Seat], options: GopsOptions, deal: Deal, emit: Emit, now: float
    ) -> GopsPosition:
        """Lay out the prizes, and turn up the first."""
        suit = tuple(range(1, options.cards + 1))
        core = RoundCore(options, emit, _in_order(suit, options.order, deal), (suit, suit))
        position = GopsPosition(core)
        position.begin(now)
        return position


def _in_order(suit: Cards, order: str, deal: Deal) -> Cards:
    match order:
        case "ascending":
            return suit
        case "descending":
            return suit[::-1]
    return tuple(deal.shuffle("prizes", suit))


RULES = GopsRules()
