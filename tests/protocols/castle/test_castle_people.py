"""People at the door of Castle Wars, who speak the words of the lobby with this one game."""

from __future__ import annotations

import pytest


def prompt(lines):
    """Find the last line that says how things stand."""
    return next(line for line in reversed(lines) if line.startswith("["))


def test_two_people_play_by_words(castle_door):
    with castle_door() as door:
        red, blue = door.connect(), door.connect()
        assert any(line.startswith("PLAY [bot]: ") for line in red.type("help"))
        assert "CARD name: what a card is worth, costs and does" in red.type("help all")
        assert any(line.startswith("Warlock (24)") for line in red.type("card warlock"))
        assert red.type("name red") == ["You are called red.", "[hall]"]
        assert any("word" in line for line in red.type("keep"))
        assert any("RETURN" in line for line in red.type("open start=full begins=first-seat"))
        assert "red" in "".join(blue.type("rooms"))
        blue.type("name blue")
        heard = blue.type("join")
        assert any("Keep your hand? 1 KEEP; 2 MULLIGAN." in line for line in heard)
        red.lines()
        assert "red keeps the hand." in red.type("keep")
        assert "It is not your turn. Waiting for blue." in red.type("end")
        blue.type("1")
        assert any("You may: 1 PLAY" in line for line in red.lines())
        assert red.type("attack s1 castle")[0] == "There is no such card."
        board = red.type("board")
        assert "Your hand" in "".join(board) and "You may:" in "".join(board)
        assert any("turn of blue" in line for line in red.type("end"))
        assert prompt(red.type("leave")) == "[hall]"
        assert "REMATCH" in prompt(blue.lines())
        assert "Goodbye, blue." in blue.type("quit") and blue.closed


def test_a_person_comes_back_and_plays_with_a_deck_of_their_own(castle_door):
    with castle_door() as door:
        red = door.connect()
        red.type("deck sample soldiers"), red.type("deck save")
        token = next(line for line in red.type("solo easy") if "RETURN" in line).split()[-1]
        (live,) = door.host.service.live
        assert live.table.turn_of(0, 0.0).board.sides[0].castle == 0
        red.hang_up()
        again = door.connect()
        heard = again.type(f"return {token}")
        assert any("Your hand" in line for line in heard)
        assert prompt(heard).endswith("1 KEEP; 2 MULLIGAN.")
        assert prompt(again.type("leave")) == "[hall]"


def test_a_person_and_a_program_meet_at_one_table(castle_door):
    with castle_door() as door:
        blue, red = door.join("blue"), door.connect()
        red.type("join")
        assert "GAME_START" in blue.value().decode()
        blue.put("GAME_START_ACCEPT")
        assert "blue keeps the hand." in red.lines()


@pytest.mark.parametrize(
    "line",
    [
        *("solo grandmaster", "play", "return", "return x.y", "leave", "board", "name", "name red"),
        *("deck", "card", "join", "join NOSUCH", "rooms", "help", "help rules", "rules", "quit"),
    ],
)
def test_every_word_is_answered(castle_door, line):
    with castle_door() as door:
        caller = door.connect()
        caller.type("tables")
        assert caller.type(line)


# -- the first line says in which manner ------------------------------------------------


@pytest.mark.parametrize(
    "unreadable",
    [
        *(b"na\xefve\n", b"\xff\xf4\xff\xfd\x06\n", b"a" * 20_000 + b"\n", b"\n  \n"),
        *(b"{\n", b"[hello]\n", b"[1]\n", b'{"COMMAND"}\n', b"{" * 9000 + b"\n"),
    ],
    ids=[
        *("latin-1", "telnet's Ctrl-C", "too long", "blank"),
        *("a brace", "a word in brackets", "a list", "no object", "too deep"),
    ],
)
@pytest.mark.parametrize("speaks", ["words", "objects"])
def test_a_first_line_that_cannot_be_read_says_nothing_of_the_manner(
    castle_door, unreadable, speaks
):
    with castle_door() as door:
        caller = door.connect()
        caller.say(unreadable)
        assert len(caller.lines()) == (unreadable.strip() != b"")
        if speaks == "words":
            assert caller.type("name red")[-2:] == ["You are called red.", "[hall]"]
        else:
            assert caller.put("ROOM_LIST") == [{"COMMAND": "ROOM_LIST_RESP", "ROOMS": []}]


def test_words_may_not_be_changed_for_objects(castle_door):
    with castle_door() as door:
        caller = door.connect()
        caller.type("name red")
        assert not caller.type('{"COMMAND":"ROOM_LIST"}')[0].startswith("{")


def test_who_types_nothing_is_let_go_and_who_reads_for_long_is_not(castle_door):
    with castle_door() as door:
        mute, reader = door.connect(), door.connect()
        reader.type("help rules")
        door.clock.advance(600)
        assert mute.closed and not reader.closed
