"""The rules of bidding and of tricks, as functions of values."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.cards import Card
from gamecore.games.rikiki.options import RikikiOptions


def playable(hand: Sequence[Card], led: Card | None) -> list[Card]:
    """List the cards of a hand that may be played: the suit that was led, if there is any of it."""
    following = [card for card in hand if led is not None and card.suit == led.suit]
    return following or list(hand)


def best(cards: Sequence[Card], trump: str | None) -> int:
    """Say which card of a trick wins: the highest trump, else the highest of the suit that was led."""
    led = cards[0].suit

    def rank(index: int) -> tuple[bool, bool, int]:
        card = cards[index]
        return card.suit == trump, card.suit == led, card.high

    return max(range(len(cards)), key=rank)


def barred_bid(cards: int, bids: Sequence[int], players: int, options: RikikiOptions) -> int | None:
    """Name the one bid that the next bidder may not make, if the hook bars one."""
    hooked = options.hook == "last" or (options.hook == "last-over" and cards > options.hook_over)
    left = cards - sum(bids)
    return left if hooked and len(bids) == players - 1 and left >= 0 else None


def allowed_bids(
    cards: int, bids: Sequence[int], players: int, options: RikikiOptions
) -> list[int]:
    """List the bids that the next bidder may make, after those that were made before."""
    barred = barred_bid(cards, bids, players, options)
    return [bid for bid in range(cards + 1) if bid != barred]
