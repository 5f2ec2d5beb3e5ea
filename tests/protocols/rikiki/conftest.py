"""A whole daemon with the door of Rikiki, and people who knock at it; the test may deal."""

from __future__ import annotations

import pytest

from gamecore.cards import read_card
from gamecore.fairness import Deal
from gamecore.games.rikiki import RULES
from protocols.rikiki.server import DOOR
from protocols.testing import House, Peer


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


class Person(Peer):
    """The far end of one connection."""

    settles = True

    def type(self, *lines):
        """Type lines, and give all that is new to read, but for what is for people only."""
        for line in lines:
            self.say(line.encode() + b"\n")
        return self.news()

    def raw(self):
        """Give all lines that are new to read."""
        new = self.fresh()
        assert new == b"" or new.endswith(b"\r\n")
        return new.decode().split("\r\n")[:-1]

    def news(self):
        """Give what is new to read, but for what is for people only."""
        return [line for line in self.raw() if not line.startswith("#")]


class RikikiDoor(House):
    """A whole daemon with the door of Rikiki; leaving it checks that nothing is left behind."""

    def __init__(self, *packs, **given):
        rules = StackedRules(packs) if packs else RULES
        super().__init__([rules], [DOOR], settings={"rikiki": given})
        self.factory = self.door("rikiki")

    def connect(self, name=None):
        """Let somebody connect, and say their name."""
        person = Person(self.clock, self.factory, None)
        self.peers.append(person)
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

    def close(self):
        super().close()
        assert self.factory._named._owners == {}


@pytest.fixture(scope="session")
def rikiki_door():
    return RikikiDoor
