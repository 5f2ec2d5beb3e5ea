"""What gives up a game: it says what it costs, and who lost by being away is told so."""

from __future__ import annotations

import pytest

from gamecore.rules import installed_rules
from tests.protocols.lobby.conftest import keeping
from tests.protocols.lobby.test_lobby_french import TABLES, play_on

RULES = sorted(
    (rules for rules in installed_rules() if rules.kind in TABLES), key=lambda rules: rules.kind
)
ABSENT = "You were away for too long: your seat was lost by absence, and any game played there."
UNKNOWN = "That word brings nobody back: the game is gone, or the word was mistyped."
QUITTING = (
    "QUIT loses the game that you play here. Say QUIT again if you mean it; else just play on."
)


@pytest.fixture(params=RULES, ids=lambda rules: rules.kind)
def playing(lobby, request):
    """One who plays against bots."""
    with lobby(rules=(request.param,)) as home:
        ada = home.call("ada")
        ada.type(f"play {TABLES[request.param.kind]}")
        assert ada.link.session.table.live
        home.clock.advance(1)  # bots that move at once go before the question
        ada.hear()
        yield home, ada


def test_quit_in_a_game_says_what_it_costs_and_goes_when_said_again(playing):
    _, ada = playing
    assert ada.type("quit")[0] == QUITTING
    assert ada.link.session.table.live
    heard = ada.type("quit")
    assert heard[0].endswith("and given up the game that was played there.")
    assert heard[-1] == "Goodbye, ada."


def test_quit_is_asked_anew_once_something_was_played_in_between(playing):
    home, ada = playing
    ada.type("quit")
    play_on(home, ada, 2)
    if ada.link.session.table.live:
        heard = ada.type("quit")
        for _ in range(5):  # bots are waited for
            home.clock.advance(1)
            heard += ada.hear()
        assert QUITTING in heard


@pytest.mark.parametrize("before", [[], ["play nim", "leave"], ["open nim"]])
def test_quit_asks_nothing_where_no_game_is_lost(lobby, before):
    with lobby() as home:
        ada = home.call("ada")
        ada.type(*before)
        assert ada.type("quit")[-1] == "Goodbye, ada."


@pytest.mark.parametrize("word", ["resign", "concede", "leave"])
def test_to_resign_loses_the_game_and_leads_back_to_the_hall(playing, word):
    _, ada = playing
    heard = ada.type(word)
    assert heard[0].endswith("and given up the game that was played there.")
    assert heard[-1] == "[hall]"


def test_nothing_is_resigned_where_nothing_is_played(lobby):
    with lobby() as home:
        ada = home.call("ada")
        assert ada.type("resign")[0] == "You are not at a table."
        ada.type("open nim")
        assert ada.type("resign")[0] == "No game has begun here."


@pytest.mark.parametrize("absent", ["forfeit", "bot"])
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "with another"])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.kind)
def test_who_was_away_for_too_long_is_told_so(lobby, rules, alone, absent):
    """Whether the table is still there or is kept as a record alone."""
    with lobby(rules=(rules,), journal=keeping((rules,))) as home:
        ada = home.call("ada")
        ada.type(f"open {rules.kind} start=asked absent={absent}")
        token = " ".join(ada.got().decode().split()).partition("RETURN ")[2].split()[0]
        if alone:
            ada.type("bot", "start")
        else:
            home.call("bob").type(f"join {token.partition('.')[0]}")
            ada.type("start")
        assert ada.link.session.table.live
        ada.hang_up()
        for _ in range(100):  # the link lingers, then the seat is held for a minute
            home.clock.advance(1)
            home.settle()
        again = home.call("ada again")
        assert again.type(f"return {token}")[0] == ABSENT
        assert again.type(f"return {token}x")[0] == UNKNOWN
