"""Who plays 1-2-3 Pass for an empty chair: collects the rank it has most of, and is as quick as people are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from gamecore.bots import Bot
from gamecore.cards import Card
from gamecore.games.pass123 import Finish, Pass, PassView, Tap
from gamecore.rules import Chance, Move, View

_WHIM = 0.05  # how often it breaks up what may be two players waiting for each other's cards
_QUICKEST = 0.35
_SLOWEST = 6.0


class CollectorBot(Bot):
    """Keeps the rank it has most of, passes what is least use for that, and finishes as soon as it can."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Finish or tap if that is possible; pass a card of the rank it has fewest of."""
        passes = [move.card for move in moves if isinstance(move, Pass)]
        if not passes or any(isinstance(move, Finish) for move in moves):
            return moves[0]
        return Pass(_least_useful(cast(PassView, view), passes, chance))

    def hesitate(self, view: View, moves: Sequence[Move], chance: Chance) -> float:
        """Take some seconds to choose a card; be quick, as all are, once it is a race."""
        race = any(isinstance(move, Tap | Finish) for move in moves)
        seconds = chance.lognormvariate(-0.2, 0.4) if race else chance.lognormvariate(0.5, 0.4)
        return min(max(seconds, _QUICKEST), _SLOWEST)


def _least_useful(view: PassView, hand: Sequence[Card], chance: Chance) -> Card:
    """Choose among the ranks it has fewest of, those it has passed on before first: they are gone."""
    held = Counter(card.rank for card in hand)
    most = max(held.values())
    spare = [card for card in hand if held[card.rank] < most] or list(hand)
    if chance.random() < _WHIM:
        return chance.choice(spare)
    gone = Counter(each.card.rank for each in view.away)
    worth = {card: (held[card.rank], -gone[card.rank], chance.random()) for card in spare}
    return min(spare, key=worth.__getitem__)


LEVELS: Mapping[str, Bot] = {"collector": CollectorBot()}
