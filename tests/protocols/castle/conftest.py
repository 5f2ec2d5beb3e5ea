"""A door of Castle Wars where the decks are stacked, and clients of both kinds."""

from __future__ import annotations

import pytest

from gamecore.games.castle import CARDS, SAMPLE_DECKS
from gamecore.games.castle.rules import CastleRules
from protocols.castle.server import DOOR
from protocols.castle.wire import MessageReader, read, write_request
from protocols.journal.memory import MemoryJournal
from protocols.testing import House, Peer

IDS = {card.key: card.id for card in CARDS}
USUAL = {
    "PASSWORD": "",
    "EXTENSIONS": False,
}  # who says nothing of extensions is an original client
CLASSIC = SAMPLE_DECKS["classic"]
DECK = [*CLASSIC.cards, CLASSIC.castle]


def deck_with(*keys, castle="stonehill_keep"):
    """Build a deck that holds some cards, filled up with others."""
    cards = [IDS[key] for key in keys]
    for card in CARDS[10:]:
        while len(cards) < 50 and card.type != "castle" and cards.count(card.id) < card.limit:
            cards.append(card.id)
    assert len(cards) == 50
    return [*cards, IDS[castle]]


class StackedDeal:
    """Shuffles so that the cards a test wants come first, each time those of the next list."""

    def __init__(self, deal, tops):
        self.deal = deal
        self.tops = {f"deck-{seat}": list(lists) for seat, lists in enumerate(tops)}

    def __getattr__(self, name):
        return getattr(self.deal, name)

    def __deepcopy__(self, memo):
        return self

    def shuffle(self, label, things):
        lists = self.tops.get(label)
        if lists is None:
            return self.deal.shuffle(label, things)
        wanted = lists.pop(0) if len(lists) > 1 else lists[0]
        rest, first = list(things), []
        for key in wanted:
            found = next((each for each in rest if each.card == IDS[key]), None)
            if found is not None:
                rest.remove(found)
                first.append(found)
        return [*rest, *reversed(first)]


class Stacked(CastleRules):
    """The rules with the decks that a test wants: for each seat lists of keys, one for each shuffle."""

    def __init__(self, *tops):
        self.tops = tops or ([[]], [[]])

    def begin(self, seats, options, deal, emit, now):
        return super().begin(seats, options, StackedDeal(deal, self.tops), emit, now)


class CastlePeer(Peer):
    """The far end of one connection."""

    settles = True

    def put(self, command, **fields):
        """Send an object, and give the objects that came since the last time."""
        self.say(write_request(command, **fields))
        return self.news()

    def type(self, line):
        """Type a line, and give the lines that came since the last time."""
        self.say(line.encode() + b"\n")
        return self.lines()

    def lines(self):
        return self.fresh().decode().splitlines()

    def news(self):
        """Give the objects that came since the last time."""
        return [read(line) for line in self.lines()]

    def objects(self):
        """Give all the objects that ever came."""
        return list(MessageReader().feed(self.value()))


class CastleDoor(House):
    """A whole daemon with the door of Castle Wars; leaving it checks that nothing is left behind."""

    def __init__(self, *tops, journal=MemoryJournal, **given):
        settings = {"castle": {"begins": "first-seat", **given}}
        super().__init__([Stacked(*tops)], [DOOR], journal=journal, settings=settings)
        self.factory = self.door("castle")

    def connect(self):
        """Let somebody connect."""
        self.peers.append(CastlePeer(self.clock, self.factory))
        return self.peers[-1]

    def join(self, name, deck=DECK, **more):
        """Let somebody connect and join."""
        peer = self.connect()
        peer.put("JOIN_GAME", USERNAME=name, DECK_DATA=deck, **{**USUAL, **more})
        return peer

    def pair(self, decks=(DECK, DECK), keep=True, **more):
        """Seat red and blue; with ``keep`` they accept their hands, and nothing of all that is news."""
        pair = [
            self.join(name, deck, **more) for name, deck in zip(("red", "blue"), decks, strict=True)
        ]
        if keep:
            for peer in pair:
                peer.put("GAME_START_ACCEPT")
            for peer in pair:
                peer.news()
        return pair


@pytest.fixture(scope="session")
def castle_door():
    """Give ``castle_door(lists0, lists1, **settings)``, a door for as long as a ``with`` lasts."""
    return CastleDoor


@pytest.fixture(scope="session")
def deck():
    """Give ``deck(*keys, castle=...)``: the numbers of a deck with some cards in it."""
    return deck_with


@pytest.fixture(scope="session")
def ids():
    """Give the number of each card by its key."""
    return IDS
