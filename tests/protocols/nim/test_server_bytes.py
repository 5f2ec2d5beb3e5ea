"""The Nim door whatever the segments of its bytes are, and whatever the bytes are."""

from __future__ import annotations

import gc
import json
import tracemalloc
import weakref

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gamecore.table import Table

HELLO = b'{"name": "a}{\\"", "order": 0}'
MOVES = [b'{"num_stones": 3, "x": "}{"}', b'{"num_stones": 2}', b'{"num_stones": 1, "reset": true}']


def play(door, say):
    """Let south play against whoever says the rest; south's moves wait until they can be played."""
    north, south = door.connect(), door.connect("south", 1, b"\n")
    for _ in range(3):
        south.take(1)
    say(north)
    door.pass_time(1)
    return [each.get("stones_removed") for each in south.objects()]


WHOLE = [None, 3, 1, 2, 1, 1, 1]


@pytest.mark.parametrize("between", [b"", b"\n", b"\r\n", b" \t\n \n"])
def test_all_in_one_segment_is_as_good_as_one_by_one(nim_door, between):
    said = between.join([HELLO, *MOVES, b""])
    with nim_door(stones=50, early_moves="keep") as door:
        assert play(door, lambda north: north.say(said)) == WHOLE


def cut_in_two(said):
    for at in range(1, len(said)):
        yield [said[:at], said[at:]]


@pytest.mark.parametrize("between", [b"", b"\n"])
def test_everything_may_be_cut_at_every_byte(nim_door, between):
    said = between.join([HELLO, *MOVES, b""])
    every_byte = [said[at : at + 1] for at in range(len(said))]
    for segments in [every_byte, *cut_in_two(said)]:
        with nim_door(stones=50, early_moves="keep") as door:

            def say(north, door=door, segments=segments):
                for segment in segments:
                    north.say(segment)
                    door.settle()

            assert play(door, say) == WHOLE


@given(st.data())
def test_everything_may_be_cut_anywhere(nim_door, data):
    said = b"".join([HELLO, *MOVES])
    cuts = sorted(data.draw(st.sets(st.integers(1, len(said) - 1))))
    with nim_door(stones=50, early_moves="keep") as door:

        def say(north):
            for start, end in zip([0, *cuts], [*cuts, len(said)], strict=True):
                north.say(said[start:end])
                door.clock.advance(data.draw(st.sampled_from([0, 0.01, 0.1])))

        assert play(door, say) == WHOLE


OTHER_HELLO = b'{"name": "b", "order": 1}'
PIECES = [b"{", b"}", b'{"', b"\n", b'{"num_stones": 1}', b'{"num_stones": 9}', HELLO, OTHER_HELLO]
LONG = [b"{" * 1100, b"\x00" * 1100, b'{"x": "' + b"y" * 500]
GARBAGE = st.binary(max_size=60) | st.sampled_from([*PIECES, *LONG])


@given(st.lists(GARBAGE, max_size=12), st.booleans(), st.booleans())
@example([HELLO, b"{", b"{"], True, True)
def test_no_bytes_whatever_hurt_the_door(nim_door, segments, keep, opponent):
    early = "keep" if keep else "lose"
    with nim_door(stones=9, early_moves=early) as door:
        if opponent:
            door.connect("south", 1)
        peer = door.connect()
        for segment in segments:
            if not peer.closed:
                peer.say(segment)
            door.clock.advance(0.5)
        door.pass_time(11)
        assert (
            peer.closed or peer.value() or peer.link.place is not None
        )  # it waits for an opponent
        for _, data in peer.writes:
            assert data.endswith(b"\n") and data.count(b"\n") == 1
            json.loads(data)


# Limits


def test_an_object_unfinished_for_ten_seconds_is_malformed(nim_door):
    with nim_door(stones=20) as door:
        north, south = door.pair()
        north.say(b'{"num_stones": 3')
        door.clock.advance(9.9)
        assert len(south.objects()) == 1
        north.say(b', "reset": ')  # a little more does not help
        door.clock.advance(0.2)
        door.pass_time(0.1)
        assert south.last()["reason"] == "Player north made an illegal move"


def test_an_object_finished_in_time_stops_the_clock_for_it(nim_door):
    with nim_door(stones=20) as door:
        north, south = door.pair()
        north.say(b'{"num_stones": 3')
        door.clock.advance(9.9)
        north.say(b"}")
        door.pass_time(30)
        assert not south.last()["finished"]


def test_more_than_1024_bytes_before_the_start_are_refused_politely(nim_door):
    with nim_door() as door:
        north = door.connect("north", 0)
        for _ in range(80):
            north.say(b'{"num_stones": 3}')
        door.pass_time(1)
        start, final = north.objects()
        assert start["init_stones"] == 0 and "Too much" in final["reason"]
        assert len(door.hall) == 0


def test_more_early_moves_than_are_kept_lose(nim_door):
    with nim_door(early_moves="keep") as door:
        north, south = door.pair()
        for _ in range(80):
            south.say(b'{"num_stones": 3}')
        door.pass_time(1)
        assert north.last()["reason"] == "Player south disconnected"
        assert south.last()["finished"] is True


@pytest.mark.parametrize(
    "segment", [b"A" * 65_536, b"\n" * 65_536, b"{" * 65_536, b"x", b'{"a": "']
)
def test_what_goes_on_for_ever_takes_no_memory(nim_door, segment):
    with nim_door(early_moves="keep") as door:
        north, _ = door.pair()
        waiting = door.connect("late", 0)
        talkers = [waiting, door.connect(), north]
        for each in talkers:
            each.say(segment)
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(150):  # less than an object a piece would show
            for each in talkers:
                each.say(segment)
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert grown < 20_000


# Nothing is left behind


def test_many_games_leave_nothing_behind(nim_door):
    with nim_door(stones=5) as door:
        gone = []
        for number in range(300):
            north, south = door.pair(b"\n" if number % 2 else b"")
            north.take(3)
            door.clock.advance(0.1)
            if number % 3 == 0:
                south.hang_up()
            elif number % 3 == 1:
                south.take(2)
            else:
                south.take(9)
            door.clock.advance(0.1)
            assert north.last()["finished"] is True
            gone += [weakref.ref(north.link), weakref.ref(north.link.place)]
            for each in (north, south):
                each.hang_up()
            door.peers.clear()
            door.settle()
            assert len(door.hall) == len(door.clock.getDelayedCalls()) == 0
            del north, south, each
        gc.collect()
        assert [ref() for ref in gone if ref() is not None] == []
        assert not [each for each in gc.get_objects() if isinstance(each, Table)]


@pytest.mark.parametrize("prompt", ["connect", "hello", "start", "move", "end"])
def test_a_link_may_be_lost_at_any_moment(nim_door, prompt):
    with nim_door(stones=5) as door:
        for _ in range(50):
            north = door.connect()
            moments = {
                "connect": lambda: None,
                "hello": lambda north=north: north.put(name="north", order=0),
                "start": lambda: (door.connect("south", 1), door.settle()),
                "move": lambda north=north: north.take(3),
                "end": lambda: (door.peers[-1].take(2), door.clock.advance(0.2)),
            }
            for name, happen in moments.items():
                happen()
                if name == prompt:
                    break
            for each in door.peers:
                each.hang_up()
            door.settle()
            assert len(door.hall) == len(door.clock.getDelayedCalls()) == 0
            door.peers.clear()


def test_a_person_who_types_words_is_told_what_is_said_here(nim_door):
    with nim_door() as door:
        peer = door.connect(None)
        peer.say(b"help\r\n")
        door.settle()
        assert '{"name": "you", "order": 0}' in peer.objects()[-1]["reason"]
