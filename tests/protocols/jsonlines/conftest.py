"""A whole daemon with the door of JSON lines, and programs that talk to it."""

from __future__ import annotations

import importlib
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from random import Random

import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.jsonlines.server import DOOR, JsonFactory


class Program(StringTransport):
    """The far end of one connection: it asks, and keeps all that it is told."""

    def __init__(self, door):
        super().__init__()
        self.door = door
        self.ids = count(1)
        self.write_ended = False
        self.link = self.protocol = door.factory.buildProtocol(IPv4Address("TCP", "192.0.2.7", 1))
        self.link.makeConnection(self)

    def loseWriteConnection(self):
        self.write_ended = True

    @property
    def closed(self):
        """Whether the server has closed this link."""
        return self.write_ended or self.disconnecting or self.disconnected

    def say(self, data):
        """Send bytes as they are, and let everything happen that needs no time."""
        self.link.dataReceived(data)
        self.door.settle()

    def send(self, do, **fields):
        """Send a request and give its id, without waiting."""
        id = next(self.ids)
        self.link.dataReceived(json.dumps({"do": do, "id": id, **fields}).encode() + b"\n")
        return id

    def ask(self, do, **fields):
        """Send a request and give its one reply."""
        id = self.send(do, **fields)
        self.door.settle()
        replies = [each for each in self.heard() if each.get("reply") == id]
        assert len(replies) == 1, replies
        return replies[0]

    def heard(self):
        """Give all that was told, in order."""
        lines = self.value().split(b"\n")
        assert lines.pop() == b"", "a line has no end"
        return [json.loads(line) for line in lines]

    def news(self):
        """Give what was told since the last time."""
        told = self.heard()
        self.clear()
        return told

    def of(self, key):
        """Give the messages of one sort that were told so far."""
        return [each for each in self.heard() if key in each]

    def end_input(self):
        """Half-close, as netcat does at the end of its input."""
        self.link.readConnectionLost()
        self.door.settle()

    def hang_up(self):
        """Be gone altogether."""
        if self.link.connected:
            self.link.connectionLost(Failure(ConnectionDone()))
        self.door.settle()


class JsonHall:
    """The daemon; leaving it checks that nothing is left behind."""

    def __init__(self, *more_rules, journal=MemoryJournal, **given):
        self.clock = Clock()
        self.journal = journal(self.clock)
        self.hall = Hall(Registry([*installed_rules(), *more_rules]))
        self.host = Host(self.hall, self.journal, self.clock, lambda: 1e9, Random(1))
        self.factory = JsonFactory(self.host, read_defaults(None, DOOR, given))
        self.programs = []

    def connect(self, name=None):
        """Let a program connect, and say its name if it has one."""
        program = Program(self)
        self.programs.append(program)
        if name is not None:
            assert program.ask("name", name=name)["ok"]
        return program

    def table(self, game="nim", people=2, start="full", brings=None, **options):
        """Seat programs at a table."""
        house = {"start": start}
        programs = [self.connect(f"player {seat}") for seat in range(people)]
        code = programs[0].ask("open", game=game, options=options, house=house)["table"]
        for seat, each in enumerate(programs):
            more = {} if brings is None else {"brings": brings}
            assert each.ask("join", table=code, seat=seat, **more)["ok"]
        if start == "asked":
            assert programs[0].ask("start")["ok"]
        return programs

    def settle(self):
        """Let everything happen that needs no time."""
        self.clock.advance(0)

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is not None:
            return
        for each in self.programs:
            each.hang_up()
        for live in self.host.service.live:
            assert not live.faces and not live.holders and not live.followers
        assert self.factory.links == set()
        assert len(self.host.people) == 0
        self.clock.pump([4000, 1] * 4)
        assert self.clock.getDelayedCalls() == [], "a timer outlived its connection"
        assert len(self.hall) == 0, "a table outlived its players"


@pytest.fixture(scope="session")
def json_hall():
    """Give ``json_hall(*rules, **settings)``, to be used in a ``with``."""
    return JsonHall


@pytest.fixture
def house(json_hall):
    """A daemon with every installed game."""
    with json_hall() as hall:
        yield hall


@pytest.fixture(scope="session")
def high(pytestconfig):
    """Borrow High Card from the card room: it has secrets, rounds, and something to bring along."""
    path = pytestconfig.rootpath / "tests" / "gamecore" / "conftest.py"
    name = "high_card_of_the_hall"
    spec = spec_from_file_location(name, path)
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return importlib.import_module(name)
