"""A whole daemon with the door of GOPS, and clients of both manners to knock at it."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore.games.gops import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.gops import wire
from protocols.gops.server import DOOR, GopsFactory
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal


class Client(StringTransport):
    """The far end of one connection, which speaks frames or lines."""

    write_ended = False

    def __init__(self, door, lines):
        super().__init__()
        self.door, self.lines, self.read_to = door, lines, 0
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

    def say(self, body):
        """Send a message."""
        self.send((wire.line if self.lines else wire.frame)(body))

    def play(self, code, number):
        self.say(f"PLAY-TURN~{code}${number}")

    def hang_up(self):
        if self.link.connected:
            self.link.connectionLost(Failure(ConnectionDone()))
        self.door.settle()

    def end_input(self):
        """Half-close, as netcat does at the end of its input."""
        self.link.readConnectionLost()
        self.door.settle()

    def hear(self):
        """Give the messages that came since this was asked last."""
        data, self.read_to = self.value()[self.read_to :], len(self.value())
        if self.lines:
            return data.decode().splitlines()
        splitter = wire.FrameSplitter()
        bodies = [body.decode() for body in splitter.feed(data)]
        assert not splitter.broken and not splitter.unfinished
        return bodies


class GopsDoor:
    """Leaving it checks that nothing is left behind."""

    def __init__(self, most=100_000, journal=MemoryJournal, **given):
        self.clock = Clock()
        self.journal = journal(self.clock)
        self.hall = Hall(Registry([RULES]), most)
        self.host = Host(self.hall, self.journal, self.clock, lambda: 1e9, Random(1))
        self.factory = GopsFactory(self.host, read_defaults(RULES, DOOR, given))
        self.clients = []

    def connect(self, name=None, lines=False):
        """Let somebody connect, and say a name if there is one; all of it is heard."""
        client = Client(self, lines)
        self.clients.append(client)
        if name is not None:
            client.say(f"SET-USERNAME~{name}")
            client.hear()
        return client

    def create(self, name="north", lines=False):
        """Let somebody open a table; gives the client and the code."""
        client = self.connect(name, lines)
        client.say("START-GAME~1")
        code = next(body for body in client.hear() if body.startswith("SET-ID~"))[7:]
        return client, code

    def pair(self, lines=(False, False)):
        """Let north and south begin a game; gives both and its code."""
        north, code = self.create("north", lines[0])
        south = self.connect("south", lines[1])
        south.say(f"JOIN-GAME~{code}")
        for each in (north, south):
            each.hear()
        return north, south, code

    def settle(self):
        self.clock.advance(0)

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            for client in self.clients:
                client.hang_up()
            for _ in range(3):
                self.clock.advance(100)  # those with a token are waited for
            assert self.clock.getDelayedCalls() == [], "a timer outlived its connection"
            if not self.host.service.closing:  # else they are kept for the next daemon
                assert len(self.hall) == 0, "a table outlived its players"
                assert self.journal._lines == {}, "the journal was not told that a table ended"
            assert self.factory.links == set()
            assert self.factory._named._owners == {}


@pytest.fixture(scope="session")
def gops_door():
    return GopsDoor
