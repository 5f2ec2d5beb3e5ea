"""Audiences: who hears of what."""

from __future__ import annotations

from typing import ClassVar

import attrs
import pytest
from attrs import frozen

from gamecore.events import (
    EVERYONE,
    AllBut,
    Audience,
    Everyone,
    Only,
    RoundBegan,
    RoundOver,
    heard_by,
)
from gamecore.table_events import TABLE_EVENTS


@frozen
class Said:
    """Somebody has said something to somebody."""

    text: str
    audience: Audience = EVERYONE


@pytest.mark.parametrize(
    ("audience", "reached"),
    [(Everyone(), [None, 0, 1, 2]), (Only(1), [1]), (AllBut(1), [None, 0, 2])],
)
def test_an_audience_reaches_those_it_names(audience, reached):
    assert [seat for seat in (None, 0, 1, 2) if audience.reaches(seat)] == reached


def test_everybody_hears_what_is_said_to_everyone():
    events = [Said("a"), Said("b")]
    assert heard_by(0, events) == heard_by(None, events) == events
    assert heard_by(0, []) == []


def test_each_hears_its_own_part_in_order():
    a, b, c, d = Said("a"), Said("b", Only(0)), Said("c", AllBut(0)), Said("d", Everyone())
    assert heard_by(0, [a, b, c, d]) == [a, b, d]
    assert heard_by(1, [a, b, c, d]) == [a, c, d]
    assert heard_by(None, [a, b, c, d]) == [a, c, d]


def test_seat_none_is_a_watcher_and_no_seat():
    assert heard_by(None, [Said("to seat 0", Only(0))]) == []


@pytest.mark.parametrize(
    "event",
    [*TABLE_EVENTS, RoundBegan, RoundOver],
    ids=lambda event: event.__name__,
)
def test_every_event_states_its_audience_and_is_frozen(event):
    assert "audience" in vars(event), "the audience stands in the body of the event's own class"
    assert attrs.has(event)
    assert event.__setattr__ is not object.__setattr__
    assert event.__doc__


@pytest.mark.parametrize("event", TABLE_EVENTS, ids=lambda event: event.__name__)
def test_what_happens_at_a_table_is_for_everyone(event):
    assert event.audience is EVERYONE


def test_an_event_that_forgot_its_audience_would_be_found():
    class Base:
        audience: ClassVar[Audience] = EVERYONE

    @frozen
    class Forgetful(Base):
        """Leaves its audience to its parent."""

    assert "audience" not in vars(Forgetful)
