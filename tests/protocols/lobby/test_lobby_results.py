"""HISTORY, RATING and TOP: how games ended, and who is the strongest, for a person."""

from __future__ import annotations

import pytest

from gamecore.commands import Abandon
from gamecore.games.gops import RULES as GOPS
from gamecore.games.nim import RULES as NIM
from gamecore.rules import installed_rules
from protocols.host.ladder import MOST_LISTED
from protocols.i18n.game_text import find_text
from protocols.lobby.commands import ALL_GAMES
from tests.rated import rate

NEW = {"history", "rating", "top"}
NO_OPENSKILL = "This house rates nobody: it has no openskill (pip install 'parlour[ladder]')."


def over(home, opening="open nim stones=1"):
    north, south, code = home.pair(opening)
    north.type("take 1")
    south.hear()
    return north, south, code


# -- HISTORY --------------------------------------------------------------------------


def test_a_game_that_ended_is_told_by_each_name_that_played(lobby):
    with lobby() as home:
        north, _, code = over(home)
        line = f"2001-09-09 01:46  nim {code}: 1. north, 2. south (not rated: a guest plays)"
        assert line in north.type("history")
        stranger = home.call()
        assert line in stranger.type("history North 5")
        assert line in stranger.type("history south")
        assert stranger.type("history nobody")[-2] == "No game of nobody has ended here."


def test_a_game_alone_against_a_bot_is_told_without_its_table(lobby):
    with lobby() as home:
        north = home.call("north")
        north.type("play nim easy stones=1")
        north.type("take 1")
        (line,) = [each for each in north.type("history") if "2001" in each]
        assert "nim: 1. north, 2. " in line and "[easy]" in line
        assert line.endswith("(not rated: the table is private)")
        assert any("[easy]" in each for each in home.call().type("history easy"))


@pytest.mark.parametrize("how", ["private", "password xyzzy"])
def test_what_two_play_where_nobody_else_could_come_is_told_to_nobody(lobby, how):
    with lobby() as home:
        north, south = home.call("north"), home.call("south")
        north.type(f"open nim stones=1 {how}")
        code = next(iter(home.hall._tables))
        south.type(f"join {code} {how.partition('password ')[2]}")
        north.type("take 1")
        for each in (north, south, home.call()):
            assert not any("2001" in line for line in each.type("history north"))


def test_who_left_is_last_and_that_is_said(lobby):
    with lobby() as home:
        north, south, _ = home.pair("open nim")
        north.type("leave"), south.type("leave")
        assert any(
            "south, 2. north, who left" in line for line in home.call().type("history north")
        )


def test_a_game_that_the_house_gives_up_is_void(lobby):
    with lobby() as home:
        _, south, code = home.pair()
        home.host.command(None, home.tables[0], Abandon("bug"))
        home.settle()
        (line,) = [each for each in south.type("history") if "2001" in each]
        assert line.endswith(f"nim {code}: north, south (void, for it was given up)")


def test_a_list_has_a_length_that_is_not_too_much(lobby):
    with lobby() as home:
        rate(home, *[("perfect", "random")] * 12)
        caller = home.call()
        assert sum("BOTS1" in line for line in caller.type("history perfect")) == 10
        assert sum("BOTS1" in line for line in caller.type("history perfect 3")) == 3
        for typed in ("history perfect 0", f"history perfect {MOST_LISTED + 1}", "top nim 0"):
            assert caller.type(typed)[-2] == f"A list has 1 to {MOST_LISTED} lines."


# -- whether a game is rated ----------------------------------------------------------


BEGUN = "Game 1 is not rated: a guest plays."


@pytest.mark.parametrize("rules", installed_rules(), ids=lambda rules: rules.kind)
def test_of_every_game_that_begins_and_is_over_it_is_said_whether_it_is_rated(lobby, rules):
    with lobby(rules=(rules,)) as home:
        north, south = home.call("north"), home.call("south")
        two = " players=2" if len(rules.seats) > 1 and rules.kind != "connect4" else ""
        north.type(f"open {rules.kind}{two}")
        assert BEGUN in south.type(f"join {home.tables[0].code}")
        assert BEGUN in north.hear()
        south.hear(), north.type("leave")
        assert BEGUN in south.hear()


def test_what_keeps_a_game_from_being_rated_is_said(lobby):
    with lobby() as home:
        heard = home.call("north").type("play nim easy stones=1")
        assert "Game 1 is not rated: the table is private." in heard


def test_who_looks_on_at_a_game_of_bots_hears_that_it_is_rated(lobby):
    with lobby() as home:
        table = home.open("nim", start="full")
        watcher = home.call("ann")
        watcher.type(f"watch {table.code}")
        for seat, level in enumerate(("perfect", "random")):
            home.host.seat_bot(table, seat, level, level)
        while not table.ended:
            home.pass_time(1.0)
        assert watcher.hear().count("Game 1 is rated.") == 2


def test_a_game_that_is_given_up_is_said_to_be_void(lobby):
    with lobby() as home:
        north, _, _ = home.pair()
        home.host.command(None, home.tables[0], Abandon("bug"))
        home.settle()
        assert "Game 1 is void, for it was given up." in north.hear()
        north.type("open nim")
        heard = north.type("leave")  # none had begun
        assert not any("void" in line or "rated" in line for line in heard)


# -- RATING ---------------------------------------------------------------------------


def test_a_rating_is_told_with_a_mark_as_long_as_it_may_be_far_off(lobby):
    with lobby() as home:
        rate(home, ("perfect", "random"))
        caller = home.call("ann")
        assert caller.type("rating perfect")[-2] == "nim: 1578? after 1 game"
        assert caller.type("rating PERFECT nim")[-2] == "nim: 1578? after 1 game"
        rate(home, *[("perfect", "random"), ("random", "perfect")] * 40)
        assert "? after" not in caller.type("rating perfect")[-2]


def test_who_has_none_hears_who_has(lobby):
    with lobby(rules=(NIM, GOPS)) as home:
        caller = home.call("ann")
        none = "ann has no rating: only the levels of bots are rated so far."
        assert caller.type("rating")[-2] == caller.type("rating nim")[-2] == none
        rate(home, ("perfect", "random"))
        assert "perfect has no rating" in caller.type("rating perfect gops")[-2]


# -- TOP ------------------------------------------------------------------------------


def test_the_strongest_are_listed_from_the_first_on(lobby):
    with lobby() as home:
        rate(home, *[("perfect", "random"), ("perfect", "random"), ("random", "perfect")] * 30)
        caller = home.call()
        lines = caller.type("top nim")
        assert [line.split()[:2] for line in lines[-3:-1]] == [["1", "perfect"], ["2", "random"]]
        assert [line.split()[1] for line in caller.type("top nim bots 1")[-2:-1]] == ["perfect"]
        none = "Nobody has played enough rated games of nim to be listed."
        assert caller.type("top nim people")[-2] == none


def test_what_top_takes_is_said(lobby):
    with lobby() as home:
        caller = home.call()
        assert caller.type("top")[-2] == "TOP of which game? There are: nim."
        assert "There is no game called chess here" in caller.type("top chess")[-2]
        says = "TOP takes a game, people / bots / all, and how many."
        assert caller.type("top nim cats")[-2] == caller.type("top nim bots 1 x")[-2] == says


def test_a_house_without_openskill_says_how_to_get_ratings_and_tells_history(lobby, monkeypatch):
    monkeypatch.setattr("protocols.host.ladder.can_rate", lambda: False)
    with lobby() as home:
        north, _, code = over(home)
        assert north.type("rating perfect")[-2] == NO_OPENSKILL
        assert north.type("top nim")[-2] == NO_OPENSKILL
        assert any(code in line for line in north.type("history"))


# -- words ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [None, *(each.kind for each in installed_rules())])
def test_every_beginning_that_was_clear_without_these_words_still_is(kind):
    """At each game, too: what its own words begin with stays theirs."""
    text = None if kind is None else find_text(kind)
    old = [*(each for each in ALL_GAMES.known if each not in NEW), *(text.verbs if text else ())]
    for word in old:
        for end in range(1, len(word) + 1):
            begun = dict.fromkeys(each for each in old if each.startswith(word[:end]))
            assert ALL_GAMES._begun(word[:end], [*NEW, *old]) == list(begun)


@pytest.mark.parametrize("typed", ["h", "he", "hel"])
def test_help_is_still_what_an_h_means(lobby, typed):
    with lobby() as home:
        assert home.call().type(typed)[-2].startswith("HELP and a word says more")
        caller = home.call("ann")
        assert caller.type(f"help {typed}") == caller.type("help help")


def test_a_beginning_that_was_nobody_s_is_the_new_word_s(lobby):
    with lobby() as home:
        assert home.call().type("hist nobody")[-2] == "No game of nobody has ended here."
        assert home.call().type("to")[-2].startswith("TOP of which game?")
        assert "has no rating" in home.call("ann").type("ra")[-2]


def test_all_of_it_is_said_in_french(lobby):
    with lobby() as home:
        north, _, code = over(home)
        rate(home, ("perfect", "random"), ("perfect", "random"))
        north.type("lang fr")
        assert f"nim {code} : 1. north, 2. south (non classée : un invité joue)" in " ".join(
            north.type("history")
        )
        assert north.type("rating perfect")[-2].endswith("après 2 parties")
        assert north.type("top nim people")[-2].startswith("Personne n'a joué assez")
