"""A whole daemon with the door of JSON lines, and programs that talk to it."""

from __future__ import annotations

import importlib
import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count

import pytest

from gamecore.rules import installed_rules
from protocols.host.thinking import NOBODY
from protocols.journal.memory import MemoryJournal
from protocols.jsonlines.server import DOOR
from protocols.testing import House, Peer


class Program(Peer):
    """The far end of one connection: it asks, and keeps all that it is told."""

    settles = True

    def __init__(self, door):
        super().__init__(door.clock, door.factory, "192.0.2.7", 1)
        self.door = door
        self.ids = count(1)

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


class JsonHall(House):
    """The daemon; leaving it checks that nothing is left behind."""

    def __init__(self, *more_rules, journal=MemoryJournal, thinking=NOBODY, **given):
        rules = [*installed_rules(), *more_rules]
        super().__init__(
            rules, [DOOR], journal=journal, settings={"json": given}, thinking=thinking
        )
        self.factory = self.door("json")

    def connect(self, name=None):
        """Let a program connect, and say its name if it has one."""
        program = Program(self)
        self.peers.append(program)
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
