"""A game of Rikiki whose cards the test deals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamecore.cards import PACK, read_card
from gamecore.errors import Refused
from gamecore.fairness import Deal
from gamecore.games.rikiki import RULES, Bid, PlayCard, RikikiOptions
from gamecore.rules import Seat

WIRE = Path(__file__).parents[3] / "wire" / "rikiki"


class Stacked(Deal):
    """A deal whose first packs are given, as far as they matter; what follows is in the order of the pack."""

    __slots__ = ("packs",)

    def __init__(self, *packs):
        super().__init__("00" * 32)
        self.packs = [list(pack) for pack in packs]

    def shuffle(self, label, pack):
        top = self.packs.pop(0) if self.packs else []
        return [*top, *(card for card in pack if card not in top)]


def cards(text):
    """Read cards as people write them: ``AH 10S``."""
    return tuple(map(read_card, text.split()))


class Game:
    """One game: its position, and a list that grows with what happens."""

    def __init__(self, players, *packs, deal=None, **options):
        self.heard = []
        self.now = 0.0
        seats = [Seat(f"player {seat}") for seat in range(players)]
        deal = Stacked(*map(cards, packs)) if deal is None else deal
        settings = RikikiOptions(**options)
        self.position = RULES.begin(seats, settings, deal, self.heard.append, 0.0)

    @property
    def view(self):
        """All that a watcher may know."""
        return self.position.seen_by(None)

    def fresh(self):
        """Give what was heard, and start afresh."""
        heard, self.heard[:] = list(self.heard), []
        return heard

    def do(self, seat, move):
        self.position.play(seat, move, self.now)

    def bid(self, *bids):
        """Bid for whoever is next."""
        for tricks in bids:
            self.do(self.view.turn, Bid(tricks))

    def lay(self, text):
        """Play cards for whoever is next."""
        for card in cards(text):
            self.do(self.view.turn, PlayCard(card))

    def state(self):
        """Give all that can be seen from outside."""
        position = self.position
        seats = range(len(self.view.totals))
        return (
            [position.seen_by(seat) for seat in (None, *seats)],
            [position.legal_moves(seat) for seat in seats],
            position.to_move(),
            dict(position.due()),
            list(self.heard),
        )

    def refusal(self, seat, move):
        """Give the key of a refusal that has changed nothing."""
        before = self.state()
        with pytest.raises(Refused) as refused:
            self.do(seat, move)
        assert self.state() == before
        return refused.value.key

    def play_round(self):
        """Let everybody do the first thing that is legal, to the end of the round."""
        while self.view.phase != "done":
            seat = self.view.turn
            self.do(seat, self.position.legal_moves(seat)[0])


def recorded(name):
    """Read one file of vectors."""
    return [json.loads(line) for line in (WIRE / f"{name}.jsonl").read_text().splitlines()]


@pytest.fixture(scope="session")
def game():
    """Begin a game: ``game(3, "AH 7S 10H ...", scoring="none")``, one text of cards for each pack."""
    return Game


@pytest.fixture(scope="session")
def hand():
    """Read cards: ``hand("AH 10S")``."""
    return cards


@pytest.fixture(scope="session")
def stacked():
    """Make a deal of given packs of cards."""
    return Stacked


@pytest.fixture(scope="session")
def vectors():
    """Read what the original did: ``vectors("tricks")``."""
    return recorded


@pytest.fixture(scope="session")
def numbered():
    """Name a card by its number in the vectors, which is its place in the pack."""
    return PACK.__getitem__
