"""Messages kept apart in time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.task import Clock

from protocols.net.pacing import Pacer


@pytest.fixture
def out(clock: Clock) -> list[tuple[float, bytes]]:
    return []


@pytest.fixture
def pacer(clock: Clock, out: list[tuple[float, bytes]]) -> Pacer:
    return Pacer(clock, 0.5, lambda data: out.append((clock.seconds(), data)))


def test_the_first_message_goes_out_at_once(pacer, out):
    pacer.send(b"a")
    assert out == [(0, b"a")]


def test_a_message_waits_for_the_one_before_it(pacer, out, clock):
    for data in (b"a", b"b", b"c"):
        pacer.send(data)
    clock.pump([0.25] * 4)
    assert out == [(0, b"a"), (0.5, b"b"), (1.0, b"c")]


def test_a_message_long_after_another_does_not_wait(pacer, out, clock):
    pacer.send(b"a")
    clock.advance(2)
    pacer.send(b"b")
    assert out == [(0, b"a"), (2, b"b")]


def test_without_a_gap_everything_goes_out_at_once(clock):
    out: list[bytes] = []
    pacer = Pacer(clock, 0, out.append)
    pacer.send(b"a")
    pacer.send(b"b")
    assert out == [b"a", b"b"]


def test_what_is_to_follow_follows_the_last_message(pacer, out, clock):
    pacer.send(b"a")
    pacer.when_out(lambda: out.append((clock.seconds(), b"now")))
    pacer.send(b"b")
    pacer.when_out(lambda: out.append((clock.seconds(), b"then")))
    assert out == [(0, b"a"), (0, b"now")]
    clock.advance(0.5)
    assert out[2:] == [(0.5, b"b"), (0.5, b"then")]


def test_who_stops_hears_no_more_and_leaves_no_timer(pacer, out, clock):
    pacer.send(b"a")
    pacer.send(b"b")
    pacer.when_out(lambda: out.append((0, b"then")))
    pacer.stop()
    clock.advance(5)
    assert out == [(0, b"a")]


@given(waits=st.lists(st.floats(0, 3), max_size=30), gap=st.floats(0, 2))
def test_messages_are_in_order_apart_and_never_later_than_they_must_be(waits, gap):
    clock, out = Clock(), []
    pacer = Pacer(clock, gap, lambda data: out.append((clock.seconds(), data)))
    earliest, due = float("-inf"), []
    for number, wait in enumerate(waits):
        clock.advance(wait)
        earliest = max(clock.seconds(), earliest + gap)
        due.append(earliest)
        pacer.send(b"%d" % number)
    end = clock.seconds() + len(waits) * gap
    while clock.seconds() <= end and clock.getDelayedCalls():  # only ever to the next timer
        clock.advance(clock.getDelayedCalls()[0].getTime() - clock.seconds())
    assert [data for _, data in out] == [b"%d" % number for number in range(len(waits))]
    assert all(at >= wanted - 1e-9 for (at, _), wanted in zip(out, due, strict=True))
    assert clock.getDelayedCalls() == []
