"""A limit to how long something may be awaited."""

from __future__ import annotations

from protocols.net.timeout import Timeout


def test_what_is_awaited_too_long_is_given_up_once(clock):
    given_up = []
    timeout = Timeout(clock, 10, lambda: given_up.append(clock.seconds()))
    timeout.watch(True)
    clock.advance(9)
    timeout.watch(True)
    clock.advance(1)
    assert given_up == [10]
    timeout.watch(True)
    clock.advance(10)
    assert given_up == [10, 20]


def test_what_has_come_is_waited_for_no_more(clock):
    timeout = Timeout(clock, 10, lambda: 1 / 0)
    timeout.watch(False)
    timeout.watch(True)
    timeout.watch(False)
    assert clock.getDelayedCalls() == []
    timeout.watch(True)
    clock.advance(5)
    timeout.watch(False)
