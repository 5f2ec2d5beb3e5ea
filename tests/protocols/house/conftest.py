"""A house of several linked daemons in one process, on one clock and one journal in memory."""

from __future__ import annotations

import pytest

from protocols.house.linked import LinkedHouse
from protocols.testing import House
from protocols.testing.clock import ManualClock
from protocols.testing.journals import SharedJournal
from protocols.testing.links import Wires

NAMES = "abc"


class Linked:
    """Daemons ``a``, ``b`` and perhaps more, each of which is linked to all others."""

    def __init__(self, count: int) -> None:
        self.clock = ManualClock()
        self.wires = Wires(self.clock)
        self.houses: list[House] = []
        self.linked: list[LinkedHouse] = []
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


@pytest.fixture
def linked():
    """Give ``linked(count)``: so many daemons that are linked to each other."""
    return Linked
