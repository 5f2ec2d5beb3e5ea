"""REPLAY: a game that is over is told again, by game and not by table, to those who may have it."""

from __future__ import annotations

import re

import pytest
from twisted.internet.defer import succeed

from gamecore.games.nim import RULES as NIM
from gamecore.games.rikiki import RULES as RIKIKI
from tests.protocols.lobby.conftest import keeping

NOT_YOURS = "No game that is over is kept for you under that code; for a private one say the word you were given."


@pytest.fixture
def house(lobby):
    with lobby(rules=(NIM, RIKIKI), journal=keeping((NIM, RIKIKI))) as opened:
        yield opened


def over(house, opening="open nim stones=3"):
    """Let two play Nim to its end, and sit on; gives them and the code."""
    north, south, code = house.pair(opening)
    north.type("take 3")
    south.hear()
    return north, south, code


def told(lines):
    """Take from what is told again the sentences, less how things stand."""
    return [line.split("  ")[-1] for line in lines if not line.startswith("[")]


def test_who_sits_there_still_has_the_game_told_again(house):
    north, _, code = over(house)
    lines = told(north.type("replay"))
    assert lines[0].startswith(f"Table {code}: Expanding Nim, opened ")
    assert lines[-2] == "Game 1 is over: north wins (the last stone)."
    assert "north takes seat 1." in lines


def test_a_public_table_needs_no_more_than_its_code(house):
    _, _, code = over(house)
    stranger = house.call("stranger")
    assert told(stranger.type(f"replay {code.lower()}"))[-2].startswith("Game 1 is over: north")


@pytest.mark.parametrize("how", ["private", "password xyzzy", "watchers=no"])
def test_any_other_table_needs_a_word_that_was_given_there(house, how):
    north = house.call("north")
    given = " ".join(north.type(f"open nim stones=3 {how}"))
    token = given.partition("RETURN ")[2].split()[0]
    code = token.partition(".")[0]
    house.call("south").type(f"join {code} {how.partition('password ')[2]}")
    north.type("take 3")
    stranger = house.call("stranger")
    assert told(stranger.type(f"replay {code}")) == [NOT_YOURS]
    assert told(stranger.type(f"replay {code}.{'0' * 32}")) == [NOT_YOURS]
    assert told(stranger.type(f"replay {token}"))[-2].startswith("Game 1 is over: north")
    assert not any("scrypt" in line for line in stranger.type(f"replay {token} all"))


def test_the_game_before_is_told_while_the_next_is_played(house):
    north, south, code = over(house)
    north.type("rematch"), south.type("rematch")
    house.settle()
    lines = told(house.call("stranger").type(f"replay {code}"))
    assert lines[-2].startswith("Game 1 is over")
    assert not any("game 2" in line.lower() for line in lines)


def test_nothing_is_told_of_a_game_that_is_played_nor_of_one_there_never_was(house):
    north, _, code = house.pair("open nim")
    assert told(north.type("replay")) == [NOT_YOURS]
    assert told(house.call("stranger").type(f"replay {code}", "replay ZZZZZ")) == [NOT_YOURS] * 2


def test_a_game_that_was_put_away_is_told_as_well(house):
    north, south, code = over(house)
    north.type("leave"), south.type("leave")
    assert code in house.journal.kept
    assert told(north.type(f"replay {code}"))[-2:] == ["north leaves.", "south leaves."]


def test_all_hands_are_shown_and_each_seat_its_own(house):
    north, south, code = house.pair("open rikiki players=2 first=2")
    south.type("leave")  # which ends it
    everybody, own, everything = (
        told(north.type(f"replay {code} {who}".strip())) for who in ("", "seat 1", "all")
    )
    assert any(line.startswith("north is told: ") for line in everything)
    assert any(line.startswith("south is told: ") for line in everything)
    assert not any("is told" in line for line in (*everybody, *own))
    assert set(own) != set(everybody)


def test_what_is_typed_wrong_is_said(house):
    *_, code = over(house)
    stranger = house.call("stranger")
    for typed in ("replay", f"replay {code} seat x", f"replay {code} nobody"):
        assert told(stranger.type(typed))[0].startswith("Say which game, like REPLAY")
    for none in (0, 7):
        assert f"seat {none}" in told(stranger.type(f"replay {code} seat {none}"))[0]


def test_it_is_told_in_ones_language(house):
    north, _, _ = over(house)
    north.type("lang fr")
    assert any("La partie 1 est finie" in line for line in north.type("replay"))


def test_a_crowd_that_asks_at_once_is_not_done_at_once(house, monkeypatch):
    *_, code = over(house)
    monkeypatch.setattr("protocols.host.records.MOST_WAITING", 1)
    crowd = [house.call(f"person {number}") for number in range(4)]
    for each in crowd:
        each.link.dataReceived(f"replay {code}\r\n".encode())
    house.settle()
    fast = ["That was too fast. Wait a moment, then try again."]
    assert [told(each.hear())[-1:] == fast for each in crowd] == [False, False, True, True]


def test_a_line_is_broken_behind_words_and_not_behind_its_time(house):
    north, _, code = over(house)
    for columns in range(40, 90):
        lines = north.type(f"width {columns}", f"replay {code}")
        assert not any(re.fullmatch(r" *[0-9:]+", line) for line in lines)


def test_on_a_screen_it_is_told_a_page_at_a_time(house):
    north, _, code = over(house)
    north.say(b"\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x0a\xff\xf0")  # NAWS: 80 by 10
    house.settle()
    north.clear()
    lines = north.type(f"replay {code}")
    assert lines[-1] == "-- more --" and len(lines) <= 10
    assert any("Game 1 is over" in line for line in north.type("", ""))


def test_each_game_of_a_table_is_told_again_by_its_number(house):
    north, south, code = over(house)
    north.type("rematch"), south.type("rematch")
    for caller in (north, south, north):
        caller.type("take 3")
    stranger = house.call("stranger")
    first, second = (told(stranger.type(f"replay {code} game {n}")) for n in (1, 2))
    assert [line for line in first if line.startswith("Game ")][-1].startswith("Game 1 is over")
    assert [line for line in second if line.startswith("Game ")][-1].startswith("Game 2 is over")
    assert told(stranger.type(f"replay {code}")) == second
    assert told(north.type("replay game 1")) == first
    assert told(north.type("replay all game 1 ")) == told(north.type("replay game 1 all"))
    assert told(stranger.type(f"replay {code} game 1 seat 1"))[-2:] == first[-2:]
    for wrong in ("0", "3", "999999"):
        assert told(stranger.type(f"replay {code} game {wrong}")) == [NOT_YOURS]


@pytest.mark.parametrize("typed", ["game", "game x", "game 1 game 1", "seat 1 all", "game 1 2"])
def test_what_names_no_game_is_refused_with_how_it_is_typed(house, typed):
    north, _, _ = over(house)
    assert told(north.type(f"replay {typed}"))[0].startswith("Say which game, like REPLAY")


def test_a_game_is_drawn_as_lines_where_it_takes_nobody_s_time(house):
    made = []

    def elsewhere(work, *what):
        made.append(work(*what))
        return succeed(made[-1])

    house.host._records._in_thread = elsewhere
    north, *_ = over(house)
    north.type("width 40")
    lines = north.type("replay")
    (drawn,) = [each for each in made if isinstance(each, list)]
    assert lines[: len(drawn)] == drawn
    assert max(map(len, drawn)) <= 40
    made.clear()
    assert north.type("replay") == lines
    assert made[-1] is drawn, "and but once for all who read it so"
    north.type("width 60", "replay")
    assert made[-1] is not drawn
