"""An opponent at Rikiki that counts: which cards are still out, and how likely each of its own is to win.

It bids what its hand is worth, card by card, and then plays to take exactly that: the cheapest card that should
win while it wants tricks, and the most dangerous card that should lose once it wants none.  It knows what it has
seen and no more, and it keeps nothing in mind between two decisions: all of it is in the View.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import exp, tanh

from attrs import define

from gamecore.bots import Bot
from gamecore.cards import PACK, Card
from gamecore.games.rikiki import Bid, PlayCard, RikikiView
from gamecore.rules import Chance, Move, View

_LIKELY = 0.7  # as good as won
_UNLIKELY = 0.25  # as good as lost
_A_LEAD = 20.0  # points that are three quarters of the way to a sure win
_SPARED = 0.6  # how readily others keep a card that would win
_RUFFS = 0.6  # how readily others trump where they are void


@define(slots=False)
class CardCount:
    """What follows from counting the cards of one View."""

    view: RikikiView

    @cached_property
    def unseen(self) -> Sequence[Card]:
        """The cards that are in other hands, or were not dealt."""
        view = self.view
        laid = [each.card for trick in view.tricks for each in trick.cards]
        known = {view.turned, *view.hand, *laid, *(each.card for each in view.table)}
        return [card for card in PACK if card not in known]

    @cached_property
    def dealt(self) -> float:
        """How likely an unseen card is to be in somebody's hand."""
        held = sum(self.view.held) - len(self.view.hand)
        return min(1.0, held / len(self.unseen)) if self.unseen else 0.0

    def stands(self, card: Card) -> float:
        """Estimate how likely a card is to take a trick in which its suit is led."""
        suit = [each for each in self.unseen if each.suit == card.suit]
        if not suit:
            return self._unruffed(card)
        others = len(self.view.held) - 1
        higher = sum(each.high > card.high for each in suit)
        none_higher = (1 - self.dealt / others) ** higher  # in one other hand
        spared = none_higher + (1 - none_higher) * (1 - higher / len(suit)) * _SPARED
        return float(spared**others) * self._unruffed(card)

    def _unruffed(self, card: Card) -> float:
        """Estimate how likely it is that nobody trumps a card where its suit is led."""
        trump, others = self.view.trump, len(self.view.held) - 1
        if trump is None or card.suit == trump:
            return 1.0
        if not any(each.suit == trump for each in self.unseen):
            return 1.0
        left = sum(each.suit == card.suit for each in self.unseen) * self.dealt / others
        trumps = sum(each.suit == trump for each in self.unseen) * self.dealt / others
        return float((1 - exp(-left) * (1 - exp(-trumps)) * _RUFFS) ** others)

    def worth(self, card: Card) -> float:
        """Estimate how likely a card of the hand is to take a trick at some time."""
        view = self.view
        if card.suit == view.trump:
            return self.stands(card)
        leads = view.turn == view.order[0] and not view.tricks
        chance = 1.0 if leads and view.cards == 1 else min(1.0, 0.3 + view.cards / 8)
        return self.stands(card) * chance

    def wins(self, card: Card) -> float:
        """Estimate how likely a card is to take the trick under way, or the one it leads."""
        view = self.view
        if view.led is None:
            return self.stands(card)
        rank = self._rank(card)
        if rank < max(self._rank(laid.card) for laid in view.table):
            return 0.0
        to_come = len(view.held) - len(view.table) - 1
        better = sum(self._rank(each) > rank for each in self.unseen)
        share = self.dealt * to_come / (len(view.held) - 1)
        return float((1 - share) ** better) if to_come else 1.0

    def _rank(self, card: Card) -> tuple[bool, int]:
        """Rank a card within the trick under way, where what neither follows nor trumps is nothing."""
        led, trump = self.view.led, self.view.trump
        fits = led is None or card.suit in (led.suit, trump)
        return card.suit == trump, card.high if fits else 0


class CountingBot(Bot):
    """Bids what it counts, and plays to take no trick more or less."""

    rounds_ahead = 1
    costly = True

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Pick the bid nearest to what the hand is worth, or the card that serves the bid."""
        if not isinstance(view, RikikiView):
            return chance.choice(moves)
        count = CardCount(view)
        bids = [move for move in moves if isinstance(move, Bid)]
        if bids:
            worth = sum(map(count.worth, view.hand))
            return min(bids, key=lambda bid: abs(bid.tricks - worth))
        cards = [move for move in moves if isinstance(move, PlayCard)]
        return _choose_card(count, cards) if cards else moves[0]

    def outlook(self, view: View) -> float:
        """Judge by how far the seat is ahead of the others, or behind them."""
        assert isinstance(view, RikikiView) and view.seat is not None
        mine, others = view.totals[view.seat], sum(view.totals) - view.totals[view.seat]
        return 0.5 + 0.5 * tanh((mine - others / max(1, len(view.totals) - 1)) / _A_LEAD)


def _choose_card(count: CardCount, moves: Sequence[PlayCard]) -> PlayCard:
    view = count.view
    seat = view.turn or 0
    missing = (view.bids[seat] or 0) - view.won[seat]
    if missing <= 0:
        return _lose(count, moves)
    return _win(count, moves, all_of_them=missing >= len(view.hand))


def _win(count: CardCount, moves: Sequence[PlayCard], all_of_them: bool) -> PlayCard:
    """Take the trick as cheaply as it can be; if it cannot, throw what is worth least."""
    likely = [move for move in moves if count.wins(move.card) >= _LIKELY]
    if likely and not all_of_them:
        return min(likely, key=lambda move: count.worth(move.card))
    best = max(moves, key=lambda move: count.wins(move.card))
    if all_of_them or count.wins(best.card) >= _UNLIKELY:
        return best
    return min(moves, key=lambda move: count.worth(move.card))


def _lose(count: CardCount, moves: Sequence[PlayCard]) -> PlayCard:
    """Get rid of the most dangerous card that should not take the trick."""
    unlikely = [move for move in moves if count.wins(move.card) <= _UNLIKELY]
    if unlikely:
        return max(unlikely, key=lambda move: count.worth(move.card))
    least = min(count.wins(move.card) for move in moves)
    if least >= 1.0:  # it is taken whatever is played: then with the highest
        return max(moves, key=lambda move: count.worth(move.card))
    return min(moves, key=lambda move: count.wins(move.card))


LEVELS: Mapping[str, Bot] = {"counting": CountingBot()}
