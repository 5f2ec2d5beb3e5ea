"""What the door does not take: garbage, the wrong moment, what is not one's own, what is forged."""

from __future__ import annotations

import pytest

from gamecore.games.castle import SAMPLE_DECKS

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]
TOPS = (
    [["warlock", "pawn_warrior", "shaman", "oracle", "squire", "squire"]],
    [["warlock", "pawn_warrior", "shaman", "oracle", "squire", "squire"]],
)


@pytest.fixture
def game(castle_door, deck):
    """Begin a game: red's first turn."""
    cards = deck("warlock", "warlock", "pawn_warrior", "shaman", "squire", "squire", "oracle")
    with castle_door(*TOPS) as door:
        red, blue = door.pair((cards, cards))
        yield door, red, blue


def refused(peer, command, code, **fields):
    """Say something that is refused with a code, and nothing else."""
    (message,) = peer.put(command, **fields)
    assert message["CODE"] == code, message
    assert message.get("SUCCESS", False) is False
    return message


def play(hand, end, card, **more):
    return {
        "START_POS": f"MY_HAND_{hand}",
        "END_POS": end,
        "CARD_ID": card,
        "ABILITY_TRIGGERED": False,
        **more,
    }


# -- lines ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "MALFORMED"),
        (b"[1]", "MALFORMED"),
        (b'{"COMMAND":7}', "MALFORMED"),
        (b'{"X":1}', "MALFORMED"),
        (b'{"COMMAND":"DANCE"}', "UNKNOWN_COMMAND"),
        (b'{"COMMAND":"TURN_END"}', "NOT_JOINED"),
        (b'{"COMMAND":"\xff"}', "MALFORMED"),
        (b"{" + b"a" * 20_000, "LINE_TOO_LONG"),
        (b'{"COMMAND":' + b"[" * 10_000, "MALFORMED"),
    ],
)
def test_a_line_that_is_no_command_is_answered_and_the_link_stays(castle_door, line, code):
    with castle_door() as door:
        peer = door.connect()
        peer.say(b"{}\n")
        peer.say(line + b"\n")
        (error,) = peer.news()
        assert (error["COMMAND"], error["CODE"]) == ("ERROR", code)
        assert peer.put("JOIN_GAME", USERNAME="red", DECK_DATA=DECK)[0]["SUCCESS"]


def test_twenty_faults_in_a_row_end_a_flood(castle_door):
    with castle_door() as door:
        peer = door.connect()
        peer.say(b'{"COMMAND":"ROOM_LIST"}\n' * 90)
        assert [each["CODE"] for each in peer.news() if each["COMMAND"] == "ERROR"][:1] == [
            "TOO_FAST"
        ]
        assert peer.closed


def test_who_joins_nothing_is_closed_after_half_a_minute(castle_door):
    with castle_door() as door:
        peer, other = door.connect(), door.connect()
        door.clock.advance(20)
        other.put("ROOM_LIST")
        door.clock.advance(11)
        assert peer.closed and not other.closed
        door.clock.advance(20)
        assert other.closed


# -- joining --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"DECK_DATA": DECK[:-1]}, "BAD_DECK"),
        ({"DECK_DATA": [*DECK[:-1], 10]}, "BAD_DECK"),
        ({"DECK_DATA": [999, *DECK[1:]]}, "BAD_DECK"),
        ({"DECK_DATA": [10] * 50 + [3]}, "BAD_DECK"),
        ({"DECK_DATA": []}, "BAD_DECK"),
        ({"DECK_DATA": ["a"] * 51}, "BAD_DECK"),
        ({"DECK_DATA": "10"}, "MALFORMED"),
        ({"DECK_DATA": None}, "MALFORMED"),
        ({"USERNAME": "  "}, "BAD_NAME"),
        ({"USERNAME": "a" * 25}, "BAD_NAME"),
        ({"USERNAME": 7}, "MALFORMED"),
        ({"PASSWORD": 7}, "MALFORMED"),
        ({"ROOM": "NOSUCH"}, "NO_SUCH_ROOM"),
        ({"SOLO": "grandmaster"}, "MALFORMED"),
    ],
)
def test_a_join_that_is_none_is_told_why_before_the_link_is_closed(castle_door, fields, code):
    with castle_door() as door:
        peer = door.connect()
        given = {"USERNAME": "red", "DECK_DATA": DECK, "PASSWORD": "", **fields}
        (reply,) = peer.put("JOIN_GAME", **given)
        assert (reply["COMMAND"], reply["SUCCESS"], reply["CODE"]) == (
            "JOIN_GAME_RESP",
            False,
            code,
        )
        assert reply["MESSAGE"] and peer.closed


def test_a_name_is_taken_once_in_a_room(castle_door):
    with castle_door() as door:
        door.join("red")
        other = door.connect()
        (reply,) = other.put("JOIN_GAME", USERNAME="RED", DECK_DATA=DECK)
        assert reply["CODE"] == "NAME_TAKEN" and other.closed


def test_a_second_join_throws_nobody_out(game):
    _, red, _ = game
    refused(red, "JOIN_GAME", "ALREADY_JOINED", USERNAME="x", DECK_DATA=DECK, PASSWORD="wrong")
    assert not red.closed
    assert red.put("TURN_END")[0]["COMMAND"] == "TURN_START"


def test_a_third_player_is_not_let_in_to_the_room_and_sees_nothing(game):
    door, red, _ = game
    room = red.objects()[0]["ROOM"]
    third = door.connect()
    (reply,) = third.put("JOIN_GAME", USERNAME="green", DECK_DATA=DECK, ROOM=room)
    assert reply["CODE"] == "LOBBY_FULL" and third.closed
    red.put("TURN_END")
    assert third.news() == []


def test_a_third_player_without_a_room_waits_in_a_room_of_its_own(game):
    door, _, _ = game
    third = door.join("green")
    reply = third.objects()[0]
    assert reply["SUCCESS"] and reply["PLAYER_LIST"] == {}
    refused(third, "TURN_END", "WRONG_PHASE")


def test_a_wrong_password_is_told_before_the_link_is_closed(castle_door):
    with castle_door(room_password="xyzzy") as door:
        peer = door.connect()
        (reply,) = peer.put("JOIN_GAME", USERNAME="red", DECK_DATA=DECK, PASSWORD="nope")
        assert reply["CODE"] == "BAD_PASSWORD" and peer.closed
        one = door.join("red", PASSWORD="xyzzy")
        two = door.join("blue", PASSWORD="xyzzy")
        for peer in (one, two):
            assert peer.put("GAME_START_ACCEPT") is not None
            assert "GAME_START" in peer.value().decode()


# -- moments --------------------------------------------------------------------------


def test_before_the_hands_are_kept_nothing_is_played(castle_door, ids):
    with castle_door() as door:
        red, _ = door.pair(keep=False)
        red.news()
        for command, fields in (
            ("PLAY_CARD", play(1, "MY_SOLDIER_1", 10)),
            ("TURN_END", {}),
            ("DRAW_CARD", {}),
            ("LEVEL_MAGE", {"TARGET": "MY_MAGE_1"}),
            ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_CASTLE"}),
        ):
            (message,) = red.put(command, **fields)
            assert message["CODE"] in ("WRONG_PHASE", "CARD_MISMATCH", "WRONG_TYPE")
        red.put("GAME_START_ACCEPT")
        refused(red, "GAME_START_ACCEPT", "WRONG_PHASE")
        refused(red, "GAME_START_MULLIGAN", "WRONG_PHASE")


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("TURN_END", {}),
        ("DRAW_CARD", {}),
        ("PLAY_CARD", play(1, "MY_SOLDIER_1", 24)),
        ("LEVEL_MAGE", {"TARGET": "MY_MAGE_1"}),
        ("LEVEL_MAGE_RESP", {"TARGET": "MY_MAGE_1"}),
        ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_CASTLE", "PLAYER": 0}),
        ("ACTIVATE_ABILITY", {"TARGET": "MY_SOLDIER_1"}),
    ],
)
def test_out_of_turn_nothing_is_done_whoever_one_says_one_is(game, command, fields):
    _, red, blue = game
    refused(blue, command, "NOT_YOUR_TURN", PLAYER_ID=0, USER_ID=0, **fields)
    assert red.news() == []


@pytest.mark.parametrize(
    ("command", "fields", "code"),
    [
        ("ALLOW_ACTION", {}, "NO_WINDOW"),
        ("ACTIVATE_TRICKSTER", {"TARGET": "MY_TRICKSTER_1"}, "NO_WINDOW"),
        ("DESTROY_CARD", {"CARD_POS": "THEIR_MAGE_1"}, "NO_WINDOW"),
        ("TARGET_CARD_RESP", {"CARD_POS": "MY_SOLDIER_1"}, "WRONG_PHASE"),
        ("CHOOSE_COST_RESP", {"CARD_POS": "MY_SOLDIER_1"}, "WRONG_PHASE"),
        ("DIAG_RESP", {"BOOL": True}, "WRONG_PHASE"),
        ("DIAG_RESP", {}, "MALFORMED"),
        ("DRAW_CARD", {}, "WRONG_PHASE"),
        ("DRAW_CARD_OFFER_IGNORE", {}, "WRONG_PHASE"),
        ("RETURN_CARD", {"START_POS": "MY_HAND_1"}, "NOT_ALLOWED"),
        ("GAME_START_ACCEPT", {}, "WRONG_PHASE"),
        ("LEVEL_MAGE", {"TARGET": "MY_MAGE_1"}, "EMPTY_POSITION"),
        ("LEVEL_MAGE", {"TARGET": "THEIR_MAGE_1"}, "BAD_POSITION"),
        ("ACTIVATE_ABILITY", {"TARGET": "THEIR_SOLDIER_1"}, "BAD_POSITION"),
        ("ATTACK_CARD", {"ATTACKER": "THEIR_SOLDIER_1", "TARGET": "MY_CASTLE"}, "BAD_POSITION"),
        ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_1", "TARGET": "MY_CASTLE"}, "BAD_TARGET"),
        ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_1", "TARGET": "nowhere"}, "BAD_POSITION"),
        ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_CASTLE"}, "EMPTY_POSITION"),
        ("PLAY_CARD", play(1, "MY_SOLDIER_1", 12), "CARD_MISMATCH"),
        ("PLAY_CARD", play(1, "MY_MAGE_1", 24), "WRONG_TYPE"),
        ("PLAY_CARD", play(9, "MY_SOLDIER_1", 24), "EMPTY_POSITION"),
        ("PLAY_CARD", play(1, "THEIR_SOLDIER_1", 24), "BAD_POSITION"),
        ("PLAY_CARD", play(1, "MY_SOLDIER_9", 24), "BAD_POSITION"),
        ("PLAY_CARD", play(1, "MY_SOLDIER_1", 24, START_POS="THEIR_HAND_1"), "BAD_POSITION"),
        ("PLAY_CARD", play(1, "MY_SOLDIER_1", 24, START_POS="MY_DECK_50"), "BAD_POSITION"),
        ("PLAY_CARD", play(1, "MY_SOLDIER_1", 24, ABILITY_TRIGGERED=True), "WRONG_PHASE"),
        ("PLAY_CARD", {"START_POS": "MY_HAND_1", "END_POS": "MY_SOLDIER_1"}, "MALFORMED"),
    ],
)
def test_in_the_own_turn_only_what_is_true_and_allowed(game, command, fields, code):
    _, red, blue = game
    message = refused(red, command, code, **fields)
    assert message.get("IN_REPLY_TO", command) == command
    assert blue.news() == []


def test_limits_of_a_turn_have_codes_of_their_own(game):
    _, red, _ = game
    assert red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", 24))[0]["SUCCESS"]
    attack = {"ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_CASTLE"}
    refused(red, "ATTACK_CARD", "NOT_ALLOWED", **attack)  # the first turn of the game
    refused(red, "PLAY_CARD", "LIMIT_REACHED", **play(1, "MY_SOLDIER_2", 10))
    assert red.put("PLAY_CARD", **play(2, "MY_TRICKSTER_1", 33))[0]["SUCCESS"]
    message = refused(red, "PLAY_CARD", "LIMIT_REACHED", **play(1, "MY_SOLDIER_1", 10))
    assert (message["START_POS"], message["END_POS"], message["CARD_ID"]) == (
        "MY_HAND_1",
        "MY_SOLDIER_1",
        10,
    )


def test_only_who_is_asked_may_answer(game):
    _, red, blue = game
    red.put("PLAY_CARD", **play(3, "MY_TRICKSTER_1", 33))
    red.put("TURN_END")
    blue.news()
    (held,) = blue.put("DRAW_CARD")
    assert held["PENDING"] and held["AWAITED"] == 0
    refused(blue, "ALLOW_ACTION", "NO_WINDOW")
    refused(blue, "TURN_END", "WINDOW_OPEN")
    red.news()
    refused(red, "ACTIVATE_TRICKSTER", "NOT_ALLOWED", TARGET="MY_TRICKSTER_2")
    refused(red, "ACTIVATE_TRICKSTER", "BAD_POSITION", TARGET="THEIR_TRICKSTER_1")
    refused(red, "DESTROY_CARD", "BAD_TARGET", CARD_POS="THEIR_MAGE_1")
    assert red.put("ALLOW_ACTION")[0]["PENDING"] is False
