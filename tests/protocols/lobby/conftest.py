"""A lobby, and people who telnet to it."""

from __future__ import annotations

import zlib
from functools import partial

import pytest

from gamecore.games.nim import RULES as NIM
from gamecore.replay import write_game
from gamecore.rules import Registry
from protocols.host.door import TableDefaults
from protocols.host.thinking import NOBODY
from protocols.journal.memory import MemoryJournal
from protocols.lobby.server import DOOR
from protocols.testing import House, Peer


class Caller(Peer):
    """One person at the far end of a line."""

    settles = True

    def type(self, *lines):
        """Type lines, each when the one before it has been answered, and give what was heard since."""
        for line in lines:
            self.say(line.encode() + b"\r\n")
        return self.hear()

    def hear(self):
        """Give the lines that came since the last time."""
        data = self.value()
        self.clear()
        assert data.count(b"\n") == data.count(b"\r\n") == data.count(b"\r")
        assert not data or data.endswith(b"\r\n")
        return data.decode().split("\r\n")[:-1]


class KeepingJournal(MemoryJournal):
    """A journal that remembers what was retired, as one in a file does."""

    def __init__(self, clock, rules):
        super().__init__(clock)
        self.rules = rules
        self.kept = {}

    def retire(self, table, before=None):
        lines = self._lines.get(table)
        self.kept[table] = zlib.compress(write_game(lines, Registry(self.rules)))
        super().retire(table, before)

    def read_finished(self, table):
        return super().read_finished(table).addCallback(lambda _: self.kept.get(table))


def keeping(rules):
    """Give what opens such a journal, for tables of some games."""
    return partial(KeepingJournal, rules=rules)


class Lobby(House):
    """A whole daemon with the lobby's door; leaving it checks that nothing is left behind."""

    rests = True  # who was invited may still come

    def __init__(
        self, rules=(NIM,), nim=None, journal=MemoryJournal, chance=1, thinking=NOBODY, **door
    ):
        defaults = {"nim": TableDefaults(options=nim or {})}
        settings = {"lobby": door}
        super().__init__(
            rules,
            [DOOR],
            seed=chance,
            journal=journal,
            defaults=defaults,
            settings=settings,
            thinking=thinking,
        )
        self.factory = self.door("lobby")

    def call(self, name=None, host="192.0.2.1", wide=True):
        """Let somebody connect, perhaps under a name; who is ``wide`` reads lines as long as they are."""
        caller = Caller(self.clock, self.factory, host)
        self.peers.append(caller)
        if wide:
            caller.type("width 0")
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

    @property
    def tables(self):
        return list(self.hall._tables.values())


@pytest.fixture(scope="session")
def lobby():
    """Give the class, so that a test may choose what hall it has."""
    return Lobby
