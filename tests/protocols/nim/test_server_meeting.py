"""How clients of the Nim door meet, how they are named, and how they are turned away."""

from __future__ import annotations

import json

import pytest

EMOJI = "\U0001f3b2"
START = {"init_stones": 100, "init_resets": 4, "game_time": 120, "init_max": 3}
NO_START = {"init_stones": 0, "init_resets": 0, "game_time": 0, "init_max": 0}


def names(peer):
    """Let the first player move, and read the names in the state that follows."""
    state = peer.last()
    return [state["player_0"]["name"], state["player_1"]["name"]]


def refused(door, peer):
    """Read the reason of a polite refusal: zeros, then a gap later a complete final state."""
    door.pass_time(1)
    start, final = peer.objects()[-2:]
    assert start == NO_START
    assert final["finished"] is True and final["winner"] == ""
    assert {"current_max", "stones_left", "player_0", "player_1"} <= set(final)
    (first, _), (second, _) = peer.writes[-2:]
    assert second - first >= 0.05 - 1e-9
    return final["reason"]


# Meeting


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_two_who_come_with_both_orders_begin_at_once(nim_door, end):
    with nim_door() as door:
        first = door.connect("north", 0, end)
        door.settle()
        assert first.value() == b""
        second = door.connect("south", 1, end)
        door.settle()
        assert first.objects() == second.objects() == [START]


def test_order_1_may_come_first_and_seats_follow_order(nim_door):
    with nim_door() as door:
        south, north = door.connect("south", 1), door.connect("north", 0)
        door.settle()
        north.take(1)
        door.pass_time(0.1)
        assert names(south) == ["north", "south"]


def test_the_second_with_the_same_order_waits_silently_for_the_next_table(nim_door):
    with nim_door() as door:
        first, second = door.connect("a", 0), door.connect("b", 0)
        door.settle()
        assert len(door.hall) == 2
        third = door.connect("c", 1)
        door.settle()
        assert [bool(each.value()) for each in (first, second, third)] == [True, False, True]
        fourth = door.connect("d", 1)
        door.settle()
        second.take(1)
        door.pass_time(0.1)
        assert names(fourth) == ["b", "d"]


@pytest.mark.parametrize("order", [0, 1])
def test_who_has_waited_longest_is_met_first(nim_door, order):
    with nim_door() as door:
        waiting = [door.connect(f"w{number}", order) for number in range(4)]
        for number, each in enumerate(waiting):
            door.connect(f"c{number}", 1 - order)
            door.settle()
            assert [bool(w.value()) for w in waiting] == [w <= number for w in range(4)]
            assert each.value()


def test_who_left_while_waiting_is_met_by_nobody(nim_door):
    with nim_door() as door:
        gone = door.connect("gone", 0)
        door.settle()
        gone.hang_up()
        late = door.connect("late", 1)
        door.settle()
        assert late.value() == b""
        assert len(door.hall) == 1
        north = door.connect("north", 0)
        door.settle()
        assert north.objects() == late.objects() == [START]


def test_tables_are_independent(nim_door):
    with nim_door() as door:
        pairs = [door.pair(b"\n") for _ in range(3)]
        pairs[1][0].take(2)
        door.settle()
        assert [len(north.objects()) for north, _ in pairs] == [1, 2, 1]
        pairs[1][0].hang_up()
        door.settle()
        assert [len(south.objects()) for _, south in pairs] == [1, 3, 1]


def test_two_can_meet_at_a_table_by_its_name(nim_door):
    with nim_door() as door:
        north = door.connect("north", 0, table="ours")
        stranger = door.connect("stranger", 1)
        other = door.connect("other", 1, table="theirs")
        door.settle()
        assert north.value() == stranger.value() == other.value() == b""
        south = door.connect("south", 1, table=" ours\x07 ")
        door.settle()
        assert north.objects() == south.objects() == [START]
        assert stranger.value() == other.value() == b""


def test_the_name_of_a_table_can_be_used_again_once_its_game_has_begun(nim_door):
    with nim_door() as door:
        pairs = []
        for _ in range(3):
            north = door.connect("north", 0, b"\n", table="ours")
            pairs.append((north, door.connect("south", 1, b"\n", table="ours")))
            door.settle()
        assert all(each.objects() == [START] for pair in pairs for each in pair)
        pairs[0][0].hang_up()
        waiting = door.connect("late", 0, b"\n", table="ours")
        pairs[1][0].hang_up()  # whose game began long ago, and takes no name from who waits now
        met = door.connect("later", 1, b"\n", table="ours")
        door.settle()
        assert waiting.objects() == met.objects() == [START]


def test_two_can_meet_at_a_table_by_its_code_in_any_case(nim_door):
    with nim_door() as door:
        for change in (str.upper, str.lower):
            table = door.host.hall.find(
                door.host.open("nim", "friday", {"stones": 7}, {"private": True}).code
            )
            north = door.connect("north", 0, table=change(table.code))
            south = door.connect("south", 1, table=change(table.code))
            door.settle()
            assert north.objects() == south.objects() == [START | {"init_stones": 7}]


def test_a_seat_that_is_taken_at_a_named_table_is_refused(nim_door):
    with nim_door() as door:
        door.connect("north", 0, table="ours")
        late = door.connect("late", 0, table="ours")
        door.settle()
        assert "taken" in refused(door, late)


def test_a_code_of_a_table_that_was_met_before_names_a_new_one(nim_door):
    with nim_door() as door:
        table = door.host.hall.find(door.host.open("nim", "", {}, {}).code)
        for seat, name in enumerate(("north", "south")):
            door.connect(name, seat, table=table.code)
        late = door.connect("late", 0, table=table.code)
        door.settle()
        assert late.value() == b""
        assert len(door.hall) == 2


# Names


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ("same", "same", ["same", "same (2)"]),
        ("Same", "sAME", ["Same", "sAME (2)"]),
        ("x" * 64, "x" * 64, ["x" * 64, "x" * 60 + " (2)"]),
        (
            "\u00e9" * 10 + "abcd",
            "\u00e9" * 10 + "abcd",
            ["\u00e9" * 10 + "abcd", "\u00e9" * 10 + " (2)"],
        ),
        (EMOJI * 9, EMOJI * 9, [EMOJI * 5, EMOJI * 5 + " (2)"]),
        ("x" * 60 + " (2)", "x" * 60 + " (2)", ["x" * 60 + " (2)", "x" * 60 + " (3)"]),
        ("", "", ["player_0", "player_1"]),
        ("\x1b[2J", "\u202egnp.exe\u202c", ["[2J", "gnp.exe"]),
        ("a\r\nb", "a\tc", ["a b", "a c"]),
    ],
)
def test_names_are_clean_different_and_short_enough(nim_door, first, second, shown):
    with nim_door() as door:
        north, south = door.connect(first, 0), door.connect(second, 1)
        door.settle()
        north.take(1)
        door.pass_time(0.1)
        assert names(north) == names(south) == shown
        assert all(len(json.dumps(each)) - 2 <= 64 for each in shown)
        assert all(len(data) < 1024 for _, data in north.writes)


# Turned away


BAD_HELLOS = [
    b"hello\n",
    b"\n\r \tGET / HTTP/1.0\r\n\r\n",
    b"[]",
    b"3",
    b"\xff\xfd\x01",
    b"{}",
    b"{'name': 1}",
    b'{"name": "north"}',
    b'{"name": "north", "order": 2}',
    b'{"name": "north", "order": "0"}',
    b'{"name": "north", "order": null}',
    b'{"name": null, "order": 0}',
    b'{"name": ["north"], "order": 0}',
    b'{"num_stones": 3, "reset": false}',
    b'{"name": "' + b"x" * 1100 + b'", "order": 0}',
    b'{"name": ' + b"[" * 600,
    b"{" * 1200,
]


@pytest.mark.parametrize("said", BAD_HELLOS, ids=range(len(BAD_HELLOS)))
def test_what_is_no_hello_gets_one_object_and_is_closed(nim_door, said):
    with nim_door() as door:
        peer = door.connect()
        peer.say(said)
        door.pass_time(11)  # an object that is only unfinished is given its ten seconds
        (final,) = peer.objects()
        assert list(final) == ["finished", "reason"] and final["finished"] is True
        assert peer.closed
        peer.say(b'{"name": "north", "order": 0}')
        assert len(door.hall) == 0


def test_who_says_nothing_is_closed_after_ten_seconds(nim_door):
    with nim_door() as door:
        peer = door.connect()
        door.clock.advance(9.9)
        assert not peer.closed
        door.clock.advance(0.2)
        assert peer.closed
        assert [list(each) for each in peer.objects()] == [["finished", "reason"]]


def test_who_says_a_hello_too_slowly_is_closed_ten_seconds_after_connecting(nim_door):
    with nim_door() as door:
        peer = door.connect()
        for byte in b'{"name": "nort':
            peer.say(bytes([byte]))
            door.clock.advance(0.75)
        assert peer.closed


def test_who_waits_for_an_opponent_may_be_silent(nim_door):
    with nim_door() as door:
        north = door.connect("north", 0)
        door.settle()
        door.clock.advance(3000)
        south = door.connect("south", 1)
        door.settle()
        assert north.objects() == south.objects() == [START]


def test_to_whom_nobody_comes_is_told_so_in_the_end(nim_door):
    with nim_door(expiry=600) as door:
        peer = door.connect("north", 0)
        door.settle()
        door.clock.advance(601)
        assert "Nobody came" in refused(door, peer)


def test_a_full_hall_refuses_politely(nim_door):
    with nim_door(most=1) as door:
        waiting = door.connect("north", 0)
        late = door.connect("late", 0)
        door.settle()
        assert "too many tables" in refused(door, late)
        assert waiting.value() == b""
        south = door.connect("south", 1)  # there is still a seat at the one table
        door.settle()
        assert south.objects() == [START]


def test_a_line_client_is_refused_with_the_same_two_objects_and_closed_at_once(nim_door):
    with nim_door(most=1) as door:
        door.connect("north", 0)
        late = door.connect("late", 0, b"\n")
        door.settle()
        start, final = late.objects()
        assert start == NO_START and final["finished"]
        assert late.closed


def test_a_daemon_that_closes_says_so_to_those_who_wait_and_those_who_play(nim_door):
    with nim_door() as door:
        playing = door.pair()
        waiting = door.connect("late", 0)
        door.settle()
        closed = door.host.close()
        door.pass_time(1)
        assert closed.called
        assert "closing" in refused(door, waiting)
        for each in playing:
            assert each.objects()[0] == START
            assert each.last()["finished"] and "closing" in each.last()["reason"]
        everyone_gone = door.factory.dismiss_all("closing")
        for each in door.peers:
            assert each.closed and each.last()["reason"] == "The server is closing"
            each.hang_up()
        assert everyone_gone.called
        for table in list(door.host.service.live):  # live tables outlast the daemon
            door.hall.forget(table.table)
            door.journal.retire(table.table.code)
