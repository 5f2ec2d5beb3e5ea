"""A table that one daemon has awake, shown at another."""

from __future__ import annotations

import pytest

from gamecore.games.nim import Take


@pytest.fixture
def two(linked):
    return linked(2)


def pair(two, **options):
    """Open a table of Nim at the first daemon, where one sits; gives it, and the second's mirror once another does."""
    a, b = two.houses
    table = a.open("nim", {"stones": 50, "lag": 0, **options}, start="full")
    here = a.sit(table, 0, name="ann")
    there = come(two, 1, table.code, name="bob")
    return table, here, there


def come(two, number, code, name="", seat=None, keep=True):
    from protocols.testing.ear import Ear

    ear = Ear()
    two.houses[number].host.sit(ear, code, seat, name, "sat", keep)
    two.pass_time(1)
    return ear


def test_two_sit_at_two_daemons_and_hear_the_same(two):
    table, ann, bob = pair(two)
    a, b = two.houses
    assert bob.answers == [("sat", None)] and bob.token
    mirror = b.hall.find(table.code)
    for turn in range(6):
        house, ear = ((a, ann), (b, bob))[turn % 2]
        before = len(ann.heard), len(bob.heard)
        house.host.submit(ear, Take(1, False), turn)
        two.pass_time(0.5)
        news = ann.heard[before[0] :], bob.heard[before[1] :]
        assert [each for each in news[0] if each != (turn, None)] == [
            each for each in news[1] if each != (turn, None)
        ]
        assert ear.answers[-1] == (turn, None)
    assert mirror.sequence == table.sequence
    assert a.journal._lines[table.code] == b.journal._lines[table.code]
