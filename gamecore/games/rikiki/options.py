"""What a table of Rikiki can choose, and the hands that follow from it."""

from __future__ import annotations

from attrs import frozen

from gamecore.cards import PACK
from gamecore.games.rikiki.scoring import SCORINGS
from gamecore.settings import setting

MOST_PLAYERS = 26
MOST_CARDS = len(PACK) // 2


@frozen
class RikikiOptions:
    """The settings of a table of Rikiki."""

    players: int = setting(4, "seats at the table", low=2, high=MOST_PLAYERS)
    first: int = setting(0, "cards in the first hand, 0 for the most", low=0, high=MOST_CARDS)
    max: int = setting(0, "most cards in any hand, 0 for no such limit", low=0, high=MOST_CARDS)
    schedule: str = setting(
        "down",
        "end with one card, or go up again to the first hand",
        choices={"down": "end with one card", "down-up": "go up again"},
    )
    top_trump: str = setting(
        "if-left",
        "trump in the biggest hand: if a card is left to turn, or never",
        choices={"if-left": "if a card is left to turn", "never": "never"},
    )
    hook: str = setting(
        "off",
        "keep the last bidder from making the bids come out: never, always, in bigger hands",
        choices={"off": "never", "last": "always", "last-over": "in bigger hands"},
    )
    hook_over: int = setting(
        3, "hands with more cards than this are bigger hands", low=0, high=MOST_CARDS
    )
    scoring: str = setting("tricks10", "how bids and tricks become points", choices=SCORINGS)
    next: str = setting(
        "anyone",
        "who may begin the next round: anyone, or the player in the first seat",
        choices={"anyone": "anyone", "opener": "the player in the first seat"},
    )
    seconds: int = setting(120, "seconds for each bid and each card", low=1, high=86_400)
    pause: int = setting(60, "seconds until a round begins by itself", low=1, high=86_400)


def most_cards(players: int, options: RikikiOptions) -> int:
    """Say how many cards a round may deal to each at most: as far as the pack goes, and the table's limit."""
    return min(each for each in (len(PACK) // players, options.max) if each)


def largest_hand(players: int, options: RikikiOptions) -> int:
    """Say how many cards the first hand has: as many as asked for, as far as the pack goes."""
    return min(each for each in (most_cards(players, options), options.first) if each)


def hand_sizes(players: int, options: RikikiOptions) -> tuple[int, ...]:
    """List how many cards each round of a game deals to each player."""
    largest = largest_hand(players, options)
    up = range(2, largest + 1) if options.schedule == "down-up" else ()
    return (*range(largest, 0, -1), *up)


def turns_trump(cards: int, players: int, options: RikikiOptions) -> bool:
    """Say whether a card is turned for trump in a round with hands of so many cards."""
    if options.top_trump == "never" and cards >= largest_hand(players, options):
        return False  # more may be chosen for a round
    return cards * players < len(PACK)
