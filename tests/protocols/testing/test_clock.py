"""The clock of tests makes its calls in the order of Twisted's own, whatever is put off, moved up or taken back."""

from __future__ import annotations

from random import Random

import pytest
from twisted.internet.task import Clock

from protocols.testing.clock import ManualClock


def told(clock: Clock, chance: Random) -> list[tuple[float, int]]:
    """Do two hundred things with calls, some of which do more, and tell what was called when."""
    heard: list[tuple[float, int]] = []
    waiting = []

    def call(number: int) -> None:
        heard.append((clock.seconds(), number))
        if chance.random() < 0.3:
            waiting.append(clock.callLater(chance.randrange(3), call, number + 1000))

    for number in range(200):
        active = [each for each in waiting if each.active()]
        match chance.randrange(6):
            case 0 if active:
                chance.choice(active).cancel()
            case 1 if active:
                chance.choice(active).reset(chance.randrange(9))
            case 2 if active:
                chance.choice(active).delay(chance.randrange(-1, 9))
            case 3:
                clock.advance(chance.randrange(3))
            case _:
                waiting.append(clock.callLater(chance.randrange(9), call, number))
    clock.pump([1.0] * 30)
    assert clock.getDelayedCalls() == []
    return heard


@pytest.mark.parametrize("seed", range(20))
def test_calls_come_in_the_order_of_twisted_s_own_clock(seed):
    """Those of one moment come as they were asked for."""
    heard = told(ManualClock(), Random(seed))
    assert heard == told(Clock(), Random(seed))
    assert heard


def test_time_stops_where_it_is_told_to():
    """Each call finds the time at which it was due, and what is later waits."""
    clock, heard = ManualClock(), []
    for due in (3.0, 1.0, 2.0, 5.0):
        clock.callLater(due, lambda due=due: heard.append((due, clock.seconds())))
    clock.pass_time(9.0, until=lambda: len(heard) == 2)
    assert (heard, clock.seconds()) == ([(1.0, 1.0), (2.0, 2.0)], 2.0)
    clock.pass_time(2.0)
    assert (heard[2:], clock.seconds()) == ([(3.0, 3.0)], 4.0)
    clock.pass_time(1.0)
    assert heard[3:] == [(5.0, 5.0)]
