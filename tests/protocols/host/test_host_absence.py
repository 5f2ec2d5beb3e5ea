"""Players who are away: in every state of a table, in every seat, under every rule for the absent."""

from __future__ import annotations

import attrs
import pytest

from gamecore.game import Stage
from gamecore.player import Presence

STATES = ["gathering", "playing", "between-rounds", "over", "gathering again", "second game"]
IN_GAME = ("playing", "between-rounds", "second game")
CASES = [("high", state) for state in STATES] + [
    ("nim", state) for state in STATES if state != "between-rounds"
]
in_every_state = pytest.mark.parametrize(("kind", "state"), CASES)


def everybody(home):
    return list(home.tokens)


@in_every_state
def test_one_may_drop_return_and_drop_again_from_any_seat(room, kind, state):
    for name in everybody(room(kind, state)):
        home = room(kind, state)
        view = home.view(name)
        moves = home.table.legal_moves(view.seat)
        home.drop(name)
        home.clock.advance(30)
        face = home.come_back(name)
        assert face.names() == [("back", None), "TableView"]
        assert face.heard[1] == attrs.evolve(view, at=view.at + 30, told=view.told + 2)
        assert home.table.legal_moves(view.seat) == moves
        home.drop(name)
        assert home.hear(name) == ["Dropped", "Returned", "Dropped"]
        home.check_record()
        home.clock.advance(59)
        assert home.presence(name) is Presence.AWAY
        home.clock.advance(2)
        assert home.hear(name)[0] == "Left"
        home.check_record()


@in_every_state
@pytest.mark.parametrize("absent", ["forfeit", "bot", "wait"])
def test_after_the_grace_the_rule_for_the_absent_holds_in_every_seat(room, kind, state, absent):
    outcome = {"forfeit": "Left", "bot": "Replaced", "wait": "Waiting"}[absent]
    for name in everybody(room(kind, state)):
        home = room(kind, state, absent=absent)
        home.drop(name)
        home.clock.advance(61)
        expected = outcome if state in IN_GAME else "Left"
        assert home.hear(name)[:2] == ["Dropped", expected]
        home.check_record()
        face = home.come_back(name)
        if expected == "Waiting":
            assert face.names() == [("back", None), "TableView"]
            assert home.hear(name) == ["Returned"]
        else:
            assert face.heard == [("back", "lost-by-absence")]


@in_every_state
@pytest.mark.parametrize("absent", ["forfeit", "bot", "wait"])
def test_who_has_no_token_is_gone_at_once(ear, room, kind, state, absent):
    home = room(kind, "gathering", absent=absent, options={"seconds": 900})
    home.host.leave(home.faces.pop("player 1"))
    home.settle()
    home.faces["plain"] = ear()
    home.host.sit(home.faces["plain"], home.code, 1, "plain", brought=home.charm)
    home.settle()
    home.reach(state)
    home.forget()
    home.drop("plain")
    in_game = state in IN_GAME
    expected = "Replaced" if absent == "bot" and in_game else "Left"
    assert home.hear("plain")[0] == expected
    home.check_record()


@in_every_state
def test_all_may_be_away_at_once_and_all_come_back(room, kind, state):
    home = room(kind, state)
    names = everybody(home)
    for name in names:
        home.drop(name)
        home.clock.advance(5)
    for name in reversed(names):
        home.come_back(name)
    assert [home.presence(name) for name in names] == [Presence.HERE] * len(names)
    home.check_record()


@pytest.mark.parametrize("kind", ["nim", "high"])
@pytest.mark.parametrize("absent", ["forfeit", "bot", "wait"])
def test_a_table_that_all_have_left_by_accident_ends_by_itself_or_waits(room, kind, absent):
    home = room(kind, absent=absent)
    for name in everybody(home):
        home.drop(name)
    home.host.leave(home.watcher)
    home.settle()
    assert home.code in home.host.hall
    home.clock.pump([1] * 62)
    if absent != "wait":
        assert home.code not in home.host.hall and home.code not in home.host.service.dormant
        assert home.journal._lines == {}
    elif kind == "nim":  # the one who is to move is waited for, and nothing else can happen
        assert home.code not in home.host.hall and home.code in home.host.service.dormant
        assert home.clock.getDelayedCalls() == []


# Waiting


def test_the_clock_of_one_who_is_waited_for_stands_and_goes_on_after_the_return(room):
    home = room("nim", absent="wait", options={"seconds": 100})
    home.clock.advance(10)
    home.drop("player 0")
    home.clock.advance(60)  # 70 of its hundred seconds are gone; then it stands
    home.clock.advance(5000)
    assert home.hear("player 0") == ["Dropped", "Waiting"]
    face = home.come_back("player 0")
    view = face.heard[1]
    assert view.due[0] - view.at == pytest.approx(30)
    home.clock.advance(29.5)
    assert home.table.stage is Stage.PLAYING
    home.clock.advance(1)
    assert home.hear("player 0")[:2] == ["Returned", "Faulted"]


def test_the_clock_of_one_who_is_present_runs_while_another_is_waited_for(room):
    home = room("nim", absent="wait", options={"seconds": 100})
    home.drop("player 1")
    home.clock.advance(99)
    assert home.hear("player 1") == ["Dropped", "Waiting"]
    home.clock.advance(1.5)
    assert home.hear("player 1")[0] == "Faulted"


def test_the_turn_clock_goes_on_through_the_grace(room):
    home = room("nim", options={"seconds": 20})
    home.drop("player 0")
    home.clock.advance(20.5)
    assert home.hear("player 0")[:2] == ["Dropped", "Faulted"]
    face = home.come_back("player 0")
    assert face.heard[1].stage is Stage.OVER


def test_an_absent_seat_plays_what_its_deadline_says(room):
    home = room("high", options={"seconds": 20})
    home.drop("player 2")
    home.clock.pump([1] * 22)  # everybody else has as little to say
    assert home.hear("player 2")[:2] == ["Dropped", "Shown"]
    assert home.come_back("player 2").heard[1].board.own is not None
