"""Games in the lobby: against bots, with people, looked on at."""

from __future__ import annotations

import re

import pytest

from gamecore.bots import find_bot
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.rules import installed_rules
from protocols.i18n.game_text import find_text

PROMPT = re.compile(r"\[(hall|\w+ [A-Z2-9]{5})\]")


def takes(lines):
    return [line for line in lines if " takes " in line and "seat" not in line]


# -- alone ----------------------------------------------------------------------------


def test_a_stranger_plays_a_whole_game_against_a_bot_with_two_words(lobby):
    with lobby(nim={"stones": 20}) as home:
        caller = home.call()
        heard = caller.type("play nim")
        assert heard[-1].startswith("[nim ")
        assert "Your turn. Take 1 to 3: TAKE n" in heard[-1]
        assert "20 of 20 stones are left; at most 3 may be taken." in heard
        while "Your turn" in heard[-1]:
            heard = caller.type("1")
        assert "The game is over: REMATCH plays again" in heard[-1]
        assert any(line.startswith("Game 1 is over:") for line in heard)
        assert home.tables[0].stage is Stage.OVER


def test_a_line_waits_for_the_bot_so_a_whole_game_may_be_piped_in(lobby):
    with lobby(nim={"stones": 60}) as home:
        caller = home.call()
        caller.say(b"name ann\nplay nim easy\n" + b"1\n" * 40 + b"leave\nquit\n")
        caller.end_input()
        heard = caller.hear()
        assert not any("not your turn" in line for line in heard)
        movers = [line.split()[0] for line in takes(heard)]
        assert len(movers) > 20
        assert movers == (["ann", "easy"] * 30)[: len(movers)]
        assert heard[-1] == "Goodbye, ann."
        assert caller.closed


def test_at_the_end_of_input_all_is_answered_and_then_the_link_ends(lobby):
    with lobby() as home:
        caller = home.call()
        caller.say(b"play nim\n3\nboard")
        caller.end_input()
        heard = caller.hear()
        assert len(takes(heard)) == 2
        assert "of 100 stones are left" in " ".join(heard[-5:])
        assert caller.closed


def test_each_answer_ends_in_one_line_that_says_how_things_stand(lobby):
    with lobby() as home:
        caller = home.call()
        caller.hear()
        for line in (
            "who",
            "xyzzy",
            "play nim",
            "3",
            "board",
            "why",
            "say hi",
            "join",
            "leave",
            "help",
        ):
            heard = caller.type(line)
            assert PROMPT.match(heard[-1]), heard
            assert sum(bool(PROMPT.match(each)) for each in heard) == 1, heard


def test_every_level_can_be_played(lobby):
    with lobby() as home:
        for level in ("random", "easy", "perfect"):
            caller = home.call()
            assert any(
                f"{level} bot, a bot, takes seat" in line
                for line in caller.type(f"play nim {level}")
            )
        assert caller.type("leave", "play nim grand")[0].startswith("You have left")
        assert caller.type("open nim", "bot grand")[-2].startswith("There is no bot of level grand")


def test_a_rematch_with_bots_begins_at_once(lobby):
    with lobby(nim={"stones": 1}) as home:
        caller = home.call()
        caller.type("play nim", "1")
        heard = caller.type("rematch")
        assert any(line.startswith("Game 2 begins") for line in heard)
        assert any("easy bot takes 1" in line for line in heard)
        assert "The game is over" in heard[-1]


def test_a_bot_that_thinks_for_long_does_not_silence_a_person(lobby, monkeypatch):
    with lobby() as home:
        monkeypatch.setattr(find_bot("nim", "easy"), "hesitate", lambda *_: 60.0, raising=False)
        caller = home.call()
        caller.type("play nim")
        heard = caller.type("1")
        assert not PROMPT.match(heard[-1])
        caller.type("say hm")
        home.clock.advance(5)
        heard = caller.hear()
        assert "Waiting for easy bot." in heard[0]
        assert "guest-1: hm" in heard
        assert "Waiting for easy bot" in caller.type("why")[-1]
        assert caller.type("3")[0] == "It is not your turn. Waiting for easy bot."


# -- with others ----------------------------------------------------------------------


def test_two_people_meet_and_play(lobby):
    with lobby(nim={"stones": 7}) as home:
        north, south = home.call("north"), home.call("south")
        heard = north.type("open nim")
        assert heard[-1].endswith("1 of 2 seats are taken. BOT adds an opponent.")
        listed = south.type("tables")
        assert re.fullmatch(
            r"\w{5} nim \(gathering\): north, 1 of 2 seats taken. JOIN \w{5}.", listed[0]
        )
        heard = south.type("join nim")
        assert "At the table: north in seat 1, south in seat 2." in heard
        assert "7 of 7 stones are left; at most 3 may be taken." in heard
        assert heard[-1].endswith("Waiting for north.")
        heard = north.hear()
        assert "Game 1 begins." in heard
        assert "Your turn" in heard[-1]
        assert north.type("3")[-1].endswith("Waiting for south.")
        assert "Your turn" in south.hear()[-1]
        south.type("take 3 reset")
        north.type("1")
        assert any("north wins" in line for line in south.hear())
        assert home.tables[0].stage is Stage.OVER


def test_a_move_out_of_turn_is_not_played_and_costs_nothing(lobby):
    with lobby() as home:
        north, south, _ = home.pair()
        before = home.tables[0].sequence
        for word in ("3", "take 3", "ta 3"):
            heard = south.type(word)
            assert heard[0] == "It is not your turn. Waiting for north."
        assert home.tables[0].sequence == before
        assert north.hear() == []


@pytest.mark.parametrize("typed", ["take", "take lots", "take 1 2 3"])
def test_only_who_makes_a_mistake_hears_of_it(lobby, typed):
    with lobby() as home:
        north, south, _ = home.pair()
        heard = north.type(typed)
        assert heard[0] == "Say how many stones, like TAKE 3 or TAKE 3 RESET."
        assert len(heard) == 2
        assert "Your turn" in heard[1]
        assert south.hear() == []


def test_why_names_who_is_waited_for_and_how_long(lobby):
    with lobby() as home:
        north, south, _ = home.pair()
        assert north.type("why")[0] == "Waiting for you, for 120 seconds more at most."
        home.clock.advance(20)
        assert south.type("why")[0] == "Waiting for north, for 100 seconds more at most."
        north.hang_up()
        south.hear()
        assert south.type("why")[0] == "Waiting for north (away), for 100 seconds more at most."
        lonely = home.call()
        assert lonely.type("why")[-2] == "You are in the hall, and nobody waits for you."
        lonely.type("open nim")
        assert "1 of 2 seats are taken" in lonely.type("why")[0]


def test_the_clock_that_runs_out_is_told(lobby):
    with lobby(nim={"seconds": 5}) as home:
        north, south, _ = home.pair()
        home.clock.pump([5, 0.1, 0])
        for each in (north, south):
            heard = each.hear()
            assert any("north has used up the time; south wins." in line for line in heard)
            assert sum("south wins" in line for line in heard) == 1


def test_people_gather_for_another_game_and_begin_when_they_like(lobby):
    with lobby(nim={"stones": 1}) as home:
        north, south, _ = home.pair()
        north.type("1")
        south.hear()
        assert south.type("rematch")[-1].endswith("Waiting for north to agree to another game.")
        assert "Another game gathers here, as game 2." in north.hear()
        heard = north.type("mix hare", "start")
        assert 'north adds "hare" to the shuffle.' in heard
        assert any(line.startswith("Game 2 begins, with south in seat 1") for line in heard)
        assert "Your turn" in south.hear()[-1]


def test_another_game_begins_by_itself_once_all_agree(lobby):
    with lobby(nim={"stones": 1}) as home:
        north, south, _ = home.pair()
        north.type("1")
        for number in range(2, 5):
            south.hear(), north.hear()
            assert south.type("rematch")[-1].endswith("Waiting for north to agree to another game.")
            heard = north.hear()
            assert "south agrees to another game." in heard
            assert "REMATCH agrees to another game" in heard[-1]
            assert south.type("rematch")[0].startswith("You have agreed already")
            heard = north.type("rematch")
            assert any(line.startswith(f"Game {number} begins") for line in heard)
            first, second = (north, south) if "Your turn" in heard[-1] else (south, north)
            assert "Waiting for" in second.type("why")[-1]
            first.type("1")


def test_who_leaves_loses_and_the_other_is_told(lobby):
    with lobby() as home:
        north, south, code = home.pair()
        given_up = f"You have left table {code}, and given up the game that was played there."
        assert north.type("leave") == [given_up, "[hall]"]
        heard = south.hear()
        assert sum("left" in line or "leaves" in line for line in heard) == 1
        assert any("south wins" in line for line in heard)
        assert north.type("board")[0] == "You are not at a table."


def test_an_empty_table_is_gone(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("open nim", "leave")
        assert home.tables == []
        assert caller.type("tables")[0].startswith("No table waits for anybody.")


def test_the_seed_is_told_to_who_asks_and_to_nobody_else(lobby):
    with lobby(nim={"stones": 1}) as home:
        north, south, _ = home.pair()
        seed = home.tables[0]._game._seed
        promised = north.type("seed")
        assert home.tables[0].commitment in promised[0]
        north.type("1")
        assert seed not in north.got().decode() + south.got().decode()
        assert seed in north.type("seed")[1]


# -- looking on -----------------------------------------------------------------------


def test_a_watcher_hears_everything_from_its_first_line_and_moves_nothing(lobby):
    with lobby() as home:
        north, south, code = home.pair()
        north.type("2")
        watcher = home.call("watcher")
        heard = watcher.type(f"watch {code}")
        assert f"You look on at table {code}, Expanding Nim." in heard
        assert "At the table: north in seat 1, south in seat 2." in heard
        assert "98 of 100 stones are left; at most 3 may be taken." in heard
        south.type("3")
        assert takes(watcher.hear())[0].startswith("south takes 3; 95 left")
        for word in ("3", "take 3", "start", "bot", "rematch", "mix x"):
            before = home.tables[0].sequence
            heard = watcher.type(word)
            assert home.tables[0].sequence == before, word
            assert heard[-1].endswith("Waiting for north.")
        for move in ("take 3", "3"):
            assert watcher.type(move)[0].startswith("You are looking on here")
        listed = home.call().type("tables")
        assert (
            f"{code} nim (playing): north, south, 2 of 2 seats taken, 1 looking on. WATCH {code}."
            in listed
        )


def test_a_watcher_may_take_a_free_seat(lobby):
    with lobby() as home:
        north = home.call("north")
        north.type("open nim")
        watcher = home.call("watcher")
        code = home.tables[0].code
        watcher.type(f"watch {code}")
        for none in (0, 7):
            assert watcher.type(f"sit {none}")[0].startswith(
                f"Nobody sits in seat {none}, or there is no such seat"
            )
        assert watcher.type("sit 1")[0] == "Somebody sits there already."
        assert watcher.type("sit 2")[-1].endswith("Waiting for north.")
        assert any("Game 1 begins" in line for line in north.hear())
        assert watcher.type("sit")[0].startswith("You sit at table")


def test_a_table_may_forbid_to_be_looked_on_at(lobby):
    with lobby() as home:
        _, _, code = home.pair("open nim watchers=no")
        watcher = home.call()
        assert watcher.type(f"watch {code}")[-2] == "Nobody may look on at that table."
        assert watcher.type("board")[0] == "You are not at a table."


# -- every game -----------------------------------------------------------------------


@pytest.mark.parametrize("rules", installed_rules(), ids=lambda rules: rules.kind)
def test_every_game_begins_against_bots_with_two_words(lobby, rules):
    if find_text(rules.kind) is None:
        pytest.skip("has no words yet")
    with lobby(rules=[NIM, rules] if rules is not NIM else [NIM]) as home:
        caller = home.call()
        heard = caller.type(f"play {rules.kind}")
        table = home.tables[0]
        assert table.stage is Stage.PLAYING
        home.clock.advance(1)  # bots that move at once go before the question
        assert any(map(PROMPT.match, [*heard, *caller.hear()]))
        assert len(caller.type("board")) > 1
        assert caller.type("leave")[-1] == "[hall]"


# -- what is not meant ----------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["4", "4 r", "take 9", "0"])
def test_a_move_that_loses_at_once_is_to_be_said_twice(lobby, wrong):
    with lobby(nim={"stones": 20, "maximum": 3}) as home:
        caller = home.call()
        caller.type("play nim")
        warned = caller.type(wrong)
        assert "That would lose the game. Say it again if you mean it." in warned
        assert home.tables[0].stage is Stage.PLAYING
        caller.type("3")
        assert home.tables[0].stage is Stage.PLAYING
        caller.type("99")
        caller.type("98")
        assert home.tables[0].stage is Stage.PLAYING
        caller.type("98")
        assert home.tables[0].stage is Stage.OVER


def test_a_reset_that_is_not_left_is_asked_for_twice(lobby):
    with lobby(nim={"stones": 20, "resets": 0}) as home:
        caller = home.call()
        caller.type("play nim")
        assert any("lose the game" in line for line in caller.type("1 r"))
        caller.type("1 r")
        assert home.tables[0].stage is Stage.OVER
