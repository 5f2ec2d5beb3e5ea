"""What a player of GOPS may want to do."""

from __future__ import annotations

from attrs import frozen

from gamecore.games.gops.options import MOST_CARDS
from gamecore.rules import Move


@frozen
class Bid(Move):
    """Lay a card face down: 1 is the ace, 11 to 13 are jack, queen and king."""

    card: int


BIDS = tuple(Bid(card) for card in range(MOST_CARDS + 1))  # by card: they are listed at every turn
