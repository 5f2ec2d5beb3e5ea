"""A lobby, and people who telnet to it."""

from __future__ import annotations

import zlib
from functools import partial
from random import Random

import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore.games.nim import RULES as NIM
from gamecore.hall import Hall
from gamecore.replay import write_game
from gamecore.rules import Registry
from protocols.host.door import TableDefaults, read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.lobby.server import DOOR


class Caller(StringTransport):
    """One person at the far end of a line."""

    write_ended = False
    aborted = False

    def __init__(self, lobby, address):
        super().__init__(peerAddress=address)
        self.lobby = lobby
        self.link = self.protocol = lobby.factory.buildProtocol(address)
        self.all = b""
        self.link.makeConnection(self)

    def write(self, data):
        self.all += data
        super().write(data)

    def loseWriteConnection(self):
        self.write_ended = True

    def abortConnection(self):
        self.aborted = True
        self.hang_up()

    @property
    def closed(self):
        return self.write_ended or self.disconnecting or self.disconnected or self.aborted

    def say(self, data):
        """Send bytes as they are."""
        self.link.dataReceived(data)

    def type(self, *lines):
        """Type lines, each when the one before it has been answered, and give what was heard since."""
        for line in lines:
            self.say(line.encode() + b"\r\n")
            self.lobby.settle()
        return self.hear()

    def hear(self):
        """Give the lines that came since the last time."""
        data = self.value()
        self.clear()
        assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
        assert not data or data.endswith(b"\r\n")
        return data.decode().split("\r\n")[:-1]

    def end_input(self):
        self.link.readConnectionLost()
        self.lobby.settle()

    def hang_up(self):
        if self.link.connected:
            self.link.connectionLost(Failure(ConnectionDone()))
            self.lobby.settle()


class KeepingJournal(MemoryJournal):
    """A journal that remembers what was retired, as one in a file does."""

    def __init__(self, clock, rules):
        super().__init__(clock)
        self.rules = rules
        self.kept = {}

    def retire(self, table):
        lines = self._lines.get(table)
        self.kept[table] = zlib.compress(write_game(lines, Registry(self.rules)))
        super().retire(table)

    def read_finished(self, table):
        return super().read_finished(table).addCallback(lambda _: self.kept.get(table))


def keeping(rules):
    """Give what opens such a journal, for tables of some games."""
    return partial(KeepingJournal, rules=rules)


class Lobby:
    """A whole daemon with the lobby's door; leaving it checks that nothing is left behind."""

    def __init__(self, rules=(NIM,), nim=None, journal=MemoryJournal, chance=1, **door):
        self.clock = Clock()
        self.journal = journal(self.clock)
        self.hall = Hall(Registry(rules))
        defaults = {"nim": TableDefaults(options=nim or {})}
        self.host = Host(
            self.hall, self.journal, self.clock, lambda: 1e9, Random(chance), defaults=defaults
        )
        self.factory = DOOR.build(self.host, read_defaults(None, DOOR, door))
        self.callers = []

    def call(self, name=None, host="192.0.2.1"):
        """Let somebody connect, perhaps under a name of their own."""
        caller = Caller(self, IPv4Address("TCP", host, 40_000))
        self.callers.append(caller)
        if name is not None:
            caller.type(f"name {name}")
        caller.name = name
        return caller

    def pair(self, opening="open nim"):
        """Seat north and south; gives both, and the code of their table."""
        north, south = self.call("north"), self.call("south")
        north.type(opening)
        code = next(iter(self.hall._tables))
        south.type(f"join {code}")
        north.hear(), south.hear()
        return north, south, code

    def settle(self):
        """Let everything happen that needs no time."""
        for _ in range(60):
            self.clock.advance(0)
            calls = self.clock.getDelayedCalls()
            if not any(call.getTime() <= self.clock.seconds() for call in calls):
                return
        raise AssertionError("it never comes to rest")

    @property
    def tables(self):
        return list(self.hall._tables.values())

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            for caller in self.callers:
                caller.hang_up()
            self.clock.pump([100_000, 1, 1, 1, 1])
            self.settle()
            assert self.clock.getDelayedCalls() == [], "a timer outlived its connection"
            assert len(self.hall) == 0, "a table outlived its players"
            assert len(self.host.people) == 0
            assert self.factory.links == set()


@pytest.fixture(scope="session")
def lobby():
    """Give the class, so that a test may choose what hall it has."""
    return Lobby
