"""A flood is stopped, a class behind one address is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.net.limits import AddressBuckets, AddressLimit, TokenBucket, counted_as


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = TokenBucket(rate=2.0, burst=3.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(0.0) == 0.5
    assert not bucket.take(0.25)
    assert bucket.take(0.5)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_a_refusal_takes_nothing() -> None:
    bucket = TokenBucket(rate=1.0, burst=3.0)
    assert bucket.take(0.0, 2.0)
    assert not bucket.take(0.0, 2.0)
    assert bucket.take(0.0, 1.0)
    assert bucket.wait(0.0, 3.0) == 3.0


def test_a_bucket_says_when_it_is_full() -> None:
    bucket = TokenBucket(rate=1.0, burst=2.0)
    assert bucket.full(0.0)
    bucket.take(0.0)
    assert not bucket.full(0.5)
    assert bucket.full(1.0)
    assert bucket.wait(1.0) == 0.0


def test_a_clock_set_back_by_an_hour_locks_nobody_out() -> None:
    bucket = TokenBucket(rate=1.0, burst=1.0)
    assert bucket.take(3600.0)
    assert not bucket.take(0.0)
    assert bucket.take(1.0)


@given(
    st.floats(0.1, 1000.0),
    st.integers(1, 100),
    st.lists(st.floats(0.0, 5.0), max_size=60),
    st.sampled_from([0.0, 1.8e9]),
)
def test_no_more_than_burst_and_rate_is_ever_given(
    rate: float, burst: int, pauses: list[float], now: float
) -> None:
    bucket = TokenBucket(rate, burst)
    began, given_out = now, 0
    for pause in pauses:
        now += pause
        given_out += bucket.take(now)
        assert given_out <= burst + (now - began) * rate + 0.01


@given(st.floats(0.1, 50.0), st.integers(1, 50), st.sampled_from([0.0, 1.8e9]))
def test_who_waits_as_told_is_let_through(rate: float, burst: int, now: float) -> None:
    bucket = TokenBucket(rate, burst)
    while bucket.take(now):
        pass
    assert bucket.take(now + bucket.wait(now))


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("no:address", "no:address"),
    ],
)
def test_a_host_is_counted_as(host: str, key: str) -> None:
    assert counted_as(host) == key


def test_each_address_has_a_bucket_of_its_own() -> None:
    buckets = AddressBuckets(rate=1.0, burst=2.0, remembered=50)
    assert [buckets.take("192.0.2.7", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("192.0.2.8", 0.0)
    assert buckets.take("192.0.2.7", 1.0)


def test_full_buckets_are_forgotten_as_others_come() -> None:
    buckets = AddressBuckets(rate=1.0, burst=1.0, remembered=4096)
    for number in range(100):
        buckets.take(f"10.0.0.{number}", 0.0)
    assert len(buckets) == 100
    for number in range(100):
        buckets.take(f"10.0.1.{number}", 60.0)
    assert len(buckets) == 100
    assert buckets.take("10.0.2.1", 120.0)
    assert len(buckets) < 101


def test_forged_addresses_do_not_fill_the_memory() -> None:
    buckets = AddressBuckets(rate=0.001, burst=1.0, remembered=50)
    for number in range(5000):
        assert buckets.take(f"10.0.{number >> 8}.{number & 255}", 0.0)
    assert len(buckets) == 50
    assert not buckets.take("10.0.19.135", 0.0)


def test_a_class_behind_one_address_passes() -> None:
    limit = AddressLimit()
    assert all(limit.enter("192.0.2.7", 0.0) for _ in range(60))


def test_a_thousand_at_once_are_the_most_by_default() -> None:
    limit = AddressLimit()
    assert all(limit.enter("127.0.0.1", 0.0) for _ in range(1000))
    assert not limit.enter("127.0.0.1", 0.0)
    assert limit.enter("127.0.0.2", 0.0)


@pytest.mark.parametrize(
    ("host", "neighbour"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::2")],
)
def test_who_leaves_makes_room_for_all_counted_with_them(host: str, neighbour: str) -> None:
    limit = AddressLimit(most=1)
    assert limit.enter(host, 0.0)
    assert not limit.enter(neighbour, 0.0)
    limit.leave(host)
    assert limit._living == {}
    assert limit.enter(neighbour, 0.0)


def test_coming_and_going_quickly_is_bounded_too() -> None:
    limit = AddressLimit(rate=1.0, burst=2.0)
    come = []
    for _ in range(3):
        come.append(limit.enter("192.0.2.7", 0.0))
        limit.leave("192.0.2.7")
    assert come == [True, True, False]
    assert limit.enter("192.0.2.7", 1.0)


def test_leaving_twice_counts_once() -> None:
    limit = AddressLimit(most=1)
    limit.leave("192.0.2.7")
    assert limit.enter("192.0.2.7", 0.0)
    assert not limit.enter("192.0.2.7", 0.0)
