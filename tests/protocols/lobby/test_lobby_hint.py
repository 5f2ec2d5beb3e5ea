"""HINT in the lobby."""

from __future__ import annotations

import pytest

from gamecore.commands import Abandon
from gamecore.games.nim import Take
from gamecore.rules import installed_rules
from protocols.host.thinking import NotThought
from protocols.i18n.game_text import find_text
from protocols.testing import Ponder
from tests.protocols.lobby.conftest import Lobby

ALONE = "play nim random resets=0"


@pytest.fixture
def ponder():
    return Ponder()


def begin(home, words=ALONE):
    caller = home.call("ada")
    caller.type(words)
    return caller


def test_a_move_is_told_as_it_is_typed(ponder):
    with Lobby(thinking=ponder) as home:
        caller = begin(home)
        assert caller.type("hint") == []
        assert caller.type("why") == []  # waits behind it
        ponder.of(0)[-1].callback(Take(2))
        home.settle()
        heard = caller.hear()
        assert heard[0] == "You might play: 2"
        assert any("Waiting for you" in line for line in heard)


@pytest.mark.parametrize("rules", installed_rules(), ids=lambda each: each.kind)
def test_in_every_game_what_is_told_can_be_typed(rules, ponder):
    with Lobby(rules=(rules,), thinking=ponder) as home:
        caller = begin(home, f"play {rules.kind} random")
        table = home.tables[0]
        for _ in range(200):
            moves = table.legal_moves(0)
            if len(moves) > 1:
                break
            view = table.seen_by(0, 0.0).board
            caller.type(find_text(rules.kind).typed(moves[0], view)) if moves else home.settle()
        caller.hear()
        caller.type("hint")
        move = moves[-1]
        ponder.of(0)[-1].callback(move)
        home.settle()
        told = next(line for line in caller.hear() if line.startswith("You might play: "))
        before = table.sequence
        caller.type(told.partition(": ")[2])
        assert table.sequence > before


def test_where_nobody_can_think_it_is_said(ponder):
    with Lobby(thinking=ponder) as home:
        caller = begin(home)
        caller.type("hint")
        ponder.of(0)[-1].errback(NotThought())
        home.settle()
        heard = caller.hear()
        assert heard[0] == "Nobody could think about that just now. Try again, or play as you like."
        assert "Your turn" in heard[-1]


def test_it_is_refused_in_the_hall_and_to_who_looks_on(ponder):
    with Lobby(thinking=ponder) as home:
        begin(home)
        other = home.call("ben")
        assert other.type("hint")[0] == "You are not at a table."
        other.type(f"watch {home.tables[0].code}")
        other.hear()
        assert "looking on" in other.type("hint")[0]


def test_between_people_it_is_given_where_the_table_says_so_and_all_are_told(ponder):
    told = "HINT tells you what you might play, when it is your turn."
    for words, given in (("", False), (" hints=all", True)):
        with Lobby(thinking=ponder) as home:
            ada = begin(home, f"open nim{words}")
            code = home.tables[0].code
            ben = home.call("ben")
            heard = ben.type(f"join {code}")
            assert (told in heard) is given
            ada.hear()
            heard = ada.type("hint")
            if given:
                ponder.of(0)[-1].callback(Take(1))
                home.settle()
                assert ada.hear()[0] == "You might play: 1"
            else:
                assert heard[0] == "Hints are given here only to who plays against bots alone."


def test_one_whose_table_is_given_up_meanwhile_goes_on_in_the_hall(ponder):
    with Lobby(thinking=ponder) as home:
        caller = begin(home)
        caller.type("hint")
        table = home.tables[0]
        home.host.command(None, table, Abandon("expired"))
        home.settle()
        ponder.of(0)[-1].callback(Take(1))
        home.settle()
        caller.hear()
        assert caller.type("games")


def test_the_beginning_of_a_word_still_says_what_it_said(ponder):
    with Lobby(thinking=ponder) as home:
        caller = begin(home)
        assert caller.type("h") == caller.type("help")
