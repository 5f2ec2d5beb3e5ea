"""Garbage is looked for when nobody waits, or when memory has grown much."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest
from attrs import define, field
from twisted.internet.task import Clock

from protocols.daemon.memory import (
    GROWN,
    IDLE,
    LOOK_SECONDS,
    WORTHWHILE,
    Memory,
    collect_and_give_back,
    resident_bytes,
)

FULL = 50_000_000  # bytes


@define
class Process:
    """A process with a clock of its own, that does as much as it is told to."""

    clock: Clock = field(factory=Clock)
    worked: float = 0.0
    bytes: int | None = FULL
    collected: int = 0
    memory: Memory = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.memory = Memory(
            self.clock, lambda: self.worked, lambda: self.bytes, lambda: self._collect()
        )

    def _collect(self) -> None:
        self.collected += 1
        self.worked += 0.1  # it takes its time, which does not count

    def live(self, looks: int, load: float) -> None:
        """Let some looks pass, with such a load of the processor."""
        for _ in range(looks):
            self.worked += load * LOOK_SECONDS
            self.clock.advance(LOOK_SECONDS)


@pytest.fixture
def process() -> Iterator[Process]:
    """A process that is open, and the collector as it was before."""
    thresholds = gc.get_threshold()
    process = Process()
    process.memory.opened()
    yield process
    process.memory.stop()
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    assert not process.clock.getDelayedCalls()


def test_a_busy_house_is_not_kept_waiting_and_a_quiet_one_is_looked_through_once(
    process: Process,
) -> None:
    process.live(10, load=0.5)
    assert process.collected == 0
    process.live(10, load=IDLE / 2)
    assert process.collected == 1


def test_where_little_was_done_there_is_nothing_to_look_for(process: Process) -> None:
    process.live(int(WORTHWHILE / (IDLE / 4 * LOOK_SECONDS)) - 1, load=IDLE / 4)
    assert process.collected == 0


def test_memory_that_has_grown_is_looked_through_even_in_a_crowd_but_not_at_each_look(
    process: Process,
) -> None:
    process.live(1, load=1.0)
    process.bytes = int(FULL * GROWN) + 1
    process.live(5, load=1.0)
    assert process.collected == 1
    process.bytes = int(FULL * GROWN * GROWN) + 3
    process.live(5, load=1.0)
    assert process.collected == 2


def test_where_nobody_says_how_much_memory_there_is_quiet_moments_are_enough() -> None:
    process = Process(bytes=None)
    process.worked = 5.0
    process.memory.look()
    assert process.collected == 0
    process.memory.look()
    assert process.collected == 1


def test_the_collector_itself_leaves_full_collections_to_this(process: Process) -> None:
    assert gc.isenabled()
    assert gc.get_threshold()[2] > 1000


def test_while_tables_are_listed_the_collector_does_not_look_at_all(process: Process) -> None:
    process.memory.stop()
    process.memory.loaded(is_open=False)
    assert not gc.isenabled()
    process.memory.opened()
    assert gc.isenabled()


def test_a_cycle_is_garbage_that_is_collected() -> None:
    class Knot:
        own: Knot

    knot = Knot()
    knot.own = knot
    del knot
    collect_and_give_back()
    assert not [each for each in gc.get_objects() if type(each) is Knot]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_linux_tells_how_much_memory_there_is() -> None:
    resident = resident_bytes()
    assert resident is not None and resident > 1_000_000
