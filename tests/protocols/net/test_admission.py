"""How much one address may do, in all doors together."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from attrs import evolve
from twisted.internet.task import Clock

from gamecore.errors import Refused
from protocols.net.admission import (
    GUESS,
    OPEN,
    PAGE,
    REMEMBERED,
    SEAL,
    SEAT,
    Admission,
    AdmissionSettings,
)

KEYS = {
    OPEN: "too-many-tables",
    SEAT: "too-many-seats",
    SEAL: "too-many-passwords",
    PAGE: "too-fast",
    GUESS: "too-fast",
}


@pytest.fixture
def admission(clock: Clock) -> Admission:
    """Count by the clock of the test."""
    return Admission(clock.seconds, AdmissionSettings(links=200), Random(7))


def let_in(admission: Admission, *hosts: str) -> int:
    """Say how many of those who come one after the other are let in, before they all go again."""
    entered = [host for host in hosts if admission.enter(host)]
    for host in entered:
        admission.leave(host)
    return len(entered)


def sources(admission: Admission) -> int:
    return len(admission._living)


def test_a_network_is_one_source_and_a_mapped_address_is_that_address(
    admission: Admission,
) -> None:
    for host in range(300):
        for _ in range(5):
            admission.enter(f"2001:db8::{host:x}")
    assert sources(admission) == 1 and not admission.enter("2001:db8::ffff:1")
    assert admission.enter("192.0.2.1") and admission.enter("::ffff:192.0.2.1")
    assert sources(admission) == 2
    for host in ("::ffff:192.0.2.2", "::ffff:192.0.2.3"):
        assert admission.enter(host)
    assert sources(admission) == 4
    assert admission.enter("2001:db8:0:1::1") and sources(admission) == 5
    assert admission.enter("fe80::1%eth0") and admission.enter("fe80::1%eth1")
    assert sources(admission) == 7


def test_who_has_no_address_shares_nothing_with_strangers(admission: Admission) -> None:
    assert all(admission.enter(None) for _ in range(5000))
    for what in KEYS:
        for _ in range(5000):
            admission.spend(None, what)
            admission.check(None, what)
    assert sources(admission) == 0 and not admission.refused
    admission.leave(None)


def test_who_leaves_makes_room_for_all_counted_with_them(clock: Clock) -> None:
    admission = Admission(clock.seconds, AdmissionSettings(links=1))
    for host, neighbour in (("192.0.2.7", "192.0.2.7"), ("2001:db8::1", "2001:db8::2")):
        admission.leave(host)  # twice counts once
        assert admission.enter(host) and not admission.enter(neighbour)
        admission.leave(host)
        assert sources(admission) == 0
        assert admission.enter(neighbour)
        admission.leave(neighbour)


def test_coming_and_going_quickly_is_bounded_too(clock: Clock) -> None:
    admission = Admission(clock.seconds, AdmissionSettings(links_a_second=1.0, links_at_once=2))
    assert let_in(admission, *["192.0.2.7"] * 3) == 2
    clock.advance(1)
    assert let_in(admission, *["192.0.2.7"] * 3) == 1
    assert admission.refused == {"too-many-connections": 3}


@pytest.mark.parametrize("what", KEYS)
def test_what_is_too_much_is_refused_with_a_wait_and_costs_nothing(
    admission: Admission, clock: Clock, what: str
) -> None:
    taken = 0
    with pytest.raises(Refused) as refused:
        while True:
            admission.spend("192.0.2.7", what)
            taken += 1
    assert taken > 50 and refused.value.key == KEYS[what]
    waits = []
    for _ in range(60):
        for ask in (admission.spend, admission.check):
            with pytest.raises(Refused) as refused:
                ask("192.0.2.7", what)
            waits.append(refused.value.facts["wait"])
    assert admission.refused == Counter({KEYS[what]: 121})
    assert min(waits) >= 1 and len(set(waits)) > 3  # those refused together do not come together
    admission.spend("192.0.2.8", what)
    clock.advance(60)  # as long as if nobody had asked meanwhile
    admission.check("192.0.2.7", what)
    admission.spend("192.0.2.7", what)


def test_a_class_behind_one_address_opens_tables_sits_and_comes_again() -> None:
    clock = Clock()
    admission = Admission(clock.seconds)
    for _ in range(3):  # within five minutes
        links = 60 * 2 * 2 + 10  # two tabs each, a page and its stream, and terminals
        assert all(admission.enter("192.0.2.7") for _ in range(links))
        for what, times in ((OPEN, 30), (SEAT, 70), (PAGE, 240)):
            for _ in range(times):
                admission.spend("192.0.2.7", what)
        for _ in range(links):
            admission.leave("192.0.2.7")
        clock.advance(90)


def test_a_crowd_of_sources_hides_no_guesser_and_keeps_nobody_out(clock: Clock) -> None:
    admission = Admission(clock.seconds)
    guesser, found = "203.0.113.1", 0
    for _ in range(60):
        admission.spend(guesser, SEAL)
    for number in range(12_000):
        clock.advance(60 / 12_000)
        admission.spend(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", SEAL)
        if number % 200 == 0:  # once a second, and so often as its own budget is filled again
            admission.spend(f"198.51.100.{number // 200}", SEAL)
            try:
                admission.spend(guesser, SEAL)
                found += 1
            except Refused:
                pass
    assert found <= 30
    assert len(admission._buckets[SEAL]) <= REMEMBERED
    for _ in range(200):
        clock.advance(1)
        admission.spend("198.51.100.1", GUESS)
        admission.check("198.51.100.1", SEAL)


def test_other_settings_hold_at_once_and_the_same_count_on(
    admission: Admission, clock: Clock
) -> None:
    strict = evolve(admission.settings, tables_at_once=1, tables_a_minute=1.0)
    for settings, errors in (
        (strict, [None, "too-many-tables"]),
        (evolve(strict), ["too-many-tables"]),
        (evolve(strict, tables_at_once=2), [None, None, "too-many-tables"]),
    ):
        admission.follow(settings)
        for error in errors:
            try:
                admission.spend("192.0.2.7", OPEN)
                assert error is None
            except Refused as refusal:
                assert refusal.key == error
