"""An original client plays whole games, and is told nothing that it would die of."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace

import pytest

from gamecore.commands import Abandon
from gamecore.games.castle import SAMPLE_DECKS, moves
from gamecore.games.castle.decks import CASTLES, DECKABLE
from protocols.castle.original import OriginalManner, is_nameless
from protocols.castle.original_dialogue import Dialogue
from protocols.castle.wire import Request
from protocols.host import table_actions

from .original_client import OriginalClient, named

DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]
MOST_STEPS = 3000


def some_deck(chance):
    """Build any deck; half of them with the castle that sets no limit to a hand."""
    pool = [card.id for card in DECKABLE for _ in range(card.limit)]
    castle = 2 if chance.random() < 0.5 else chance.choice(CASTLES).id
    return [*chance.sample(pool, 50), castle]


def shown_right(client, table):
    """Check that the client shows what lies face up on both sides, and its own hand."""
    board = table.turn_of(0, 0.0).board
    cards = [
        card
        for side in board.sides
        for card in side.field
        if card.card is not None and (card.spot.zone != "trickster" or card.spot.seat == 0)
    ]
    for card in cards:
        place = named(card.spot, "MY" if card.spot.seat == 0 else "THEIR")
        assert client.cards.get(place) == card.card, place
    hand = [card.card for card in board.sides[0].hand][:10]
    assert [client.cards.get(f"MY_HAND_{at}") for at in range(1, len(hand) + 1)] == hand


def play(door, seed, level="easy"):
    """Let an original client play anything that it can against a bot, to the end."""
    chance = Random(seed)
    client = OriginalClient(door, "red", some_deck(chance), chance)
    door.host.request(client.peer.link.session, table_actions.add_bot(level), None)
    door.settle()
    (live,) = door.host.service.live
    table = live.table
    for _ in range(MOST_STEPS):
        client.read()
        if client.over:
            return client
        if client.answer():
            continue
        legal = [each for each in table.legal_moves(0) if not isinstance(each, moves.UseAbility)]
        if table.turn_of(0, 0.0).board.stage == "turn" and legal:
            if moves.DrawCard() in legal:
                client.say("DRAW_CARD")
            else:
                shown_right(client, table)
                client.do(chance.choice([each for each in legal if can_be_shown(each)]))
        door.clock.advance(0.5)
        door.settle()
    raise AssertionError("the game does not end")


def can_be_shown(move):
    return not isinstance(move, moves.PlayCard) or move.hand < 10


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_game_against_a_bot(castle_door, seed):
    with castle_door(begins="random") as door:
        client = play(door, seed)
        assert any("The game is over" in box for box in client.boxes)
        client.peer.hang_up()


def commands(peer):
    return [each["COMMAND"] for each in peer.objects()]


def pair(door, **more):
    """Seat two original clients, who accept their hands."""
    clients = [
        OriginalClient(door, name, DECK, Random(1), **more.pop(name, {}))
        for name in ("red", "blue")
    ]
    for client in clients:
        client.read()
        client.boxes.clear()
        client.say("DIAG_RESP", BOOL=False)
    for client in clients:
        client.read()
    return clients


@pytest.mark.parametrize(
    "said", [{"EXTENSIONS": False}, {"EXTENSIONS": True}, {"SOLO": True}, {"ROOM": ""}]
)
def test_who_asks_for_anything_beyond_the_seed_is_no_original(castle_door, said):
    with castle_door() as door:
        door.join("blue")
        peer = door.connect()
        peer.put("JOIN_GAME", USERNAME="red", DECK_DATA=DECK, PASSWORD="", **said)
        assert "GAME_INIT" in commands(peer)


def test_who_has_opened_a_room_is_no_original(castle_door):
    with castle_door() as door:
        peer = door.connect()
        peer.put("ROOM_CREATE", PASSWORD="xyzzy")
        peer.put("JOIN_GAME", USERNAME="red", DECK_DATA=DECK, PASSWORD="xyzzy")
        door.join("blue", PASSWORD="xyzzy")
        assert "GAME_INIT" in commands(peer)


def test_a_refusal_is_a_message_and_what_is_sent_by_itself_is_none(castle_door):
    with castle_door() as door:
        red, blue = pair(door)
        blue.say("TURN_END")
        assert blue.boxes == ["It is not your turn."]
        play = {"START_POS": "MY_HAND_1", "END_POS": "MY_CASTLE", "CARD_ID": 1}
        red.say("PLAY_CARD", **play, ABILITY_TRIGGERED=False)
        assert red.boxes == ["that is another card"]
        for command in ("GAME_START_ACCEPT", "ALLOW_ACTION"):
            red.say(command)
        red.say("DIAG_RESP", BOOL=True)
        red.say("DIAG_RESP", BOOL=True)
        assert len(red.boxes) == 1


# What cannot be done whoever's turn it is: by its command and its fields.
UNFIT = [
    ("GAME_START_MULLIGAN", {}),
    ("DRAW_CARD_OFFER_IGNORE", {}),
    ("PLAY_CARD", {"START_POS": "MY_HAND_1", "END_POS": "MY_MAGE_1", "CARD_ID": 999}),
    ("PLAY_CARD", {"START_POS": "MY_HAND_10", "END_POS": "MY_MAGE_1", "CARD_ID": 16}),
    ("PLAY_CARD", {"START_POS": "MY_HAND_1", "END_POS": "THEIR_MAGE_1", "CARD_ID": 16}),
    ("PLAY_CARD", {"START_POS": "MY_CELLAR_1", "END_POS": "MY_MAGE_1", "CARD_ID": 16}),
    ("PLAY_CARD", {}),
    ("LEVEL_MAGE", {"TARGET": "MY_MAGE_2"}),
    ("LEVEL_MAGE_RESP", {"TARGET": "MY_MAGE_2"}),
    ("LEVEL_MAGE_RESP", {"TARGET": "MY_CASTLE"}),
    ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_2", "TARGET": "THEIR_CASTLE"}),
    ("ATTACK_CARD", {"ATTACKER": "MY_CASTLE", "TARGET": "THEIR_CASTLE"}),
    ("ATTACK_CARD", {"ATTACKER": "MY_SOLDIER_1", "TARGET": "MY_CASTLE"}),
    ("ATTACK_CARD", {"ATTACKER": 7, "TARGET": None}),
    ("ACTIVATE_TRICKSTER", {"TARGET": "MY_TRICKSTER_1"}),
    ("DESTROY_CARD", {"CARD_POS": "THEIR_MAGE_1"}),
    ("TARGET_CARD_RESP", {"CARD_POS": "MY_SOLDIER_1"}),
    ("CHOOSE_COST_RESP", {"CARD_POS": "MY_SOLDIER_1"}),
    ("TARGET_CARD_RESP", {}),
    ("RETURN_CARD", {"START_POS": "MY_HAND_1"}),
    ("JOIN_GAME", {"USERNAME": "twin", "DECK_DATA": DECK}),
    ("ACTIVATE_ABILITY", {"TARGET": "MY_SOLDIER_2"}),
    ("NOTHING", {}),
]
LINES = [
    b'{"COMMAND": ',
    b'{"COMMAND": 7}',
    b'{"COMMAND": "' + b"x" * 20_000 + b'"}',
    b"{\xff}",
]
# Said for nothing where the first hand is still to be kept.
IN_THE_MULLIGAN = [("TURN_END", {}), ("DRAW_CARD", {}), *UNFIT[1:]]


@pytest.mark.parametrize("whose", ["mine", "theirs", "mulligan"])
def test_each_refusal_is_told_in_a_box_and_to_nobody_else(castle_door, whose):
    with castle_door() as door:
        if whose == "mulligan":
            red, blue = (OriginalClient(door, name, DECK, Random(1)) for name in ("red", "blue"))
            unfit = IN_THE_MULLIGAN
        else:
            red, blue = pair(door)
            unfit = UNFIT if whose == "mine" else [("TURN_END", {}), ("DRAW_CARD", {}), *UNFIT]
        client, other = (blue, red) if whose == "theirs" else (red, blue)
        lines = [json.dumps({"COMMAND": command, **fields}).encode() for command, fields in unfit]
        (live,) = door.host.service.live
        other.read()
        heard, before = len(other.peer.value()), (live.table.sequence, repr(live.table.seated()))
        for line in [*lines, *LINES]:
            client.read()
            client.boxes.clear()
            client.peer.say(line + b"\n")
            client.read()  # it dies of what it does not know
            assert len(client.boxes) == 1, line
            told, _, asked = client.boxes[0].partition("\n")
            assert told and bool(asked) == (whose == "mulligan"), line
            if not asked:
                client.say("DIAG_RESP", BOOL=True)
            door.clock.advance(1)  # nobody is to be in a hurry
            door.settle()
        assert (live.table.sequence, repr(live.table.seated())) == before
        assert len(other.peer.value()) == heard
        assert not client.peer.closed


def test_what_is_no_answer_leaves_the_question_open(castle_door):
    with castle_door() as door:
        red, _ = (OriginalClient(door, name, DECK, Random(1)) for name in ("red", "blue"))
        red.read()
        (question,) = red.boxes
        for fields in ({}, {"BOOL": "yes"}, {"BOOL": None}):
            red.say("DIAG_RESP", **fields)
        assert [each.endswith(question) for each in red.boxes] == [True] * 4
        red.say("DIAG_RESP", BOOL=False)
        (live,) = door.host.service.live
        assert live.table.awaited() == {1}


def test_a_hand_that_was_kept_by_itself_is_asked_for_no_more(castle_door):
    with castle_door() as door:
        red, _ = (OriginalClient(door, name, DECK, Random(1)) for name in ("red", "blue"))
        red.read()
        red.boxes.clear()
        red.say("GAME_START_ACCEPT")
        red.say("TURN_END")
        red.say("DIAG_RESP", BOOL=True)
        red.say("DIAG_RESP", BOOL=True)
        assert red.boxes == ["You have kept your hand; wait for the enemy."]


def test_a_hand_of_one_card_is_accepted_by_itself(castle_door):
    with castle_door() as door:
        red, blue = (OriginalClient(door, name, DECK, Random(1)) for name in ("red", "blue"))
        red.read()
        for _ in range(5):
            red.say("DIAG_RESP", BOOL=True)
        blue.say("DIAG_RESP", BOOL=False)
        assert "TURN_START" in commands(red.peer)


def test_it_is_told_of_castles_as_by_the_original_server_if_the_house_says_so(castle_door):
    with castle_door(legacy_castle_damage=True) as door:
        peers = [door.connect() for _ in range(2)]
        for name, peer in zip(("red", "blue"), peers, strict=True):
            peer.put("JOIN_GAME", USERNAME=name, DECK_DATA=DECK, PASSWORD="")
        for peer in peers:
            peer.put("DIAG_RESP", BOOL=False)
        assert "SPAWN_CASTLES" in commands(peers[0])


def test_nothing_is_answered_for_one_who_is_not_there(castle_door):
    with castle_door(response_seconds=30, seconds=20) as door:
        red, _ = pair(door)
        manner = red.peer.link.session.reporter._original
        window = SimpleNamespace(stage="window")
        for answer in (moves.AllowAction(), moves.AllowAction(), None):
            assert manner.answer_for_it(window, [moves.AllowAction()]) == answer
            for _ in range(2):  # a turn of each
                door.clock.advance(20)
                door.settle()
        red.say("DIAG_RESP", BOOL=True)
        assert manner.answer_for_it(window, [moves.AllowAction()]) == moves.AllowAction()


def test_who_sits_at_a_table_that_is_closed_is_told_so_in_a_box(castle_door):
    with castle_door() as door:
        clients = pair(door)
        for table in list(door.hall._tables.values()):
            door.host.command(None, table, Abandon("bug"))
        door.settle()
        for client in clients:
            client.read()
            assert any("The table is closed: " in json.dumps(each) for each in client.boxes)


def test_a_game_that_nobody_wins_names_no_winner():
    manner = OriginalManner(castle_damage=False)
    said = manner.translate([{"COMMAND": "GAME_END", "WINNER_ID": -1, "REASON": "DRAW"}])
    assert said == [
        {"COMMAND": "DIAG_OFFER", "MSG": "The game is over: nobody has won."},
        {"COMMAND": "GAME_END", "REASON": "DRAW"},
    ]


def test_an_eleventh_card_is_shown_as_soon_as_it_has_a_place():
    manner = OriginalManner(castle_damage=False)
    drawn = [{"cardPos": "MY_HAND_11", "oldPos": "MY_DECK_9", "card": 24}]
    draw = {"COMMAND": "DRAW_CARD_RESP", "USER_ID": 0, "DRAWN_CARDS": drawn}
    move = {"COMMAND": "MOVE_CARD", "CARD_MOVEMENTS": {"MY_HAND_11": "MY_HAND_10"}}
    shown = [{"cardPos": "MY_HAND_10", "card": 24}]
    assert manner.translate([draw, move]) == [{**draw, "DRAWN_CARDS": shown}]


def test_a_question_about_places_without_a_name_is_none():
    places = [["MY_HAND_11"], ["MY_HAND_11", "MY_HAND_10"], ["THEIR_CASTLE", "MY_DECK_50"]]
    questions = [{"COMMAND": "TARGET_CARD", "VALID_REGION": each} for each in places]
    assert list(map(is_nameless, [*questions, {"COMMAND": "DIAG_OFFER"}])) == [True] + [False] * 3


def test_a_question_waits_until_a_notice_is_closed():
    dialogue = Dialogue()
    assert texts(dialogue.tell("a")) == ["a"]
    assert texts(dialogue.ask("DIAG_OFFER", "b?")) == []
    assert dialogue.answer_to(Request("DIAG_RESP", {"BOOL": True})) is None
    assert texts(dialogue.go_on()) == ["b?"]
    assert texts(dialogue.tell("c")) == ["c\nb?"]
    answer = Request("DIAG_RESP", {"BOOL": True})
    assert dialogue.answer_to(answer) is answer
    assert dialogue.answer_to(answer) is None


def test_a_draw_is_offered_and_answered_by_yes_and_no():
    for answer, meant in ((True, "DRAW_CARD"), (False, "DRAW_CARD_OFFER_IGNORE")):
        dialogue = Dialogue()
        dialogue.ask("DRAW_CARD_OFFER", "a card?")
        assert dialogue.answer_to(Request("DIAG_RESP", {"BOOL": answer})) == Request(meant, {})


def texts(messages):
    return [each["MSG"] for each in messages]
