"""The constant facts of Rikiki, and how a game begins."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.cards import PACK
from gamecore.events import Emit, Event, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.rikiki.events import (
    Asked,
    Awaited,
    BidPlaced,
    CardPlayed,
    CardsChosen,
    Dealt,
    HandDealt,
    RoundScored,
    TrickTaken,
    TrumpTurned,
)
from gamecore.games.rikiki.game import RikikiCore
from gamecore.games.rikiki.moves import Bid, ChooseCards, PlayCard
from gamecore.games.rikiki.options import MOST_PLAYERS, RikikiOptions, hand_sizes, most_cards
from gamecore.games.rikiki.position import RikikiPosition
from gamecore.games.rikiki.round import RoundMachine
from gamecore.rules import Move, NextRound, Seat


class RikikiRules:
    """Rikiki for as many as two cards each go round."""

    kind = "rikiki"
    title = "Rikiki"
    version = 2
    earlier: Sequence[RikikiRules] = ()
    seats = range(2, MOST_PLAYERS + 1)
    options = RikikiOptions
    brings = None
    moves: Sequence[type[Move]] = (Bid, PlayCard, NextRound, ChooseCards)
    events: Sequence[type[Event]] = (
        RoundBegan,
        Dealt,
        HandDealt,
        TrumpTurned,
        Awaited,
        Asked,
        BidPlaced,
        CardPlayed,
        TrickTaken,
        RoundScored,
        CardsChosen,
        RoundOver,
    )

    def begin(
        self, seats: Sequence[Seat], options: RikikiOptions, deal: Deal, emit: Emit, now: float
    ) -> RikikiPosition:
        """Deal the first round; seat 0 bids first."""
        players = len(seats)
        most = self.most_cards(players, options)
        game = RikikiCore(options, players, deal, emit, hand_sizes(players, options), most)
        game.totals = [0] * players
        core = game.next_round()
        position = RikikiPosition(game, core, RoundMachine(core))
        position.show_deal(now)
        return position

    def most_cards(self, players: int, options: RikikiOptions) -> int:
        """Say how many cards may be chosen for a round at most."""
        return most_cards(players, options)


class FirstRikikiRules(RikikiRules):
    """Those of version 1, in which more cards could be chosen for a round than the table deals in any hand."""

    version = 1

    def most_cards(self, players: int, options: RikikiOptions) -> int:
        """Say how far the pack goes."""
        return len(PACK) // players


RULES = RikikiRules()
RULES.earlier = [FirstRikikiRules()]
