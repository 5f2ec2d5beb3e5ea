"""A house of several linked daemons in one process, on one clock and one journal in memory."""

from __future__ import annotations

from hashlib import sha256

import pytest

from gamecore.games.nim import Take
from gamecore.record import read_records
from gamecore.rules import Move
from protocols.house.linked import LinkedHouse
from protocols.testing import House
from protocols.testing.clock import ManualClock
from protocols.testing.ear import Ear
from protocols.testing.journals import SharedJournal
from protocols.testing.links import Wires

NAMES = "abc"
ONE = Take(1, False)  # a move of Nim


class Linked:
    """Daemons ``a``, ``b`` and perhaps more, each of which is linked to all others."""

    def __init__(self, count: int) -> None:
        self.clock = ManualClock()
        self.wires = Wires(self.clock)
        self.houses: list[House] = []
        self.linked: list[LinkedHouse] = []
        self.ears: list[Ear] = []
        first: list[SharedJournal] = []
        for number in range(count):
            house = House(
                journal=lambda clock: SharedJournal(clock, first[0] if first else None),
                seed=number + 1,
                clock=self.clock,
            )
            first.append(house.journal)
            linked = LinkedHouse(house.host, house.journal, self.clock.seconds, self.wires.call)
            self.wires.add(NAMES[number], linked.links)
            linked.begin(NAMES[number])
            house.host.begin()
            self.houses.append(house)
            self.linked.append(linked)
        self.clock.settle()
        self.beat()
        self.pass_time(0.5)

    def beat(self) -> None:
        """Let all who live give a sign of life."""
        for house, linked in zip(self.houses, self.linked, strict=True):
            if not house.journal.dead:
                house.host.beat()
                linked.beat()
        self.clock.settle()

    def pass_time(self, seconds: float) -> None:
        """Let seconds go by, with a sign of life in each."""
        while seconds > 0:
            self.clock.pass_time(min(seconds, 1.0))
            self.beat()
            seconds -= 1.0

    def kill(self, number: int) -> None:
        """Let a daemon be gone, with all that it has not committed."""
        house = self.houses[number]
        house.journal.dead = True
        house.host.service.closing = True
        for live in house.host.service.live:
            house.host.service.live.still(live)
        self.linked[number].stop()
        self.wires.kill(NAMES[number])

    # -- tables ---------------------------------------------------------------------------

    def live(self, number: int, code: str):
        """Find a table, or the mirror of it, at a daemon."""
        return self.houses[number].host.service.live.find(code)

    def nim(self, stones: int = 50, number: int = 0, **house: object):
        """Open a table of Nim for two."""
        options = {"stones": stones, "lag": 0, "seconds": 1000}
        return self.houses[number].open("nim", options, **{"start": "full", "grace": 60, **house})

    def waiting(self, kind: str):
        """Open a table at the first daemon where somebody waits; gives it and that one."""
        table = self.houses[0].open(kind, None, start="full")
        return table, self.houses[0].sit(table, 0)

    def ask_to_sit(
        self, number: int, code: str, name: str, seat: int | None = None, keep: bool = True
    ) -> Ear:
        ear = Ear()
        self.ears.append(ear)
        self.houses[number].host.sit(ear, code, seat, name, "sat", keep)
        return ear

    def sit(
        self, number: int, code: str, name: str, seat: int | None = None, keep: bool = True
    ) -> Ear:
        """Seat somebody at a daemon, by a token."""
        ear = self.ask_to_sit(number, code, name, seat, keep)
        self.pass_time(1)
        return ear

    def ask_to_watch(self) -> Ear:
        """Bring in somebody who is about to look on."""
        ear = Ear()
        self.ears.append(ear)
        return ear

    def watch(self, number: int, code: str) -> Ear:
        """Let somebody look on at a daemon."""
        ear = self.ask_to_watch()
        self.houses[number].host.watch(ear, code, "watched")
        self.pass_time(1)
        assert ear.answers == [("watched", None)]
        return ear

    def ask_back(self, number: int, token: str) -> Ear:
        ear = Ear()
        self.ears.append(ear)
        self.houses[number].host.come_back(ear, token, "back")
        return ear

    def come_back(self, number: int, token: str) -> Ear:
        """Let somebody show a token at a daemon."""
        ear = self.ask_back(number, token)
        self.pass_time(1)
        return ear

    def play(self, number: int, ear: Ear, move: Move, tag: object = None) -> None:
        """Let somebody at a daemon move."""
        self.houses[number].host.submit(ear, move, tag)
        self.pass_time(1)

    def say(self, number: int, door: str, *said: bytes):
        """Come to a door of a daemon, and say this."""
        peer = self.houses[number].connect(door)
        self.pass_time(1)
        for each in said:
            peer.say(each)
            self.pass_time(1)
        return peer

    def agree(self, code: str) -> None:
        """See that all who have a table have it alike, as its record has it, and that one of them owns it."""
        lives = [each for each in (self.live(n, code) for n in self.living()) if each is not None]
        owners = [each for each in lives if each.owner is None]
        assert len(owners) == 1
        lines = self.houses[0].journal._lines[code]
        table = self.houses[0].hall.rebuild(read_records(lines))
        for live in lives:
            assert live.table.sequence == table.sequence == len(lines) - 1
            assert live.head == sha256(lines[-1]).hexdigest()
            for seat in (None, *table.seated()):
                assert live.table.seen_by(seat, 0.0) == table.seen_by(seat, 0.0)

    def living(self) -> list[int]:
        """Number the daemons that are not dead."""
        return [n for n, house in enumerate(self.houses) if not house.journal.dead]


@pytest.fixture
def linked():
    """Give ``linked(count)``: so many daemons that are linked to each other."""
    return Linked


@pytest.fixture
def two(linked):
    """Two daemons."""
    return linked(2)


@pytest.fixture
def three(linked):
    """Three of them."""
    return linked(3)
