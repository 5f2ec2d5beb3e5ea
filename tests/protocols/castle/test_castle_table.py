"""Every row of the seed's protocol table, from one client through the door to the other."""

from __future__ import annotations

import pytest


def tops(mine, theirs=("oracle", "oracle", "squire", "squire", "seeker", "seeker")):
    return [list(mine)], [list(theirs)]


def play(hand, end, card):
    place = {"START_POS": f"MY_HAND_{hand}", "END_POS": end, "CARD_ID": card}
    return {**place, "ABILITY_TRIGGERED": False}


def only(messages, command):
    """Find the one message with a command."""
    (found,) = (each for each in messages if each["COMMAND"] == command)
    return found


def names(messages):
    return [each["COMMAND"] for each in messages]


@pytest.fixture
def begin(castle_door, deck):
    """Give ``begin(mine, theirs, **settings)``: the door and both players in red's first turn."""
    doors = []

    def start(mine, theirs=("oracle", "oracle", "squire", "squire", "seeker", "seeker"), **given):
        castles = given.pop("castles", ("stonehill_keep", "stonehill_keep"))
        keep = given.pop("keep", True)
        door = castle_door(*tops(mine, theirs), **given).__enter__()
        doors.append(door)
        decks = [
            deck(*cards, castle=castle)
            for cards, castle in zip((mine, theirs), castles, strict=True)
        ]
        return door, *door.pair(decks, keep=keep)

    yield start
    for door in doors:
        door.__exit__(None, None, None)


FILLER = ("squire", "squire", "seeker", "seeker", "oracle")


def test_terminate_conn_closes_and_the_enemy_hears_the_end(begin):
    _, red, blue = begin(("warlock", *FILLER))
    assert red.put("TERMINATE_CONN") == [] and red.closed
    assert blue.news() == [{"COMMAND": "GAME_END", "WINNER_ID": 1, "REASON": "LEFT"}]


def test_terminate_conn_is_heard_before_joining_as_well(castle_door):
    with castle_door() as door:
        peer = door.connect()
        peer.put("TERMINATE_CONN")
        assert peer.closed


def test_join_game_is_confirmed_and_the_others_hear_of_it(castle_door, deck):
    with castle_door() as door:
        red = door.connect()
        (reply,) = red.put(
            "JOIN_GAME", username="red", deck_data=deck(), password="", extensions=False
        )
        assert (reply["COMMAND"], reply["SUCCESS"]) == ("JOIN_GAME_RESP", True)
        assert (reply["PLAYER_LIST"], reply["PLAYER_ID"]) == ({}, 0)
        blue = door.connect()
        heard = blue.put(
            "JOIN_GAME",
            USERNAME="blue",
            DECK_DATA=[float(each) for each in deck()],
            EXTENSIONS=False,
        )
        assert (heard[0]["PLAYER_LIST"], heard[0]["PLAYER_ID"]) == ({"0": "red"}, 1)
        told = red.news()
        assert told[0] == {"COMMAND": "PLAYER_JOINED", "USERNAME": "blue", "PLAYER_ID": 1}
        both = {"COMMAND": "GAME_INIT", "PLAYER_LIST": {"0": "red", "1": "blue"}}
        assert told[1] == heard[1] == both


def test_game_start_shows_the_own_hand_alone(begin, ids):
    _, red, blue = begin(("warlock", *FILLER), keep=False)
    red.read_to = blue.read_to = 0
    starts = [only(peer.news(), "GAME_START") for peer in (red, blue)]
    assert list(starts[0]["DECK"]) == [f"MY_HAND_{at}" for at in range(1, 7)]
    assert starts[0]["DECK"]["MY_HAND_1"] == ids["warlock"]
    assert [each["MY_NAME"] for each in starts] == ["red", "blue"]
    assert starts[0]["MY_DECK_COUNT"] == starts[0]["THEIR_DECK_COUNT"] == 44


def test_mulligan_offer_and_game_start_mulligan_give_a_smaller_hand_down_to_one(begin):
    _, red, blue = begin(("warlock", *FILLER), keep=False)
    blue.news()
    for size in range(5, 0, -1):
        heard = red.put("GAME_START_MULLIGAN")[-2:]
        assert len(only(heard, "GAME_START")["DECK"]) == size
        offers = [each["HAND_SIZE"] for each in heard if each["COMMAND"] == "MULLIGAN_OFFER"]
        assert offers == ([size - 1] if size > 1 else [])
    assert red.put("GAME_START_MULLIGAN")[0]["CODE"] == "NOT_ALLOWED"
    assert blue.news() == [], "the enemy is told nothing yet"
    red.put("GAME_START_ACCEPT")
    blue.put("GAME_START_ACCEPT")
    assert b'"THEIR_HAND_COUNT":1}' in blue.value()


def test_game_start_accept_by_both_shows_the_castles_and_begins(begin):
    _, red, blue = begin(("warlock", *FILLER), keep=False)
    red.news(), blue.news()
    assert red.put("GAME_START_ACCEPT") == []
    assert names(blue.put("GAME_START_ACCEPT")) == ["SPAWN_CASTLES", "TURN_START"]
    assert names(red.news()) == ["SPAWN_CASTLES", "TURN_START"]


def test_diag_resp_answers_the_mulligan_too(begin):
    _, red, blue = begin(("warlock", *FILLER), keep=False)
    assert "GAME_START" in names(red.put("DIAG_RESP", BOOL=True))
    red.put("DIAG_RESP", BOOL=False)
    assert "TURN_START" in names(blue.put("DIAG_RESP", BOOL=False))


def test_diag_offer_asks_and_diag_resp_answers(begin, ids):
    """The Protector can save a card, once."""
    for answer in (True, False):
        _, red, blue = begin(("protector", *FILLER), ("anti_mage", *FILLER))
        red.put("PLAY_CARD", **play(1, "MY_MAGE_1", ids["protector"]))
        red.put("TURN_END"), blue.put("DRAW_CARD")
        blue.put("PLAY_CARD", **play(1, "MY_TRICKSTER_1", ids["anti_mage"]))
        blue.put("TURN_END"), red.put("DRAW_CARD")
        red.news(), blue.put("DESTROY_CARD", CARD_POS="THEIR_MAGE_1")
        offer = only(red.news(), "DIAG_OFFER")
        assert "MY_MAGE_1" in offer["MSG"]
        assert red.put("TURN_END")[0]["CODE"] == "WRONG_PHASE"
        heard = red.put("DIAG_RESP", BOOL=answer)
        assert ("DESTROY_CARD_RESP" in names(heard)) != answer


def test_draw_card_offer_is_taken_by_draw_card_or_declined(begin, ids):
    """With Windshire Hold, a soldier given up for a cost lets its owner draw."""
    for answer, draws in (
        ("DRAW_CARD", True),
        ("DRAW_CARD_OFFER_IGNORE", False),
        ("DIAG_RESP", True),
    ):
        _, red, blue = begin(
            ("warlock", "rampant_giant", *FILLER[:4]), castles=("windshire_hold", "stonehill_keep")
        )
        red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["warlock"]))
        red.put("TURN_END"), blue.put("TURN_END")
        red.put("DRAW_CARD")
        red.put("PLAY_CARD", **play(1, "MY_SOLDIER_2", ids["rampant_giant"]))
        (*_, offer) = red.put("TARGET_CARD_RESP", CARD_POS="MY_SOLDIER_1")
        assert offer["COMMAND"] == "DRAW_CARD_OFFER"
        assert (offer["ID"], offer["END_POS"]) == (ids["windshire_hold"], "MY_HAND_6")
        heard = red.put(answer, **({"BOOL": True} if answer == "DIAG_RESP" else {}))
        assert ("DRAW_CARD_RESP" in names(heard)) == draws
        assert "PLAY_CARD_RESP" in names(heard)


def test_a_decree_offers_its_draw_each_turn_and_draw_card_takes_it(begin, ids):
    _, red, blue = begin(("decree_speed_up", "warlock", *FILLER[:4]))
    heard = red.put("PLAY_CARD", **play(1, "MY_DECREE", ids["decree_speed_up"]))
    assert only(heard, "DRAW_CARD_OFFER")["ID"] == ids["decree_speed_up"]
    assert "DRAW_CARD_RESP" in names(red.put("DRAW_CARD"))
    assert red.put("DRAW_CARD")[0]["CODE"] == "WRONG_PHASE"
    red.put("TURN_END"), blue.put("TURN_END")
    assert "DRAW_CARD_OFFER" in names(red.put("DRAW_CARD"))
    assert red.put("DRAW_CARD_OFFER_IGNORE") == []
    assert red.put("TURN_END")[-1]["COMMAND"] == "TURN_START"


def test_turn_start_and_turn_end_pass_the_turn_with_the_draw_made_first(begin):
    _, red, blue = begin(("warlock", *FILLER))
    (start,) = red.put("TURN_END")
    assert start == {"COMMAND": "TURN_START", "PLAYER_ID": 1, "USERNAME": "blue", "TURN": 2}
    assert blue.news() == [start]
    assert names(blue.put("TURN_END")) == ["DRAW_CARD_RESP", "TURN_START"]


def test_draw_card_is_answered_with_the_card_and_without_it(begin):
    _, red, blue = begin(("warlock", *FILLER))
    red.put("TURN_END")
    blue.news(), red.news()
    own, other = only(blue.put("DRAW_CARD"), "DRAW_CARD_RESP"), only(red.news(), "DRAW_CARD_RESP")
    assert own["USER_ID"] == other["USER_ID"] == 1
    assert own["DRAWN_CARDS"][0]["card"] >= 0
    assert other["DRAWN_CARDS"] == [
        {"cardPos": "THEIR_HAND_7", "oldPos": "THEIR_DECK_44", "card": -1}
    ]


def test_play_card_is_told_to_both_and_the_gap_is_closed(begin, ids):
    _, red, blue = begin(("warlock", *FILLER))
    heard = red.put("PLAY_CARD", **play(1, "MY_SOLDIER_2", ids["warlock"]))
    assert names(heard) == names(blue.news()) == ["PLAY_CARD_RESP", "MOVE_CARD"]
    assert heard[1]["CARD_MOVEMENTS"]["MY_HAND_6"] == "MY_HAND_5"


def test_a_set_trickster_is_hidden_from_the_enemy(begin, ids):
    _, red, blue = begin(("shaman", *FILLER))
    own = red.put("PLAY_CARD", **play(1, "MY_TRICKSTER_1", ids["shaman"]))[0]
    assert (own["CARD_ID"], blue.news()[0]["CARD_ID"]) == (ids["shaman"], -1)


def test_target_card_asks_for_a_card_and_target_card_resp_names_it(begin, ids):
    _, red, blue = begin(("squire", "warlock", *FILLER[1:]))
    heard = red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["squire"]))
    asked = only(heard, "TARGET_CARD")
    assert asked["TRIGGER_POS"] == "MY_SOLDIER_1" and asked["MSG"]
    assert all(each["cardPos"] in asked["VALID_REGION"] for each in asked["OPTIONS"])
    wanted = next(each["cardPos"] for each in asked["OPTIONS"] if each["card"] == ids["warlock"])
    assert red.put("TARGET_CARD_RESP", CARD_POS="MY_CASTLE")[0]["CODE"] == "BAD_TARGET"
    assert red.put("TARGET_CARD_RESP", CARD_POS="nowhere")[0]["CODE"] == "BAD_POSITION"
    assert red.put("TARGET_CARD_RESP")[0]["CODE"] == "BAD_TARGET", "it must be chosen"
    assert red.put("TURN_END")[0]["CODE"] == "WRONG_PHASE"
    blue.news()
    heard = red.put("TARGET_CARD_RESP", TRIGGER_POS=asked["TRIGGER_POS"], CARD_POS=wanted)
    assert names(heard) == names(blue.news()) == ["DRAW_CARD_RESP", "SHUFFLE_DECK"]
    assert heard[0]["DRAWN_CARDS"][0]["card"] == ids["warlock"]
    assert heard[1]["DECK"] == {"COUNT": 43}


def test_what_is_paid_can_be_thought_better_of(begin, ids):
    _, red, blue = begin(("warlock", "archer", "shaman", *FILLER[:3]))
    red.put("PLAY_CARD", **play(3, "MY_TRICKSTER_1", ids["shaman"]))
    asked = only(red.put("PLAY_CARD", **play(2, "MY_SOLDIER_1", ids["archer"])), "TARGET_CARD")
    assert asked["VALID_REGION"] == ["MY_TRICKSTER_1"] and asked["CANCELLABLE"]
    blue.news()
    assert red.put("TURN_END")[0]["CODE"] == "WRONG_PHASE"
    (refusal,) = red.put("TARGET_CARD_RESP")
    assert (refusal["COMMAND"], refusal["SUCCESS"]) == ("PLAY_CARD_RESP", False)
    assert blue.news() == []
    red.put("PLAY_CARD", **play(2, "MY_SOLDIER_1", ids["archer"]))
    heard = red.put("CHOOSE_COST_RESP", CARD_POS="MY_TRICKSTER_1")
    assert names(heard)[:2] == ["DESTROY_CARD_RESP", "PLAY_CARD_RESP"]
    assert heard[0]["CARD_LOCATIONS"] == ["MY_TRICKSTER_1"]


def test_level_mage_and_level_mage_resp_raise_a_mage(begin, ids):
    _, red, blue = begin(("tribute", *FILLER))
    red.put("PLAY_CARD", **play(1, "MY_MAGE_1", ids["tribute"]))
    assert red.put("LEVEL_MAGE", TARGET="MY_MAGE_1")[0]["CODE"] == "LIMIT_REACHED"
    for level, command, more in ((2, "LEVEL_MAGE", {}), (3, "LEVEL_MAGE_RESP", {"OPT": True})):
        red.put("TURN_END"), blue.put("TURN_END")
        red.put("DRAW_CARD"), blue.news()
        assert red.put("LEVEL_MAGE_RESP", TARGET="MY_MAGE_1", OPT=False) == []
        heard = only(red.put(command, TARGET="MY_MAGE_1", **more), "LEVEL_MAGE_RESP")
        assert (heard["SUCCESS"], heard["NEW_LEVEL"]) == (True, level)
        assert only(blue.news(), "LEVEL_MAGE_RESP")["TARGET"] == "THEIR_MAGE_1"
        refusal = red.put("LEVEL_MAGE_RESP", TARGET="MY_MAGE_1")[0]
        assert (refusal["COMMAND"], refusal["SUCCESS"]) == ("LEVEL_MAGE_RESP", False)


def test_activate_ability_uses_what_the_seed_has_no_command_for(begin, ids):
    _, red, blue = begin(("sacrifice", "warlock", *FILLER[:4]))
    red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["sacrifice"]))
    blue.news()
    heard = red.put("ACTIVATE_ABILITY", TARGET="MY_SOLDIER_1")
    assert names(heard) == ["ACTIVATE_TRICKSTER_RESP", "DESTROY_CARD_RESP", "DRAW_CARD_RESP"]
    assert heard[0]["ABILITY"] == 0 and len(heard[2]["DRAWN_CARDS"]) == 3
    assert blue.news()[0]["TRICKSTER_POS"] == "THEIR_SOLDIER_1"


def test_attack_card_destroys_the_weaker_and_hits_a_castle_without_soldiers(begin, ids):
    _, red, blue = begin(
        ("pawn_warrior", "warlock", *FILLER[:4]), (*FILLER[2:], *FILLER[:2], "warlock")
    )
    red.put("TURN_END")
    blue.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["seeker"]))
    attack = {"ATTACKER": "MY_SOLDIER_1", "TARGET": "THEIR_CASTLE"}
    red.news()
    heard = blue.put("ATTACK_CARD", **attack)
    assert names(heard)[-2:] == ["ATTACK_CARD_RESP", "CASTLE_ATTACK"]
    assert red.news()[-1] == {
        "COMMAND": "CASTLE_ATTACK",
        "TRIGGER_POS": "THEIR_SOLDIER_1",
        "TARGET_POS": "MY_CASTLE",
        "NEW_HEALTH": 130,
    }
    assert blue.put("ATTACK_CARD", **attack)[0]["CODE"] == "ALREADY_ATTACKED"
    blue.put("TURN_END")
    red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["pawn_warrior"]))
    heard = red.put("ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_SOLDIER_1")
    assert heard[-2]["RESULT"] == "BOTH"
    assert heard[-1]["CARD_LOCATIONS"] == ["THEIR_SOLDIER_1", "MY_SOLDIER_1"]


def test_a_hit_is_told_in_the_older_way_too_if_the_house_wants_it(begin, ids):
    _, red, blue = begin(("warlock", *FILLER), legacy_castle_damage=True)
    red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["warlock"]))
    red.put("TURN_END"), blue.put("TURN_END")
    heard = red.put("DRAW_CARD")
    heard = red.put("ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_CASTLE")
    assert heard[-1] == {"COMMAND": "CASTLE_DAMAGE", "THEIR_HEALTH": 135}
    assert blue.news()[-1] == {"COMMAND": "CASTLE_DAMAGE", "MY_HEALTH": 135}


@pytest.mark.parametrize("early", [True, False])
def test_activate_trickster_names_its_target_early_or_is_asked(begin, ids, early):
    _, red, blue = begin(("plague", "warlock", *FILLER[1:]), ("pawn_warrior", *FILLER))
    red.put("PLAY_CARD", **play(1, "MY_TRICKSTER_2", ids["plague"]))
    red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["warlock"]))
    red.put("TURN_END"), blue.put("DRAW_CARD"), red.put("ALLOW_ACTION")
    blue.put("PLAY_CARD", **play(1, "MY_SOLDIER_2", ids["pawn_warrior"])), red.put("ALLOW_ACTION")
    red.news(), blue.put("ATTACK_CARD", ATTACKER="MY_SOLDIER_2", TARGET="THEIR_SOLDIER_1")
    held = red.news()[-1]
    assert (held["RESULT"], held["AWAITED"]) == ("PENDING", 0)
    target = {"CARD_POS": "THEIR_SOLDIER_2"} if early else {}
    heard = red.put("ACTIVATE_TRICKSTER", TARGET="MY_TRICKSTER_2", **target)
    answer = heard[0]
    assert (answer["TARGET"], answer["RESPONSE_USER_ID"]) == ("MY_TRICKSTER_2", 1)
    if not early:
        assert set(only(heard, "TARGET_CARD")["VALID_REGION"]) == {
            "MY_SOLDIER_1",
            "THEIR_SOLDIER_2",
        }
        heard = red.put("TARGET_CARD_RESP", CARD_POS="THEIR_SOLDIER_2")
    assert only(red.news() or heard, "ATTACK_CARD_RESP")["RESULT"] == "VOID"
    state = only(red.put("STATE_REQUEST"), "STATE")
    assert (
        state["FIELD"]["THEIR_SOLDIER_2"]["STUNNED"]
        and not state["FIELD"]["MY_SOLDIER_1"]["STUNNED"]
    )


def test_allow_action_lets_an_action_happen_and_return_card_is_never_allowed(begin, ids):
    _, red, blue = begin(("shaman", *FILLER))
    red.put("PLAY_CARD", **play(1, "MY_TRICKSTER_1", ids["shaman"]))
    red.put("TURN_END"), blue.put("DRAW_CARD")
    held = red.news()[-1]
    assert held["PENDING"] and held["AWAITED"] == 0
    done = red.put("ALLOW_ACTION")[0]
    assert (done["PENDING"], done["ACTION_ID"]) == (False, held["ACTION_ID"])
    assert blue.put("RETURN_CARD", START_POS="MY_HAND_1")[0]["COMMAND"] != "MOVE_CARD"
    assert b"NOT_ALLOWED" in blue.value()


def test_destroy_card_activates_the_trickster_that_can_and_returns_destroy_card_resp(begin, ids):
    _, red, blue = begin(("anti_mage", *FILLER), ("tribute", "oracle", *FILLER[:4]))
    red.put("PLAY_CARD", **play(1, "MY_TRICKSTER_1", ids["anti_mage"]))
    red.put("TURN_END")
    blue.put("DRAW_CARD"), red.put("ALLOW_ACTION")
    blue.put("PLAY_CARD", **play(1, "MY_MAGE_1", ids["tribute"]))
    assert red.put("DESTROY_CARD", CARD_POS="THEIR_MAGE_1")[-1]["CODE"] == "BAD_TARGET", (
        "not there yet"
    )
    red.put("ALLOW_ACTION")
    blue.put("TURN_END"), red.news(), blue.news()
    red.put("DRAW_CARD"), red.put("TURN_END"), blue.put("DRAW_CARD")
    red.news(), blue.news()
    heard = red.put("DESTROY_CARD", CARD_POS="THEIR_MAGE_1", SOURCE_POS="MY_TRICKSTER_1")
    answer = only(heard, "ACTIVATE_TRICKSTER_RESP")
    assert (answer["CARD_ID"], answer["RESPONSE_USER_ID"]) == (ids["anti_mage"], 1)
    gone = only(heard, "DESTROY_CARD_RESP")
    assert gone["CARD_LOCATIONS"] == ["THEIR_MAGE_1"] and gone["IN_RESPONSE"] is True
    assert "MOVE_CARD" in names(heard)
    mirrored = only(blue.news(), "DESTROY_CARD_RESP")
    assert mirrored["GRAVE_LOCATIONS"] == ["MY_DISCARD_1"]


def test_a_discarded_card_is_named_to_the_enemy(begin, ids):
    _, red, blue = begin(("the_undead", "warlock", *FILLER[:4]))
    asked = only(red.put("PLAY_CARD", **play(1, "MY_MAGE_1", ids["the_undead"])), "TARGET_CARD")
    assert asked["VALID_REGION"][0] == "MY_HAND_1"
    blue.news()
    heard = red.put("TARGET_CARD_RESP", CARD_POS="MY_HAND_1")
    assert heard[0]["CARD_MOVEMENTS"] == {"MY_HAND_1": "MY_DISCARD_1"}
    told = blue.news()
    assert told[0]["CARD_IDS"] == [ids["warlock"]] and told[0]["CARD_LOCATIONS"] == ["THEIR_HAND_1"]
    assert told[1]["CARD_MOVEMENTS"]["THEIR_HAND_2"] == "THEIR_HAND_1"


def test_game_end_names_the_winner_when_a_castle_falls(begin, ids):
    _, red, blue = begin(("warlock", *FILLER), castles=("stonehill_keep", "chateau_du_draguizon"))
    red.put("PLAY_CARD", **play(1, "MY_SOLDIER_1", ids["warlock"]))
    for _ in range(10):
        red.put("TURN_END"), blue.put("TURN_END")
        red.put("DRAW_CARD"), blue.news()
        heard = red.put("ATTACK_CARD", ATTACKER="MY_SOLDIER_1", TARGET="THEIR_CASTLE")
    end = {"COMMAND": "GAME_END", "WINNER_ID": 0, "REASON": "CASTLE"}
    assert heard[-2]["NEW_HEALTH"] == 0 and heard[-1] == end == blue.news()[-1]
    assert red.put("TURN_END")[0]["CODE"] == "NOT_JOINED"
