"""Faces come and go with the pages: one for each player, however many pages ask for it at once."""

from __future__ import annotations

from twisted.internet.defer import ensureDeferred

from gamecore.errors import Refused
from protocols.host.people import People
from protocols.host.slices import Slices
from protocols.net.turns import Turns
from protocols.web.face import ANSWER_SECONDS
from protocols.web.sessions import PAGE_SECONDS, STREAM_SECONDS, Sessions


class SlowHost:
    """A Host that answers when the test says so."""

    draining = False

    def __init__(self, clock):
        self.clock = clock
        self.turns = Turns(clock, clock.seconds)
        self.people = People(clock.seconds, lambda code: [], Slices(clock))
        self.asked = []
        self.dropped = []

    def come_back(self, face, token, tag):
        self.asked.append(lambda refusal=None: face.answered(tag, refusal))

    def look(self, face, tag, anew=False):
        face.answered(tag, None)

    def drop(self, face):
        self.dropped.append(face)

    leave = drop


def begin(awaited):
    """Begin to wait for something; gives a list that it will stand in."""
    came = []
    ensureDeferred(awaited).addBoth(came.append)
    return came


def test_pages_that_come_at_once_share_one_face(clock):
    host = SlowHost(clock)
    sessions = Sessions(host)
    first, second = begin(sessions.resume("A.b")), begin(sessions.resume("A.b"))
    assert (len(host.asked), first, second) == (1, [], [])
    host.asked[0]()
    assert first[0] is second[0]
    assert begin(sessions.resume("A.b"))[0] is first[0]
    assert len(sessions) == 1
    sessions.close()


def test_one_who_is_refused_is_not_remembered_nor_who_waited_with_them(clock):
    host = SlowHost(clock)
    sessions = Sessions(host)
    both = [begin(sessions.resume("A.b")) for _ in range(2)]
    host.asked[0](Refused("unknown-token"))
    assert [came[0].value.key for came in both] == ["unknown-token"] * 2
    assert not sessions.knows("A.b")
    assert len(sessions) == 0


def test_a_house_that_does_not_answer_keeps_nobody_waiting_for_ever(clock):
    host = SlowHost(clock)
    sessions = Sessions(host)
    both = [begin(sessions.resume("A.b")) for _ in range(2)]
    clock.advance(ANSWER_SECONDS)
    assert all(both)
    assert len(sessions) == 0
    assert len(host.dropped) == 1
    host.asked[0]()  # too late, and no harm


def test_a_face_is_dropped_some_time_after_its_last_page(clock):
    host = SlowHost(clock)
    sessions = Sessions(host)
    came = begin(sessions.resume("A.b"))
    host.asked[0]()
    (face,) = came
    clock.advance(PAGE_SECONDS - 1)
    begin(sessions.resume("A.b"))  # another page
    clock.advance(PAGE_SECONDS - 1)
    stream = object()
    face.streams.append(stream)
    sessions.stream_opened(face)
    clock.advance(10 * PAGE_SECONDS)
    assert host.dropped == []
    face.streams.remove(stream)
    sessions.stream_closed(face)
    clock.advance(STREAM_SECONDS - 1)
    assert host.dropped == []
    clock.advance(1)
    assert host.dropped == [face]
    assert not sessions.knows("A.b")


def test_a_place_that_was_lost_is_looked_for_anew_but_not_one_that_was_taken_over(clock):
    host = SlowHost(clock)
    sessions = Sessions(host)
    came = begin(sessions.resume("A.b"))
    host.asked[0]()
    came[0].parted("taken-over")
    assert begin(sessions.resume("A.b"))[0] is came[0]
    sessions.take_back("A.b")
    again = begin(sessions.resume("A.b"))
    host.asked[1]()
    assert again[0] is not came[0]
    again[0].parted("table-lost")
    third = begin(sessions.resume("A.b"))
    host.asked[2]()
    assert third[0] not in (came[0], again[0])
    sessions.close()
