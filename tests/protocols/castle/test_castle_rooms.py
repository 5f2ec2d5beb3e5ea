"""Rooms, coming back, playing alone, and a link that is lost."""

from __future__ import annotations

import json

import pytest

from gamecore.commands import Abandon
from gamecore.games.castle import SAMPLE_DECKS
from protocols.net.admission import AdmissionSettings

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]


def names(messages):
    return [each["COMMAND"] for each in messages]


def all_of(peer):
    return peer.objects()


# -- rooms ----------------------------------------------------------------------------


def test_a_room_is_opened_listed_and_joined_by_its_code(castle_door):
    with castle_door() as door:
        host, guest = door.connect(), door.connect()
        (made,) = host.put("ROOM_CREATE", GAME_NAME="Friday")
        assert made["SUCCESS"]
        (listed,) = guest.put("ROOM_LIST")
        assert listed["ROOMS"] == [
            {
                "ROOM": made["ROOM"],
                "GAME_NAME": "Friday",
                "PLAYER_COUNT": 0,
                "MAX_PLAYERS": 2,
                "IS_PASSWORDED": False,
            }
        ]
        host.put("JOIN_GAME", USERNAME="red", DECK_DATA=DECK, ROOM=made["ROOM"])
        guest.put("JOIN_GAME", USERNAME="blue", DECK_DATA=DECK, ROOM=made["ROOM"].lower())
        assert "GAME_INIT" in names(host.news())
        assert door.connect().put("ROOM_LIST")[0]["ROOMS"] == []


def test_a_room_with_a_password_lets_nobody_in_without_it(castle_door):
    with castle_door() as door:
        host = door.connect()
        (made,) = host.put("ROOM_CREATE", GAME_NAME="Friday", PASSWORD="xyzzy")
        assert door.connect().put("ROOM_LIST")[0]["ROOMS"][0]["IS_PASSWORDED"]
        wrong = door.join("green", PASSWORD="nope", ROOM=made["ROOM"])
        assert wrong.closed and all_of(wrong)[0]["CODE"] == "BAD_PASSWORD"
        other = door.join("blue")
        assert all_of(other)[0]["ROOM"] != made["ROOM"], "who names no room comes to another"
        right = door.join("red", PASSWORD="xyzzy", ROOM=made["ROOM"])
        assert all_of(right)[0]["SUCCESS"]


def test_a_private_room_is_in_no_list(castle_door):
    with castle_door() as door:
        (made,) = door.connect().put("ROOM_CREATE", PRIVATE=True)
        assert door.connect().put("ROOM_LIST")[0]["ROOMS"] == []
        assert all_of(door.join("red", ROOM=made["ROOM"]))[0]["SUCCESS"]


def test_one_address_does_not_fill_the_house_by_coming_again(castle_door):
    with castle_door() as door:
        door.host.admission.follow(AdmissionSettings(tables_at_once=20, tables_a_minute=0.1))
        made = [
            door.connect().put("ROOM_CREATE")[0].get("CODE", "") for _ in range(5) for _ in range(5)
        ]
        assert made == [""] * 20 + ["NOT_ALLOWED"] * 5


def test_two_who_come_at_once_to_a_locked_house_meet(castle_door):
    with castle_door(room_password="xyzzy") as door:
        peers = [door.connect() for _ in range(2)]
        for name, peer in zip(("red", "blue"), peers, strict=True):
            said = {
                "COMMAND": "JOIN_GAME",
                "USERNAME": name,
                "DECK_DATA": DECK,
                "PASSWORD": "xyzzy",
                "EXTENSIONS": False,
            }
            peer.link.dataReceived(json.dumps(said).encode() + b"\n")
        door.settle()
        assert "GAME_INIT" in names(peers[0].news()) and "GAME_INIT" in names(peers[1].news())


# -- alone ----------------------------------------------------------------------------


@pytest.mark.parametrize("level", [True, "easy", "normal", "hard"])
def test_one_plays_alone_against_the_computer(castle_door, level):
    with castle_door() as door:
        red = door.join("red", SOLO=level)
        heard = all_of(red)
        assert names(heard)[:3] == ["JOIN_GAME_RESP", "PLAYER_JOINED", "GAME_INIT"]
        assert "bot" in heard[1]["USERNAME"]
        red.put("GAME_START_ACCEPT")
        for _ in range(40):
            door.clock.advance(0.5)
            if b"TURN_START" in red.value():
                break
        assert b"TURN_START" in red.value()
        assert door.connect().put("ROOM_LIST")[0]["ROOMS"] == []


def test_who_plays_alone_need_bring_no_deck(castle_door):
    with castle_door() as door:
        red = door.connect()
        assert red.put("JOIN_GAME", USERNAME="red", SOLO=True)[0]["SUCCESS"]


# -- links ----------------------------------------------------------------------------


def test_a_lost_link_loses_unless_its_seat_was_to_be_kept(castle_door):
    with castle_door() as door:
        red, blue = door.pair()
        red.hang_up()
        assert blue.news() == [{"COMMAND": "GAME_END", "WINNER_ID": 1, "REASON": "LEFT"}]


def test_who_is_kept_a_seat_comes_back_to_the_whole_board(castle_door):
    with castle_door() as door:
        red, blue = door.pair(EXTENSIONS=True)
        token = all_of(red)[0]["TOKEN"]
        red.hang_up()
        assert "GAME_END" not in names(blue.news())
        again = door.connect()
        welcome, state = again.put("REJOIN_GAME", TOKEN=token)
        assert (welcome["SUCCESS"], welcome["PLAYER_ID"]) == (True, 0)
        assert (state["COMMAND"], state["STAGE"], state["TURN"]) == ("STATE", "TURN", 1)
        assert len(state["MY_HAND"]) == 6 and -1 not in state["MY_HAND"]
        assert state["THEIR_HAND"] == [-1] * 6
        assert names(again.put("TURN_END")) == ["TURN_START"]


def test_who_comes_back_takes_over_from_the_older_link(castle_door):
    with castle_door() as door:
        red, _ = door.pair(EXTENSIONS=True)
        again = door.connect()
        again.put("REJOIN_GAME", TOKEN=all_of(red)[0]["TOKEN"])
        assert red.closed and red.news()[-1]["CODE"] == "PARTED"
        assert names(again.put("TURN_END")) == ["TURN_START"]


def test_a_question_is_asked_again_of_who_comes_back(castle_door, deck, ids):
    tops = [["squire", "warlock", "seeker", "seeker", "oracle", "oracle"]], [[]]
    with castle_door(*tops) as door:
        red, _ = door.pair((deck(*tops[0][0]), DECK), EXTENSIONS=True)
        play = {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": ids["squire"]}
        heard = red.put("PLAY_CARD", **play, ABILITY_TRIGGERED=False)
        (asked,) = (each for each in heard if each["COMMAND"] == "TARGET_CARD")
        token = all_of(red)[0]["TOKEN"]
        red.hang_up()
        again = door.connect()
        *_, question = again.put("REJOIN_GAME", TOKEN=token)
        assert question == asked
        assert "DRAW_CARD_RESP" in names(
            again.put("TARGET_CARD_RESP", CARD_POS=asked["VALID_REGION"][0])
        )


def test_asking_for_the_board_changes_nothing_that_is_asked(castle_door, deck, ids):
    tops = [["squire", "warlock", "seeker", "seeker", "oracle", "oracle"]], [[]]
    with castle_door(*tops) as door:
        red, _ = door.pair((deck(*tops[0][0]), DECK))
        play = {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": ids["squire"]}
        *_, asked = red.put("PLAY_CARD", **play, ABILITY_TRIGGERED=False)
        assert names(red.put("STATE_REQUEST")) == ["STATE"]
        heard = red.put("TARGET_CARD_RESP", CARD_POS=asked["VALID_REGION"][0])
        assert names(heard) == ["DRAW_CARD_RESP", "SHUFFLE_DECK"]


def test_a_wrong_token_brings_nobody_back(castle_door):
    with castle_door() as door:
        peer = door.connect()
        (reply,) = peer.put("REJOIN_GAME", TOKEN="NOSUCH.0")
        assert (reply["SUCCESS"], reply["CODE"]) == (False, "BAD_TOKEN") and peer.closed


def test_what_a_card_is_worth_is_told_to_both_who_want_to_know(castle_door, deck, ids):
    tops = [["warlock", "squire", "seeker", "seeker", "oracle", "oracle"]], [[]]
    with castle_door(*tops) as door:
        red, blue = door.pair((deck(*tops[0][0]), DECK), EXTENSIONS=True)
        play = {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": ids["warlock"]}
        heard = red.put("PLAY_CARD", **play, ABILITY_TRIGGERED=False)
        worth = {"CARD_ID": ids["warlock"], "POINTS": 5, "LEVEL": 0, "STUNNED": False}
        assert heard[-1] == {"COMMAND": "CARD_STATE", "POS": "MY_SOLDIER_1", **worth}
        assert blue.news()[-1] == {"COMMAND": "CARD_STATE", "POS": "THEIR_SOLDIER_1", **worth}


def test_requests_that_come_together_are_done_in_their_order(castle_door, deck, ids):
    tops = [["warlock", "squire", "seeker", "seeker", "oracle", "oracle"]], [[]]
    with castle_door(*tops) as door:
        red, blue = door.pair((deck(*tops[0][0]), DECK))
        play = {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1", "CARD_ID": ids["warlock"]}
        said = [
            {"COMMAND": "PLAY_CARD", **play, "ABILITY_TRIGGERED": False},
            {"COMMAND": "TURN_END"},
            {"COMMAND": "TURN_END"},
        ]
        red.say(b"".join(json.dumps(each).encode() + b"\r\n" for each in said))
        assert names(red.news()) == ["PLAY_CARD_RESP", "MOVE_CARD", "TURN_START", "ERROR"]
        assert names(blue.news()) == ["PLAY_CARD_RESP", "MOVE_CARD", "TURN_START"]


def test_a_half_closed_client_still_gets_its_answers(castle_door):
    with castle_door() as door:
        peer = door.connect()
        peer.link.dataReceived(b'{"COMMAND":"ROOM_LIST"}\n')
        peer.end_input()
        assert names(peer.news()) == ["ROOM_LIST_RESP"] and peer.closed


def test_time_plays_for_who_does_not(castle_door):
    with castle_door(seconds=20, response_seconds=10, idle=0) as door:
        red, blue = door.pair(keep=False)
        for _ in range(2):
            door.clock.advance(11)
            door.settle()
        assert "TURN_START" in names(red.news())
        for _ in range(8):
            door.clock.advance(20)
            door.settle()
        starts = [each for each in all_of(blue) if each["COMMAND"] == "TURN_START"]
        assert [each["PLAYER_ID"] for each in starts][:5] == [0, 1, 0, 1, 0]


def test_after_a_game_one_may_join_another(castle_door):
    with castle_door() as door:
        red, blue = door.pair()
        red.put("TERMINATE_CONN")
        blue.news()
        assert blue.put("JOIN_GAME", USERNAME="blue", DECK_DATA=DECK)[0]["SUCCESS"]


# -- tables that are no more ----------------------------------------------------------


def close_all(door, why):
    """Let the house close all tables, for a reason of its own."""
    for table in list(door.hall._tables.values()):
        door.host.command(None, table, Abandon(why))
    door.settle()


@pytest.mark.parametrize("why", ["expired", "bug"])
def test_who_waits_at_a_table_that_is_closed_hears_why(castle_door, why):
    with castle_door() as door:
        red = door.join("red", EXTENSIONS=True)
        red.news()
        close_all(door, why)
        (told,) = red.news()
        assert (told["COMMAND"], told["CODE"]) == ("ERROR", "CLOSED")
        assert told["MESSAGE"].startswith("The table is closed: ")
        assert not red.closed
        assert red.put("JOIN_GAME", USERNAME="red", DECK_DATA=DECK)[0]["SUCCESS"]


def test_a_game_that_is_void_has_no_winner_and_both_hear_so(castle_door):
    with castle_door() as door:
        people = door.pair(EXTENSIONS=True)
        close_all(door, "bug")
        for person in people:
            why, end = person.news()
            assert end == {"COMMAND": "GAME_END", "WINNER_ID": -1, "REASON": "VOID"}
            assert (why["COMMAND"], why["CODE"]) == ("ERROR", "CLOSED")


def test_who_was_away_for_too_long_has_lost_by_time(castle_door):
    with castle_door() as door:
        red, blue = door.pair(EXTENSIONS=True)
        red.hang_up()
        blue.news()
        for _ in range(20):
            door.clock.advance(10)
            door.settle()
        assert {"COMMAND": "GAME_END", "WINNER_ID": 1, "REASON": "TIMEOUT"} in blue.news()
