"""The screen of a person: how wide lines are, how much of a text is shown at once, and with which letters."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from twisted.conch.telnet import DO, IAC, SB, SE, WILL

from gamecore.games.gops import RULES as GOPS
from gamecore.games.pass123 import RULES as PASS
from gamecore.games.rikiki import RULES as RIKIKI
from gamecore.rules import installed_rules
from protocols.i18n.game_text import TIE
from protocols.i18n.wrapping import cells, wrap
from protocols.lobby.commands import ALL_GAMES
from protocols.lobby.line_style import LineStyle

NAWS = b"\x1f"
FEW = ["help all", "games", "rules rikiki", "tables", "who", "help rikiki", "xyzzy " * 9]


def size(columns, rows):
    return IAC + SB + NAWS + bytes([0, columns, 0, rows]) + IAC + SE


# -- how wide --------------------------------------------------------------------------


@example(line="aaaaaaaaaaaa日日日日 ", columns=20)
@given(line=st.text(st.sampled_from("ab 日é♥"), max_size=200), columns=st.integers(20, 90))
def test_no_line_is_wider_than_the_screen_and_no_letter_is_lost(line, columns):
    parts = list(wrap(line, columns))
    assert all(cells(part) <= columns for part in parts)
    assert "".join("".join(parts).split()) == "".join(line.split())


def test_a_line_is_broken_at_its_columns_and_else_at_words():
    row = "es1 Pawn Warrior 10       es2 Sacrifice 15"
    assert list(wrap(row, 40)) == ["es1 Pawn Warrior 10", "  es2 Sacrifice 15"]
    assert list(wrap("one two three four five", 20)) == ["one two three four", "  five"]
    assert list(wrap("short", 20)) == ["short"]
    assert list(wrap("he has taken in all 12 stones", 22)) == ["he has taken in all", "  12 stones"]
    assert list(wrap("Quelqu'un a fini : TAP !", 20)) == ["Quelqu'un a fini :", "  TAP !"]


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_all_that_the_lobby_says_fits_the_width_that_was_chosen(lobby, columns):
    with lobby(rules=installed_rules()) as home:
        caller = home.call("ada")
        heard = caller.type(f"width {columns}", *FEW, *[f"help {each}" for each in ALL_GAMES.known])
        for kind in home.hall.registry.kinds:
            heard += caller.type(f"play {kind}", "board", "why", "help", "1", "say hi", "leave")
        assert len(heard) > 300
        assert [line for line in heard if cells(line) > columns] == []


def test_a_screen_of_which_nothing_is_known_has_80_columns(lobby):
    with lobby(rules=installed_rules()) as home:
        caller, others = home.call(wide=False), home.call("bob")
        heard = [*caller.hear(), *caller.type("help all", "games", "open rikiki private=no")]
        others.type("join rikiki", f"say {'word ' * 40}")
        heard += [*caller.hear(), *caller.type("start"), *caller.hear()]
        assert max(map(cells, heard)) in range(70, 81)
        assert caller.type("width")[0] == "Lines are broken at 80 columns."


def test_a_program_has_lines_as_long_as_they_are_by_a_word(lobby):
    with lobby() as home:
        caller = home.call(wide=False)
        assert caller.type("width 0")[-2].startswith("Lines are as long as they are.")
        assert any(len(line) > 100 for line in caller.type("games", "help nim", "help"))


def test_each_reader_of_one_event_has_it_in_their_own_style(lobby):
    with lobby(rules=(RIKIKI,)) as home:
        readers = [home.call(f"reader {n}", wide=False) for n in range(4)]
        first, second, third, last = readers
        first.type("width 0", "open rikiki start=asked")
        second.type("width 20"), third.type("suits letters"), last.type("colour on")
        (code,) = (table.code for table in home.tables)
        for each in readers[1:]:
            each.type(f"join {code}")
        for each in readers:
            each.type("set board never"), each.hear()
        asked = [(first, ["start"]), *((each, ()) for each in readers[1:])]
        turned = [" ".join([*each.type(*word), *each.hear()]) for each, word in asked]
        assert [any(sign in each for sign in "♠♥♦♣") for each in turned] == [1, 1, 0, 1]
        assert "\x1b" in turned[3] and not any("\x1b" in each for each in turned[:3])
        assert "Round 1 of" in turned[0] and "Round 1 of" in turned[1]


def test_a_telnet_client_tells_the_size_of_its_window(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say(IAC + WILL + NAWS + size(40, 20))
        assert caller.value() == IAC + DO + NAWS
        caller.clear()
        assert all(len(line) <= 40 for line in caller.type("games", "seed"))
        caller.say(size(0, 0))  # of which RFC 1073 says: unknown
        assert caller.type("width")[0] == "Lines are broken at 80 columns."


def test_a_telnet_client_is_asked_for_its_size_by_a_word_and_nobody_else_ever_is(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("help", "play nim", "leave")
        assert IAC not in caller.got()
        caller.type("width 80")
        caller.say(b"width auto\r\n")
        assert caller.value().startswith(IAC + DO + NAWS + b"Your terminal is asked.")
        caller.clear()
        caller.say(IAC + WILL + NAWS + size(70, 0))
        assert caller.type("width")[0] == "Lines are broken at 70 columns."


@pytest.mark.parametrize("typed", ["width x", "width 1 2 3", "width -1", "width 9999", "width ²"])
def test_a_width_that_is_none_is_refused(lobby, typed):
    with lobby() as home:
        assert home.call().type(typed)[-2].startswith("Say WIDTH and columns")


# -- how much at once ------------------------------------------------------------------


def test_a_long_text_stops_where_the_screen_is_full_and_any_line_goes_on(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("width 0 0")
        whole = caller.type("help all")
        caller.type("width 0 12")
        pages = [caller.type("help all")]
        while pages[-1][-1] == "-- more --":
            assert len(pages[-1]) == 11
            pages.append(caller.type("" if len(pages) % 2 else "play nim"))
        assert [line for page in pages for line in page if line != "-- more --"] == whole
        assert home.tables == []


def test_q_leaves_a_long_text(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("width 80 12")
        assert caller.type("help all")[-1] == "-- more --"
        assert caller.type("q") == ["[hall]"]
        assert caller.type("who")[0] == "guest-1 (you), in the hall."


def test_what_happens_is_told_while_somebody_reads(lobby):
    with lobby() as home:
        caller, other = home.call(), home.call("other")
        caller.type("width 80 12", "help all")
        other.type("say hello")
        assert caller.hear() == ["other: hello"]
        assert caller.type("")[-1] == "-- more --"


def test_who_has_ended_its_input_reads_to_the_end(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("width 80 12", "help all")
        caller.end_input()
        assert caller.closed


def test_a_program_never_has_to_turn_a_page(lobby):
    with lobby() as home:
        caller = home.call()
        assert "-- more --" not in caller.type("help all", "width 80", "help all")


# -- the board ------------------------------------------------------------------------


@pytest.mark.parametrize(("when", "shown"), [("always", True), ("round", False), ("never", False)])
def test_the_board_is_shown_as_one_likes(lobby, when, shown):
    with lobby() as home:
        caller = home.call()
        caller.type(f"set board {when}", "play nim")
        assert any("stones are left" in line for line in caller.type("1")) is shown


def test_a_round_that_begins_is_drawn_unless_that_is_not_wished(lobby):
    with lobby(rules=(RIKIKI,)) as home:
        for wish, shown in (("never", False), ("round", True)):
            caller = home.call()
            heard = caller.type(f"set board {wish}", "play rikiki")
            assert (
                any(line.startswith("Your cards: ") and "." not in line for line in heard) is shown
            )


def test_who_looks_on_may_see_each_board_as_well(lobby):
    with lobby() as home:
        north, _, code = home.pair()
        watcher = home.call()
        watcher.type(f"watch {code}", "set board always")
        north.type("1")
        assert any("99 of 100 stones are left" in line for line in watcher.hear())


@pytest.mark.parametrize("typed", ["set", "set board", "set board often", "set table always"])
def test_what_cannot_be_set_is_said(lobby, typed):
    with lobby() as home:
        assert home.call().type(typed)[-2].startswith("Say SET board always")


# -- letters --------------------------------------------------------------------------


def test_plain_letters_are_all_a_terminal_needs(lobby):
    with lobby(rules=(RIKIKI,)) as home:
        caller, other = home.call(), home.call("Žofie Łódź 日")
        caller.type("charset ascii", "lang fr", "width 80")
        caller.clear()
        heard = caller.type("who", "help all", "play rikiki", "rules")
        assert "".join(heard).isascii()
        assert any("Zofie Lodz ?" in line for line in heard)
        assert other.type("charset utf-8")[0] == "Letters are written so: é è ñ ü ø, 10♠ 10♥"
        assert other.type("charset latin-1")[0].startswith("Say CHARSET")


def test_letters_become_plain_before_lines_are_broken():
    style = LineStyle(ascii=True, columns=20)
    assert all(len(line) <= 20 for line in style.lines("æ" * 15 + " " + "ß" * 18))


def test_letters_that_look_like_an_option_do_not_freeze_a_terminal(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say("яъявление".encode("cp1251") + b"\r\nwho\r\n")
        heard = caller.hear()
        assert heard[0].startswith("That line is not UTF-8 text.")
        assert heard[1] == "guest-1 (you), in the hall."


# -- in which order -------------------------------------------------------------------


def is_question(line):
    return line.startswith("[") and "Your turn." in line


def test_bots_that_move_beside_a_person_go_before_the_question(lobby):
    with lobby(rules=(GOPS,)) as home:
        caller = home.call("ada")
        heard = caller.type("play gops cards=3")
        assert heard[-2] == "value bot has laid a card." and is_question(heard[-1])
        assert sum(map(is_question, heard)) == 1


def test_a_bot_that_takes_its_time_beside_a_person_does_not_keep_them_from_asking_or_moving(lobby):
    with lobby(rules=(PASS,)) as home:
        caller = home.call("ada")
        assert not is_question(caller.type("play pass123")[-1])
        home.clock.advance(0.3)
        assert is_question(caller.hear()[-1])
        assert is_question(caller.type("board")[-1])
        caller.type("why", str(caller.link.session.table.turn.moves[0].card))
        assert caller.link.session.table.turn.moves == ()


def test_what_others_do_meanwhile_is_told_before_the_question_is_asked_again(lobby):
    with lobby(rules=(GOPS,)) as home:
        north, south = home.call("north"), home.call("south")
        north.type("open gops cards=3")
        south.type("join gops")
        assert is_question(north.hear()[-1])
        south.type("1")
        heard = north.hear()
        assert heard[0] == "south has laid a card." and is_question(heard[-1]) and len(heard) == 2


def test_no_line_is_broken_within_a_choice_that_fits_one(lobby):
    said = f"You may: 1{TIE}PLAY{TIE}Mage's{TIE}Partner, 2{TIE}Castle{TIE}Knight"
    for style in (LineStyle(columns=40), LineStyle(columns=40, ascii=True)):
        assert list(style.lines(said)) == ["You may: 1 PLAY Mage's Partner,", "  2 Castle Knight"]
    wide = f"5{TIE}ATTACK{TIE}s1{TIE}Castle{TIE}Knight"
    assert list(LineStyle(columns=20).lines(wide)) == ["5 ATTACK s1 Castle", "  Knight"]


def test_who_waits_for_others_hears_with_each_that_comes_what_may_be_done(lobby):
    with lobby(rules=(RIKIKI,)) as home:
        north, south = home.call("north"), home.call("south")
        assert "START" not in north.type("open rikiki players=3")[-1]
        south.type("join rikiki")
        heard = north.hear()
        assert heard[0] == "south takes seat 2." and len(heard) == 2
        assert "START begins without more. 2 of 3 seats are taken." in heard[1]
        south.type("leave")
        assert north.hear() == ["south leaves."]
        home.call("east").type("join rikiki")
        assert "START" in north.hear()[-1]
        home.call("west").type("join rikiki")
        assert not any("All seats are taken" in line for line in north.hear())
