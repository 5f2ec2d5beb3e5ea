"""A flood is stopped, a class behind one address is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.net.limits import AddressBuckets, TokenBucket, counted_as


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
        ("fe80::1%eth0", "fe80::/64%eth0"),
        ("fe80::2%eth0", "fe80::/64%eth0"),
        ("fe80::1%eth1", "fe80::/64%eth1"),
        ("2001:db8::1%eth0", "2001:db8::/64"),
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


def test_a_crowd_makes_nobody_forget_who_has_taken_all_there_was():
    buckets = AddressBuckets(rate=0.1, burst=5.0, remembered=50)
    while buckets.take("192.0.2.7", 0.0):
        pass
    for number in range(5000):
        assert buckets.take(f"10.0.{number >> 8}.{number & 255}", 0.0)
    assert len(buckets) == 50 and not buckets.take("192.0.2.7", 0.0)


def test_what_a_crowd_took_is_forgotten_within_a_minute_of_visits():
    buckets = AddressBuckets(rate=0.1, burst=5.0, remembered=4096)
    for number in range(5000):
        buckets.take(f"10.0.{number >> 8}.{number & 255}", 0.0)
    for second in range(10, 110):
        assert buckets.take("192.0.2.7", float(second) * 10)
    assert len(buckets) == 1


def test_forged_addresses_do_not_fill_the_memory() -> None:
    buckets = AddressBuckets(rate=0.001, burst=1.0, remembered=50)
    for number in range(5000):
        assert buckets.take(f"10.0.{number >> 8}.{number & 255}", 0.0)
    assert len(buckets) == 50
    assert not buckets.take("10.0.19.135", 0.0)
