"""Whole games at the GOPS door: moves, mistakes, secrets, time and goodbyes."""

from __future__ import annotations

import pytest

from gamecore.games.gops import Bid
from protocols.gops import wire_events

RANGE = "YOUR-TURN~Invalid move, please enter a number from 1 to 13..."
STANDS = "INFO~You have chosen a card already; the first choice stands"


def play_out(north, south, code, cards=13):
    """Play all rounds, north upward and south downward."""
    for number in range(1, cards + 1):
        north.play(code, number)
        south.play(code, cards + 1 - number)


def test_a_game_ends_with_everybody_free_to_begin_another(gops_door):
    with gops_door(cards=2, order="ascending") as door:
        north, south, code = door.pair()
        for _ in range(3):
            play_out(north, south, code, 2)
            told = [north.hear(), south.hear()]
            assert told[0][-4:] == told[1][-4:]
            assert told[0][-4:] == [
                "INFO~\n\n---------- End of Game ----------",
                "INFO~north's Points: 2, south's Points: 1",
                "INFO~north wins the game!",
                "END-GAME~End of game",
            ]
            north.say("START-GAME~1")
            code = north.hear()[1].removeprefix("SET-ID~")
            south.say(f"JOIN-GAME~{code}")
            assert south.hear()[0].startswith("TRUE~")
            north.hear()


def test_the_table_of_a_finished_game_is_forgotten(gops_door):
    with gops_door(cards=2) as door:
        north, south, code = door.pair()
        play_out(north, south, code, 2)
        door.settle()
        assert len(door.hall) == 0
        third = door.connect("third")
        third.say(f"JOIN-GAME~{code}")
        assert third.hear() == [wire_events.NO_GAME]


# Mistakes


@pytest.mark.parametrize("said", ["0", "14", "-1", "", " ", "x", "1.5", "99999999999999999999"])
def test_what_is_no_number_from_1_to_13_is_asked_for_again(gops_door, said):
    """C38: exactly the mover is told, and nothing has changed."""
    with gops_door() as door:
        north, south, code = door.pair()
        before = door.hall.find(code).seen_by(0, 0.0)
        north.play(code, said)
        assert (north.hear(), south.hear()) == ([RANGE], [])
        assert door.hall.find(code).seen_by(0, 0.0) == before


def test_a_move_without_its_dollar_is_asked_for_again(gops_door):
    with gops_door() as door:
        north, south, code = door.pair()
        for body in ("PLAY-TURN~", "PLAY-TURN~5", f"PLAY-TURN~{code}"):
            north.say(body)
            assert (north.hear(), south.hear()) == ([RANGE], [])


def test_a_card_already_used_is_asked_for_again(gops_door):
    with gops_door() as door:
        north, south, code = door.pair()
        for client in (north, south):
            client.play(code, 4)
        for client in (north, south):
            client.hear()
        south.play(code, 4)
        assert (north.hear(), south.hear()) == ([], [wire_events.NOT_YOURS])


def test_a_second_choice_is_refused_and_the_first_stands(gops_door):
    with gops_door() as door:
        north, south, code = door.pair()
        north.play(code, 4)
        assert north.hear() == ["INFO~Waiting for south to play..."]
        for said in (9, 4, 99, ""):
            north.play(code, said)
            assert (north.hear(), south.hear()) == ([STANDS], [])
        south.play(code, 5)
        assert "INFO~north [4♠] : [5♣] south " in north.hear()


@pytest.mark.parametrize("where", ["of another game", "before the joiner came", "in no game"])
def test_a_move_that_is_out_of_place_is_explained(gops_door, where):
    with gops_door() as door:
        north, south, code = door.pair()
        mover, code = {
            "of another game": (north, "NOSUCH"),
            "before the joiner came": door.create("wren"),
            "in no game": (door.connect("finch"), code),
        }[where]
        mover.play(code, 3)
        (told,) = mover.hear()
        assert told.startswith("INFO~")
        assert south.hear() == []


def test_an_id_is_read_in_any_case_and_without_the_blanks_around_it(gops_door):
    with gops_door() as door:
        north, _, code = door.pair()
        north.play(f" {code.lower()} ", "\t7 ")
        assert north.hear() == ["INFO~Waiting for south to play..."]


def test_a_move_too_late_for_a_game_just_ended_is_dropped_in_silence(gops_door):
    with gops_door() as door:
        north, south, code = door.pair()
        north.hang_up()
        south.hear()
        for said in (7, "", 99):
            south.play(code, said)
        south.say("JOIN-GAME~NOSUCH")
        assert south.hear() == [wire_events.NO_GAME]
        south.play(code, 7)  # remembered only until the next request
        assert south.hear() == ["INFO~You are not in that game"]


# Simultaneous moves and secrets


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_choices_in_one_turn_of_the_loop_are_both_taken_whatever_their_order(gops_door, order):
    """C37: the result is free of the order."""
    with gops_door(order="ascending") as door:
        north, south, code = door.pair()
        clients = (north, south)
        for seat in order:  # nothing settles between the two
            body = f"PLAY-TURN~{code}${seat + 5}"
            clients[seat].link.dataReceived(f"{len(body)}".encode().ljust(64) + body.encode())
        door.settle()
        for client in clients:
            told = [each for each in client.hear() if "Waiting" not in each]
            assert told[:3] == [
                wire_events.BOTH_PLAYED,
                "INFO~north [5♠] : [6♣] south ",
                "INFO~south wins this round!",
            ]


@pytest.mark.parametrize("lines", [False, True])
def test_not_one_byte_tells_of_a_choice_before_the_other_has_chosen(gops_door, lines):
    """C48: nor does the length of anything that the one who chose is told."""
    told = set()
    for number in range(1, 14):
        with gops_door() as door:
            north, south, code = door.pair((lines, lines))
            watcher = door.connect("watcher", lines=True)
            watcher.say(f"SPECTATE~{code}")
            watcher.hear()
            north.play(code, number)
            assert south.hear() == []
            told.add((tuple(north.hear()), tuple(watcher.hear())))
    assert told == {(("INFO~Waiting for south to play...",), ("INFO~north has chosen a card",))}


def test_the_second_choice_is_on_no_wire_before_it_is_in_the_journal(gops_door, hand_journal):
    with gops_door(journal=hand_journal) as door:
        north, code = door.connect(), None
        north.say("START-GAME~1")
        commit(door)
        code = north.hear()[2].removeprefix("SET-ID~")
        south = door.connect()
        south.say(f"JOIN-GAME~{code}")
        commit(door)
        for client in (north, south):
            client.hear()
        north.play(code, 5)
        south.play(code, 6)
        assert (north.hear(), south.hear()) == ([], [])
        commit(door)
        assert any("[5♠] : [6♣]" in each for each in north.hear())
        south.hang_up()
        commit(door)


def commit(door):
    for _ in range(5):
        door.journal.commit()
        door.settle()


def test_a_player_at_another_door_hears_no_more_than_one_at_this(gops_door, ear):
    with gops_door(order="ascending", cards=3) as door:
        north, code = door.create("north")
        person = ear()
        door.host.sit(person, code, 1, "person")
        door.settle()
        person.heard.clear()
        north.hear()
        north.play(code, 2)
        assert "card" not in repr(person.heard) and person.names() == ["Laid"]
        assert north.hear() == ["INFO~Waiting for person to play..."]
        door.host.submit(person, Bid(3))
        door.settle()
        assert north.hear()[:3] == [
            wire_events.BOTH_PLAYED,
            "INFO~north [2♠] : [3♣] person ",
            "INFO~person wins this round!",
        ]
        door.host.leave(person)
        door.settle()


def test_a_player_who_is_shown_the_game_again_is_asked_again(gops_door):
    """As happens when a table was read again after a bug of ours."""
    with gops_door() as door:
        north, south, code = door.pair()
        north.play(code, 4)
        north.hear()
        for client, last in (
            (north, "INFO~Waiting for south to play..."),
            (south, wire_events.YOUR_TURN),
        ):
            door.host.look(client.link)
            door.settle()
            told = client.hear()
            assert told[0] == "INFO~\n\n---------- Round 1 ----------"
            assert told[-1] == last


# Time and goodbyes


def test_the_idle_side_forfeits(gops_door):
    with gops_door() as door:
        north, south, code = door.pair()
        north.play(code, 7)
        north.hear()
        door.clock.advance(299)
        assert (north.hear(), south.hear()) == ([], [])
        door.clock.advance(1)
        fact = "INFO~south did not choose a card in time; north wins the game!"
        assert (north.hear(), south.hear()) == ([fact, wire_events.END], [fact, wire_events.END])
        south.play(code, 7)
        assert south.hear() == []


def test_nobody_wins_if_both_are_idle(gops_door):
    with gops_door(seconds=60) as door:
        north, south, _ = door.pair()
        door.clock.advance(60)
        fact = "INFO~Nobody chose a card in time; the game is drawn"
        assert north.hear() == south.hear() == [fact, wire_events.END]


def test_whoever_loses_the_link_loses_the_game(gops_door):
    with gops_door() as door:
        north, south, code = door.pair()
        north.play(code, 7)
        north.hang_up()
        fact = "INFO~north lost the connection; south wins the game!"
        assert south.hear() == [fact, wire_events.END]
        south.say("START-GAME~1")
        assert south.hear()[-1] == wire_events.WAITING


def test_frames_may_go_out_a_pause_apart_and_in_order(gops_door):
    with gops_door(frame_pause=0.01, cards=2) as door:
        north = door.connect()
        north.say("START-GAME~1")
        assert len(north.hear()) == 2  # the greeting, and the first of three
        door.clock.advance(0.01)
        door.clock.advance(0.01)
        told = north.hear()
        assert [each.split("~")[0] for each in told] == ["SET-ID", "INFO"]
        code = told[0].removeprefix("SET-ID~")
        south = door.connect()
        south.say(f"JOIN-GAME~{code}")
        for _ in range(12):
            door.clock.advance(0.01)
        assert north.hear()[-1] == south.hear()[-1] == wire_events.YOUR_TURN
        south.hang_up()


def test_everybody_hears_when_play_is_paused(gops_door, hand_journal):
    with gops_door(journal=hand_journal) as door:
        north = door.connect()
        north.say("START-GAME~1")
        commit(door)
        north.hear()
        idle = door.connect()
        idle.hear()
        door.journal.on_trouble("the disk is full")
        door.journal.on_trouble(None)
        assert north.hear() == ["INFO~Play is paused", "INFO~Play goes on"]
        assert idle.hear() == []
        north.hang_up()
        commit(door)
