"""A whole daemon with the door of GOPS, and clients of both manners to knock at it."""

from __future__ import annotations

import pytest

from gamecore.games.gops import RULES
from protocols.gops import wire
from protocols.gops.server import DOOR
from protocols.journal.memory import MemoryJournal
from protocols.testing import House, Peer


class Client(Peer):
    """The far end of one connection, which speaks frames or lines."""

    settles = True

    def __init__(self, door, lines):
        super().__init__(door.clock, door.factory, None)
        self.lines = lines

    def send(self, data):
        """Send bytes as they are."""
        super().say(data)

    def say(self, body):
        """Send a message."""
        self.send((wire.line if self.lines else wire.frame)(body))

    def play(self, code, number):
        self.say(f"PLAY-TURN~{code}${number}")

    def hear(self):
        """Give the messages that came since this was asked last."""
        data = self.fresh()
        if self.lines:
            return data.decode().splitlines()
        splitter = wire.FrameSplitter()
        bodies = [body.decode() for body in splitter.feed(data)]
        assert not splitter.broken and not splitter.unfinished
        return bodies


class GopsDoor(House):
    """Leaving it checks that nothing is left behind."""

    def __init__(self, most=100_000, journal=MemoryJournal, **given):
        super().__init__([RULES], [DOOR], most=most, journal=journal, settings={"gops": given})
        self.factory = self.door("gops")

    def connect(self, name=None, lines=False):
        """Let somebody connect, and say a name if there is one; all of it is heard."""
        client = Client(self, lines)
        self.peers.append(client)
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

    def close(self):
        super().close()
        assert self.factory._named._owners == {}


@pytest.fixture(scope="session")
def gops_door():
    return GopsDoor
