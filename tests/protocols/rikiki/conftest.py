"""A whole daemon with the door of Rikiki, and people who knock at it; the test may deal."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore.cards import read_card
from gamecore.fairness import Deal
from gamecore.games.rikiki import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.rikiki.server import DOOR, RikikiFactory


class Stacked(Deal):
    """A deal whose first packs are given, as far as they matter."""

    __slots__ = ("packs",)

    def __init__(self, packs):
        super().__init__("00" * 32)
        self.packs = [[read_card(word) for word in pack.split()] for pack in packs]

    def shuffle(self, label, pack):
        top = self.packs.pop(0) if self.packs else []
        return [*top, *(card for card in pack if card not in top)]


class StackedRules:
    """The rules of Rikiki, with the test's deal."""

    def __init__(self, packs):
        self._packs = packs

    def __getattr__(self, name):
        return getattr(RULES, name)

    def begin(self, seats, options, deal, emit, now):
        return RULES.begin(seats, options, Stacked(self._packs), emit, now)


class Person(StringTransport):
    """The far end of one connection."""

    write_ended = False

    def __init__(self, door):
        super().__init__()
        self.door, self.read_to = door, 0
        self.link = self.protocol = door.factory.buildProtocol(None)
        self.link.makeConnection(self)

    def loseWriteConnection(self):
        self.write_ended = True

    @property
    def closed(self):
        """Whether the server has closed this link."""
        return self.write_ended or self.disconnecting or self.disconnected

    def send(self, data):
        """Send bytes as they are, and let everything happen that needs no time."""
        self.link.dataReceived(data)
        self.door.settle()

    def type(self, *lines):
        """Type lines, and give all that is new to read, but for what is for people only."""
        for line in lines:
            self.send(line.encode() + b"\n")
        return self.news()

    def raw(self):
        """Give all lines that are new to read."""
        new, self.read_to = self.value()[self.read_to :], len(self.value())
        assert new == b"" or new.endswith(b"\r\n")
        return new.decode().split("\r\n")[:-1]

    def news(self):
        """Give what is new to read, but for what is for people only."""
        return [line for line in self.raw() if not line.startswith("#")]

    def hang_up(self):
        if self.link.connected:
            self.link.connectionLost(Failure(ConnectionDone()))
        self.door.settle()


class RikikiDoor:
    """A whole daemon with the door of Rikiki; leaving it checks that nothing is left behind."""

    def __init__(self, *packs, **given):
        self.clock = Clock()
        self.journal = MemoryJournal(self.clock)
        self.hall = Hall(Registry([StackedRules(packs) if packs else RULES]))
        self.host = Host(self.hall, self.journal, self.clock, lambda: 1e9, Random(1))
        self.factory = RikikiFactory(self.host, read_defaults(RULES, DOOR, given))
        self.people = []

    def connect(self, name=None):
        """Let somebody connect, and say their name."""
        person = Person(self)
        self.people.append(person)
        person.news()
        if name is not None:
            assert person.type(f"NAME {name}") == [f"OK NAME {name}"]
        return person

    def table(self, *names, options=""):
        """Let the first of several people open a table, and all of them join; gives its code and them."""
        people = [self.connect(name) for name in names]
        opened = people[0].type(f"NEW players={len(names)} {options}".rstrip())
        code = opened[0].split()[2]
        for person in people:
            answer = person.type(f"JOIN {code}")[0].split()
            assert answer[:3] == ["OK", "JOIN", code]
            person.token = answer[4]
        for person in people:
            person.news()
        return code, *people

    def settle(self):
        """Let everything happen that needs no time."""
        self.clock.advance(0)

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            for person in self.people:
                person.hang_up()
            self.clock.advance(3700)
            for _ in range(4):
                self.clock.advance(3700)
            assert len(self.hall) == 0, "a table outlived its players"
            assert self.clock.getDelayedCalls() == [], "a timer outlived its connection"
            assert self.factory.links == set()
            assert self.factory._named._owners == {}


@pytest.fixture(scope="session")
def rikiki_door():
    return RikikiDoor
