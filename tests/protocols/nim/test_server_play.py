"""What moves do at the Nim door, good ones and bad ones, in time and late."""

from __future__ import annotations

import pytest

START_KEYS = ["init_stones", "init_resets", "game_time", "init_max"]


def end(peer):
    """Read the final state as what matters in it."""
    state = peer.last()
    assert state["finished"] is True
    keys = ("winner", "reason", "stones_left", "stones_removed", "reset_used")
    return tuple(state[key] for key in keys)


LOST = ("south", "Player north made an illegal move", 20, 0, False)

BAD_MOVES = [
    ('{"num_stones": "3", "reset": false}', LOST),
    ('{"num_stones": 1.5, "reset": false}', LOST),
    ('{"num_stones": true, "reset": false}', LOST),
    ('{"num_stones": null, "reset": false}', LOST),
    ('{"num_stones": [3], "reset": false}', LOST),
    ('{"num_stones": 1000001, "reset": false}', LOST),
    ('{"num_stones": -1000001, "reset": false}', LOST),
    ('{"num_stones": 1e400, "reset": false}', LOST),
    ('{"num_stones": NaN, "reset": false}', LOST),
    ('{"num_stones": ' + "9" * 800 + "}", LOST),
    ('{"num_stones": 3, "reset": "0"}', LOST),
    ('{"num_stones": 3, "reset": null}', LOST),
    ('{"num_stones": 3, "reset": []}', LOST),
    ('{"num_stones": 3, "reset": NaN}', LOST),
    ('{"reset": false}', LOST),
    ("{}", LOST),
    ("{oops}", LOST),
    ('{"num_stones": 3, "x": ' + "[" * 400 + "}", LOST),
    ('{"name": "north", "order": 0}', LOST),
    ("take 3\n", LOST),
    ("[3]", LOST),
    ("\x00", LOST),
    ('{"num_stones": 3, "x": "' + "x" * 1100 + '"}', LOST),
    ('{"num_stones": 0, "reset": true}', (*LOST[:3], 0, True)),
    ('{"num_stones": -4, "reset": false}', (*LOST[:3], -4, False)),
    ('{"num_stones": 4, "reset": false}', (*LOST[:3], 4, False)),
    ('{"num_stones": 1000000, "reset": true}', (*LOST[:3], 1_000_000, True)),
    ('{"num_stones": 1, "num_stones": 4}', (*LOST[:3], 4, False)),
    (
        '{"num_stones": 2, "reset": true}',
        ("south", "Player north used too many resets", 18, 2, True),
    ),
]


@pytest.mark.parametrize("tail", [b"", b"\n"])
@pytest.mark.parametrize(("said", "lost"), BAD_MOVES, ids=range(len(BAD_MOVES)))
def test_a_bad_move_loses_and_both_are_told_the_same(nim_door, said, lost, tail):
    with nim_door(stones=20, resets=0) as door:
        north, south = door.pair(tail)
        north.say(said.encode() + tail)
        door.pass_time(0.1)
        assert end(north) == end(south) == lost
        assert len(north.objects()) == 2
        assert north.value() == south.value()


@pytest.mark.parametrize(
    ("said", "reset"),
    [
        ('{"num_stones": 3}', False),
        ('{"num_stones": 3, "reset": 0}', False),
        ('{"num_stones": 3, "reset": 1}', True),
        ('{"num_stones": 3, "reset": true}', True),
        ('{"num_stones": 3, "reset": 1e400}', True),
        ('{"num_stones": 3.0, "reset": false, "order": "x", "more": {"a": []}}', False),
        ('{"num_stones": 9, "num_stones": 3, "reset": true, "reset": false}', False),
    ],
)
def test_a_good_move_however_written_is_told_to_both(nim_door, said, reset):
    with nim_door(stones=20) as door:
        north, south = door.pair()
        north.say(said.encode())
        door.pass_time(0.1)
        state = north.last()
        assert (state["finished"], state["stones_left"], state["reset_used"]) == (False, 17, reset)
        assert "winner" not in state and "reason" not in state
        assert north.value() == south.value()


# Out of turn


def test_a_move_out_of_turn_loses(nim_door):
    with nim_door(stones=20) as door:
        north, south = door.pair()
        south.take(2, True)
        door.pass_time(0.1)
        assert end(north) == end(south)
        assert end(north) == ("north", "Player south moved out of turn", 20, 2, True)


def test_a_second_object_in_one_segment_is_out_of_turn(nim_door):
    with nim_door(stones=20) as door:
        north, south = door.pair()
        north.say(b'{"num_stones": 2}{"num_stones": 1}')
        door.pass_time(0.2)
        assert [each.get("stones_left") for each in south.objects()] == [None, 18, 18]
        assert end(south) == ("south", "Player north moved out of turn", 18, 1, False)


def test_an_early_move_may_be_kept_for_its_turn(nim_door):
    with nim_door(stones=20, early_moves="keep") as door:
        north, south = door.pair()
        south.say(b'{"num_stones": 3}{"num_stones": 2}')
        door.settle()
        assert len(north.objects()) == 1
        north.take(1)
        door.pass_time(0.2)
        assert [each.get("stones_removed") for each in north.objects()] == [None, 1, 3]
        north.take(1)
        door.pass_time(0.2)
        assert [each.get("stones_removed") for each in south.objects()] == [None, 1, 3, 1, 2]
        assert south.value() == north.value()


def test_a_malformed_early_move_that_is_kept_loses_in_its_turn(nim_door):
    with nim_door(stones=20, early_moves="keep") as door:
        north, south = door.pair()
        south.say(b"nonsense")
        door.settle()
        assert len(north.objects()) == 1
        north.take(1)
        door.pass_time(0.2)
        assert end(north)[:2] == ("north", "Player south made an illegal move")


@pytest.mark.parametrize("early", ["lose", "keep"])
def test_what_is_sent_before_the_start_is_played_at_the_start(nim_door, early):
    with nim_door(stones=20, early_moves=early) as door:
        north = door.connect("north", 0)
        north.say(b'{"num_stones": 3}')
        south = door.connect("south", 1)
        door.pass_time(0.2)
        assert [each.get("stones_left") for each in south.objects()] == [None, 17]


def test_a_second_hello_before_the_start_is_taken_for_a_move(nim_door):
    with nim_door(stones=20) as door:
        north = door.connect("north", 0)
        north.put(name="north", order=0)
        south = door.connect("south", 1)
        door.pass_time(0.2)
        assert end(south) == LOST


# Time


@pytest.mark.parametrize("gap", [0.0, 0.05])
@pytest.mark.parametrize(("late", "in_time"), [(-0.001, True), (0.0, True), (0.001, False)])
def test_the_deadline_is_kept_to_the_millisecond(nim_door, late, in_time, gap):
    with nim_door(stones=20, seconds=8, gap=gap) as door:
        north, south = door.pair()
        door.clock.advance(8 + gap + late)  # sending late is forgiven
        north.take(3)
        door.pass_time(0.2)
        if in_time:
            assert north.last()["stones_left"] == 17
            assert north.last()["player_0"]["time_taken"] == pytest.approx(8 + late, abs=1e-6)
        else:
            assert end(north) == ("south", "Player north exceeded time limit", 20, 0, False)
        assert len(north.objects()) == len(south.objects()) == 2


def test_a_silent_player_runs_out_of_time_and_both_are_told_once(nim_door):
    with nim_door(stones=20, seconds=8) as door:
        north, south = door.pair()
        door.pass_time(3)
        north.take(3)
        door.pass_time(8.1)
        assert north.value() == south.value()
        assert end(north) == ("north", "Player south exceeded time limit", 17, 0, False)
        assert north.last()["player_1"]["time_taken"] >= 8
        assert len(north.objects()) == 3
        south.take(3)
        door.pass_time(1)
        assert len(north.objects()) == len(south.objects()) == 3


def test_a_think_is_added_to_those_before_it(nim_door):
    with nim_door(stones=50, seconds=8, gap=0) as door:
        north, south = door.pair()
        for _ in range(3):
            door.clock.advance(2.5)
            north.take(1)
            door.settle()
            south.take(1)
            door.settle()
        door.clock.advance(0.75)
        assert north.last()["finished"] and end(north)[1] == "Player north exceeded time limit"


def test_a_lazy_clock_looks_only_when_a_move_arrives(nim_door):
    with nim_door(stones=20, seconds=1, lazy_clock=True) as door:
        north, south = door.pair()
        door.clock.advance(500)
        assert len(south.objects()) == 1
        north.take(3)
        door.pass_time(0.1)
        assert end(south) == ("south", "Player north exceeded time limit", 20, 3, False)


# Leaving


@pytest.mark.parametrize("leaver", [0, 1])
def test_who_vanishes_in_the_game_has_lost_it(nim_door, leaver):
    with nim_door(stones=20) as door:
        pair = door.pair()
        pair[leaver].hang_up()
        door.pass_time(0.1)
        name, other = ("north", "south") if leaver == 0 else ("south", "north")
        assert end(pair[1 - leaver]) == (other, f"Player {name} disconnected", 20, 0, False)


@pytest.mark.parametrize("leaver", [0, 1])
def test_who_vanishes_after_a_move_was_sent_has_still_moved(nim_door, leaver):
    with nim_door(stones=20) as door:
        pair = door.pair()
        pair[0].take(3)
        pair[leaver].hang_up()
        door.pass_time(0.2)
        assert [each.get("stones_left") for each in pair[1 - leaver].objects()] == [None, 17, 17]


def test_both_may_vanish_in_one_turn(nim_door):
    with nim_door(stones=20) as door:
        for each in door.pair():
            each.hang_up()
        door.settle()
        assert len(door.hall) == 0


def test_bytes_after_the_final_state_are_discarded(nim_door):
    with nim_door(stones=3) as door:
        north, south = door.pair()
        north.take(3)
        door.pass_time(0.1)
        for said in (b'{"num_stones": 1}', b"\xff" * 5000, b"{" * 5000, b"\n\n"):
            north.say(said)
            south.say(said)
            door.pass_time(0.1)
        assert len(north.objects()) == len(south.objects()) == 2
        assert end(south)[:2] == ("north", "Player north won the game! Congrats!")


# Half-closed, as netcat is at the end of its input


@pytest.mark.parametrize("tail", [b"", b"\n"])
def test_a_half_closed_client_hears_the_answer_to_its_last_move_and_is_closed(nim_door, tail):
    with nim_door(stones=20) as door:
        north, south = door.pair(tail)
        north.take(3)
        north.end_input()
        door.pass_time(0.2)
        assert [each.get("stones_left") for each in north.objects()] == [None, 17]
        assert north.disconnecting
        assert end(south)[:2] == ("south", "Player north disconnected")


@pytest.mark.parametrize("early", ["lose", "keep"])
def test_a_half_closed_client_gets_its_victory(nim_door, early):
    with nim_door(stones=3, early_moves=early) as door:
        north = door.connect("north", 0)
        north.take(3)
        north.end_input()
        door.pass_time(5)
        assert not north.closed  # it waits for somebody to beat
        south = door.connect("south", 1)
        door.pass_time(1)
        assert end(north) == end(south)
        assert end(north)[0] == "north"
        assert north.disconnecting


def test_kept_moves_are_played_to_the_end_for_a_half_closed_client(nim_door):
    with nim_door(stones=9, early_moves="keep") as door:
        south = door.connect("south", 1, b"\n")
        for _ in range(3):
            south.take(2)
        south.end_input()
        north = door.connect("north", 0, b"\n")
        door.settle()
        for _ in range(3):
            door.pass_time(3)
            north.take(1)
            door.settle()
        assert end(south)[0] == end(north)[0] == "south"
        assert len(south.objects()) == 7
        assert south.disconnecting


def test_a_half_closed_client_with_no_move_left_is_gone(nim_door):
    with nim_door(stones=50, early_moves="keep") as door:
        south = door.connect("south", 1, b"\n")
        south.take(2)
        south.end_input()
        north = door.connect("north", 0, b"\n")
        door.settle()
        north.take(1)
        door.settle()
        assert [each.get("stones_removed") for each in south.objects()] == [None, 1, 2]
        assert south.disconnecting
        assert end(north)[:2] == ("north", "Player south disconnected")


@pytest.mark.parametrize("keep", [False, True])
def test_a_move_sent_ahead_waits_half_a_minute_for_a_game_and_no_longer(nim_door, keep):
    with nim_door() as door:
        north = door.connect("north", 0, resume=keep)
        north.take(3)
        north.end_input()
        door.pass_time(29)
        assert not north.closed and len(door.hall) == 1
        door.pass_time(1.5)
        assert (
            end(north)[1] == "Nothing more can come from you, and it was not your turn for too long"
        )
        assert north.disconnecting
        if keep:
            door.host.directory.find(next(iter(door.host.directory.joinable())).code)
            door.pass_time(130)
        assert len(door.hall) == 0


def test_in_a_game_each_move_sent_ahead_waits_so_long_for_its_turn(nim_door):
    with nim_door(stones=50, early_moves="keep") as door:
        south = door.connect("south", 1, b"\n")
        for _ in range(3):
            south.take(2)
        south.end_input()
        door.pass_time(20)
        north = door.connect("north", 0, b"\n")
        door.settle()
        door.pass_time(9)
        for _ in range(2):
            north.take(1)
            door.pass_time(29)
            assert not south.closed
        door.pass_time(1.5)
        assert south.disconnecting
        assert end(north)[:2] == ("north", "Player south disconnected")


@pytest.mark.parametrize(
    "said", [b"", b"{", b'{"name": "x", "order": 0}', b'{"name": "x", "order": 1}{']
)
def test_a_half_closed_client_that_can_do_nothing_is_closed(nim_door, said):
    with nim_door() as door:
        peer = door.connect()
        peer.say(said)
        peer.end_input()
        door.pass_time(3)
        assert peer.disconnecting
        assert len(door.hall) == 0


def test_a_half_closed_client_sees_the_final_state_that_still_waits_for_its_gap(nim_door):
    with nim_door(stones=4, gap=3) as door:
        north, south = door.pair()
        north.take(1)
        door.pass_time(6)
        south.take(3)
        door.pass_time(0.5)
        north.take(9)  # too late to matter
        north.end_input()
        door.pass_time(5)
        assert end(north)[0] == end(south)[0] == "south"
        assert north.disconnecting
