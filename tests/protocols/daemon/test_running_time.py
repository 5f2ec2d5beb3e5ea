"""The time of the tables goes on as the daemon runs, and not while that stands still."""

from __future__ import annotations

from protocols.daemon.running_time import MOST_AT_ONCE, RunningTime


def test_time_goes_on_while_it_is_asked_and_stands_while_nobody_was_there_to_ask():
    now = [1000.0]
    seconds = RunningTime(lambda: now[0])
    for _ in range(10):
        now[0] += 1.0
        seconds()
    assert seconds() == 1010.0
    now[0] += 3600.0
    assert seconds() == 1010.0 + MOST_AT_ONCE
    now[0] += 0.5
    assert seconds() == 1010.5 + MOST_AT_ONCE
