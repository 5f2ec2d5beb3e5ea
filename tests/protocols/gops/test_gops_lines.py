"""What only clients that speak lines can do: look on, come back, and ask what there is to say."""

from __future__ import annotations

import pytest

from protocols.gops import wire_events


def token_of(told):
    return next(each for each in told if each.startswith("TOKEN~")).removeprefix("TOKEN~")


def test_lines_and_frames_play_with_each_other(gops_door):
    with gops_door(cards=2, order="ascending") as door:
        north, code = door.create("north", lines=True)
        south = door.connect("south")
        south.say(f"JOIN-GAME~{code}")
        told = north.hear()
        assert told[2:5] == [
            "INFO~---------- Round 1 ----------",
            "INFO~north's Points: 0, south's Points: 0",
            "INFO~Current card: [A♦] ",
        ]
        for number in (1, 2):
            north.play(code, number)
            south.play(code, 3 - number)
        assert north.hear()[-1] == south.hear()[-1] == wire_events.END


def test_a_client_that_reads_lines_can_wait_for_the_greeting(gops_door):
    with gops_door() as door:
        client = door.connect()
        assert client.value().endswith(b"server!\n")


def test_where_the_greeting_is_a_frame_only_a_line_end_follows_it(gops_door):
    with gops_door(line_greeting=False) as door:
        client = door.connect(lines=True)
        client.say("HELP")
        assert client.hear()[0].endswith(wire_events.WELCOME)
        client.say("HELP")
        assert client.hear() == list(wire_events.HELP)


def test_a_last_line_without_its_end_is_still_read(gops_door):
    with gops_door() as door:
        client = door.connect(lines=True)
        client.send(b"SET-USERNAME~wren\nSTART-GAME")
        client.end_input()
        assert wire_events.WAITING in client.hear()
        door.clock.advance(3)
        assert client.closed


def test_a_token_comes_behind_the_answer_that_was_asked_for(gops_door):
    with gops_door() as door:
        client = door.connect(lines=True)
        client.hear()
        client.say("START-GAME")
        heads = [each.split("~")[0] for each in client.hear()]
        assert heads == ["INFO", "SET-ID", "INFO", "TOKEN"]


def test_frames_are_never_sent_a_token(gops_door):
    with gops_door() as door:
        north, south, _ = door.pair()
        assert "TOKEN" not in north.value().decode() + south.value().decode()


def test_a_player_who_lost_the_link_comes_back_with_the_token(gops_door):
    with gops_door(order="ascending") as door:
        north, code = door.connect("north", lines=True), None
        north.say("START-GAME")
        told = north.hear()
        code, token = told[1].removeprefix("SET-ID~"), token_of(told)
        south = door.connect("south")
        south.say(f"JOIN-GAME~{code}")
        south.hear()
        north.play(code, 9)
        north.hang_up()
        assert south.hear() == ["INFO~north lost the connection; the seat is kept for 60 seconds"]
        back = door.connect("somebody", lines=True)
        back.say(f"RETURN~{token}")
        told = back.hear()
        assert told[:2] == [f"TRUE~[RETURNED] Back in game {code}", f"SET-ID~{code}"]
        assert told[-1] == "INFO~Waiting for south to play..."
        assert south.hear() == ["INFO~north is back"]
        south.play(code, 8)
        assert "INFO~north wins this round!" in back.hear()


def test_one_who_does_not_come_back_in_time_has_lost(gops_door):
    with gops_door(grace=30) as door:
        north, south, _ = door.pair((True, False))
        north.hang_up()
        south.hear()
        door.clock.advance(30)
        assert south.hear() == [
            "INFO~north did not come back; south wins the game!",
            wire_events.END,
        ]


def test_whoever_shows_the_token_takes_over(gops_door):
    with gops_door() as door:
        north = door.connect("north", lines=True)
        north.say("START-GAME")
        token = token_of(north.hear())
        again = door.connect("again", lines=True)
        again.say(f"RETURN~{token}")
        assert again.hear()[0].startswith("TRUE~")
        assert north.hear() == ["INFO~You came back by another connection", wire_events.END]
        assert north.closed and not again.closed


@pytest.mark.parametrize("token", ["", "x", "ABCDE.00", "~"])
def test_a_token_that_nobody_was_given_brings_nobody_back(gops_door, token):
    with gops_door() as door:
        client = door.connect("north", lines=True)
        client.say(f"RETURN~{token}")
        assert client.hear() == [wire_events.join_refused("unknown-token")]
        client.say("START-GAME")
        assert wire_events.WAITING in client.hear()


def test_a_watcher_sees_everything_that_is_open(gops_door):
    with gops_door(order="ascending", cards=2) as door:
        north, south, code = door.pair()
        watcher = door.connect("watcher", lines=True)
        watcher.say(f"SPECTATE~{code.lower()}")
        assert watcher.hear() == [
            f"TRUE~[WATCHING] Looking on at game {code}",
            f"SET-ID~{code}",
            "INFO~---------- Round 1 ----------",
            "INFO~north's Points: 0, south's Points: 0",
            "INFO~Current card: [A♦] ",
        ]
        watcher.play(code, 1)
        assert watcher.hear() == ["INFO~You only look on at this game"]
        south.play(code, 1)
        assert watcher.hear() == ["INFO~south has chosen a card"]
        late = door.connect("late", lines=True)
        late.say(f"SPECTATE~{code}")
        assert late.hear()[-1] == "INFO~south has chosen a card"
        north.play(code, 2)
        assert "INFO~north [2♠] : [A♣] south " in watcher.hear()
        north.hang_up()
        assert (
            watcher.hear()
            == late.hear()[-2:]
            == [
                "INFO~north lost the connection; south wins the game!",
                wire_events.END,
            ]
        )
        watcher.say("START-GAME")
        assert wire_events.WAITING in watcher.hear()


def test_nobody_looks_on_at_what_is_not_there(gops_door):
    with gops_door(watchers=False) as door:
        watcher = door.connect("watcher", lines=True)
        watcher.say("SPECTATE~NOSUCH")
        assert watcher.hear() == [wire_events.NO_GAME]
        code = door.create()[1]
        watcher.say(f"SPECTATE~{code}")
        assert watcher.hear() == [wire_events.join_refused("no-watchers")]


def test_a_line_too_long_is_refused_and_the_connection_kept(gops_door):
    with gops_door() as door:
        client = door.connect("x", lines=True)
        client.send(b"x" * 2000 + b"\n")
        assert client.hear() == ["INFO~A line is too long"]
        assert not client.closed
        client.send(b"x" * 300_000)
        assert client.closed


def test_a_bot_that_plays_on_is_told_of(gops_door):
    with gops_door(absent="bot", order="ascending") as door:
        north, south, code = door.pair()
        south.hang_up()
        assert north.hear()[0] == "INFO~south (bot) plays on"
        north.play(code, 13)
        door.clock.advance(1)
        door.settle()
        assert any("[K♠] : " in each for each in north.hear())
