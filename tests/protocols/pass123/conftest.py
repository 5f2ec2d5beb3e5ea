"""A door of 1-2-3 Pass where the cards are stacked, and clients of both kinds."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore import commands
from gamecore.cards import read_card
from gamecore.events import RoundBegan
from gamecore.games.pass123 import Begun, Dealt, PassPosition, PassRules, begin_with
from gamecore.hall import Hall
from gamecore.rules import Registry
from gamecore.table import Table
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.pass123.server import DOOR, PassFactory

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


class Peer(StringTransport):
    """The far end of one connection; it knows when each write came."""

    write_ended = False

    def __init__(self, clock, factory):
        super().__init__()
        self.clock = clock
        self.writes = []
        self.seen = 0
        self.link = self.protocol = factory.buildProtocol(None)
        self.link.makeConnection(self)

    def write(self, data):
        super().write(data)
        self.writes.append((self.clock.seconds(), data.decode()))

    def loseWriteConnection(self):
        self.write_ended = True

    @property
    def closed(self):
        """Whether the server has closed this link."""
        return self.write_ended or self.disconnecting or self.disconnected

    def say(self, text):
        """Send text as it is."""
        self.link.dataReceived(text.encode())

    def news(self):
        """Give the texts that have come since the last time, one for each write."""
        found = [text for _, text in self.writes[self.seen :]]
        self.seen = len(self.writes)
        return found

    def hang_up(self):
        """Be gone altogether."""
        if self.link.connected:
            self.link.connectionLost(Failure(ConnectionDone()))


class PassDoor:
    """A whole daemon with the door of 1-2-3 Pass; leaving it checks that nothing is left behind."""

    def __init__(self, hands=SETS, most=100_000, journal=MemoryJournal, **given):
        self.clock = Clock()
        self.journal = journal(self.clock)
        self.rules = Stacked(hands)
        self.hall = Hall(Registry([self.rules]), most)
        self.host = Host(self.hall, self.journal, self.clock, lambda: 1e9, Random(1))
        self.factory = PassFactory(
            self.host, read_defaults(self.rules, DOOR, {"players": len(hands), **given})
        )
        self.peers = []

    def connect(self, line=False):
        """Let somebody connect; a line client says so with an empty line."""
        peer = Peer(self.clock, self.factory)
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

    def settle(self):
        """Let everything happen that needs no time."""
        self.clock.advance(0)

    def pass_time(self, seconds, step=0.05):
        """Let time go by in small steps, as a reactor's does."""
        for _ in range(max(1, round(seconds / step))):
            self.clock.advance(step)

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

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            for peer in self.peers:
                peer.hang_up()
            self.clock.pump([0.1] * 10)
            self.clock.pump([100.0] * 40)
            assert self.clock.getDelayedCalls() == [], "a timer outlived its connection"
            assert len(self.hall) == 0, "a table outlived its players"
            assert self.journal._lines == {}, "the journal was not told that a table ended"
            assert self.factory.links == set()


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
