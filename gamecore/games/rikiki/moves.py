"""What a player of Rikiki may want to do, beside going on to the next round."""

from __future__ import annotations

from attrs import frozen

from gamecore.cards import PACK, Card
from gamecore.games.rikiki.options import MOST_CARDS
from gamecore.rules import Move, OrganizerMove


@frozen
class Bid(Move):
    """Say how many tricks you will take."""

    tricks: int


@frozen
class PlayCard(Move):
    """Play a card of your hand."""

    card: Card


@frozen
class ChooseCards(OrganizerMove):
    """Say between rounds how many cards the next one deals to each."""

    cards: int


BIDS = tuple(Bid(tricks) for tricks in range(MOST_CARDS + 1))  # these are listed at every turn
PLAYS = {card: PlayCard(card) for card in PACK}
