"""A door of 1-2-3 Pass where the cards are stacked, and clients of both kinds."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.cards import read_card
from gamecore.events import RoundBegan
from gamecore.games.pass123 import Begun, Dealt, PassPosition, PassRules, begin_with
from gamecore.table import Table
from protocols.journal.memory import MemoryJournal
from protocols.pass123.server import DOOR
from protocols.testing import House, Peer

SETS = ("QH QS QD 4C", "4H 4S 4D 7C", "7H 7S 7D AC", "AH AS AD QC")


def cards(hand):
    return tuple(map(read_card, hand.split()))


class Stacked(PassRules):
    """The rules with the hands that a test wants; of four lists of cards for two players, two are dealt."""

    def __init__(self, hands):
        self.hands = tuple(map(cards, hands))

    def begin(self, seats, options, deal, emit, now):
        dealt = self.hands[: len(seats)]
        emit(RoundBegan(1))
        emit(Begun(len(dealt), options))
        for seat, hand in enumerate(dealt):
            emit(Dealt(seat, hand, len(dealt)))
        return PassPosition(begin_with(dealt, options, emit, now))


class PassPeer(Peer):
    """The far end of one connection."""

    def __init__(self, door):
        super().__init__(door.clock, door.factory, None)
        self.seen = 0

    def say(self, text):
        """Send text as it is."""
        super().say(text.encode())

    def news(self):
        """Give the texts that have come since the last time, one for each write."""
        found = [text for _, text in self.texts[self.seen :]]
        self.seen = len(self.writes)
        return found

    @property
    def texts(self):
        """All that was written, one text a write, and when."""
        return [(at, data.decode()) for at, data in self.writes]


class PassDoor(House):
    """A whole daemon with the door of 1-2-3 Pass; leaving it checks that nothing is left behind."""

    def __init__(self, hands=SETS, most=100_000, journal=MemoryJournal, **given):
        settings = {"pass123": {"players": len(hands), **given}}
        rules = Stacked(hands)
        super().__init__([rules], [DOOR], most=most, journal=journal, settings=settings)
        self.factory = self.door("pass123")

    def connect(self, line=False):
        """Let somebody connect; a line client says so with an empty line."""
        peer = PassPeer(self)
        self.peers.append(peer)
        if line:
            peer.say("\n")
        return peer

    def company(self, *lines):
        """Seat several clients, by whether each reads lines, and let their game begin."""
        company = []
        for line in lines:
            company.append(self.connect(line))
            self.pass_time(0.3)
        self.pass_time(0.3)
        return company

    def say(self, peer, text, seconds=1.0):
        """Let a client send a code, and time go by; give what it is sent."""
        peer.say(text)
        self.pass_time(seconds)
        return peer.news()

    @property
    def table(self):
        """The only table there is."""
        (table,) = (
            self.host.directory.joinable()
            if not self.host.service.live
            else [live.table for live in self.host.service.live]
        )
        return table


@pytest.fixture(scope="session")
def pass_door():
    """Give ``pass_door(hands, **settings)``, a door for as long as a ``with`` lasts."""
    return PassDoor


@pytest.fixture(scope="session")
def board():
    """Give ``board(number, places, hand)``: the bytes of a board, written out here once more."""

    def draw(number, places, hand):
        players = "".join(f"P{each}\t" for each in range(1, len(places) + 1))
        shown = "".join(f"{each}\t" for each in places)
        held = "".join(f"{each}\t" for each in hand.split())
        stars, line = "*" * 39, "-" * 39
        return f"{stars}\n{players}\n{shown}\n{line}\nYou are P{number}\n{line}\n{held}\n{stars}\n"

    return draw


@pytest.fixture
def begun_table():
    """Give ``begun_table(hands)``: a table where wren, robin and finch play."""

    def begin(hands):
        rules = Stacked(hands)
        opened = commands.Open(
            "TABLE", "pass123", 1, 1, 1, "", "5e" * 32, {"players": len(hands)}, {}
        )
        table = Table(opened, rules)
        for seat, name in enumerate(("wren", "robin", "finch")[: len(hands)]):
            table.apply(commands.Sit(seat, name), 0.0)
        return table

    return begin
