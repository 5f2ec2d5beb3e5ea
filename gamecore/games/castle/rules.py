"""The constant facts of Castle Wars, and how a game begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.errors import Refused
from gamecore.events import Emit, Event, RoundBegan
from gamecore.fairness import Deal
from gamecore.games.castle import (
    abilities,
    answering,
    castles,
    dealing,
    destroying,
    discarding,
    entering,
    targeting,
    turns,
)
from gamecore.games.castle.core import Piece, RoundCore, Side
from gamecore.games.castle.decks import SAMPLE_DECKS, Deck
from gamecore.games.castle.events import EVENTS, DuelBegan
from gamecore.games.castle.moves import MOVES
from gamecore.games.castle.options import CastleOptions
from gamecore.games.castle.position import CastlePosition
from gamecore.games.castle.round import deal_hand, tell_hand
from gamecore.rules import Move, Seat

# The modules that tell the engine how their steps are done.
PARTS = (abilities, answering, castles, dealing, destroying, discarding, entering, targeting, turns)
_CARDS = 100  # more than a side has, so that each card has a number of its own


class CastleRules:
    """Castle Wars for two, each with a deck of its own."""

    kind = "castle"
    title = "Castle Wars"
    version = 3
    stun_silences = True  # a mage that rises while it is stunned
    tells_of_no_stun = True  # where no card that is picked can be stunned
    earlier: Sequence[CastleRules] = ()
    seats = range(2, 3)
    options = CastleOptions
    brings = Deck
    samples: Mapping[str, Deck] = SAMPLE_DECKS
    moves: Sequence[type[Move]] = MOVES
    events: Sequence[type[Event]] = EVENTS

    def begin(
        self, seats: Sequence[Seat], options: CastleOptions, deal: Deal, emit: Emit, now: float
    ) -> CastlePosition:
        """Shuffle both decks, roll for the first turn and deal six cards each; raises Refused ``must-bring``."""
        one, two = (_side(at, seat.brought) for at, seat in enumerate(seats))
        first = deal.shuffle("first", (0, 1))[0] if options.begins == "random" else 0
        core = RoundCore(
            options, deal, emit, (one, two), first, first, self.stun_silences, self.tells_of_no_stun
        )
        for seat in (0, 1):
            deal_hand(core, seat)
            core.ends[seat] = now + options.response_seconds
        emit(RoundBegan(1))
        decks, hands = (len(one.deck), len(two.deck)), (len(one.hand), len(two.hand))
        emit(DuelBegan(options, first, decks, hands))
        for seat in (0, 1):
            tell_hand(core, seat)
        return CastlePosition(core)


def _side(seat: int, brought: object) -> Side:
    if not isinstance(brought, Deck):
        raise Refused("must-bring")
    uids = range(seat * _CARDS + 1, (seat + 1) * _CARDS)
    deck = [Piece(uid, card, seat) for uid, card in zip(uids, brought.cards, strict=False)]
    castle = Piece(seat * _CARDS, brought.castle, seat)
    return Side(seat, castle, deck, castle.definition.health)


class SecondCastleRules(CastleRules):
    """Those of version 2, in which nothing was told of a stun that stunned nobody."""

    version = 2
    tells_of_no_stun = False


class FirstCastleRules(SecondCastleRules):
    """Those of version 1, in which a stunned mage that rose used the ability of its new level."""

    version = 1
    stun_silences = False


RULES = CastleRules()
RULES.earlier = [FirstCastleRules(), SecondCastleRules()]
