"""The house went down under a game in which somebody had no token: it is void, and all who come back hear so."""

from __future__ import annotations

import json

import pytest

from gamecore import commands
from gamecore.events import EVERYONE
from gamecore.game import Stage
from gamecore.player import Presence
from gamecore.replay import write_ended
from gamecore.table_events import Abandoned, SeedRevealed
from gamecore.verification import verify
from protocols.host import table_actions

A_DAY = 86_400
VOID = [("back", "restarted")]
KINDS = ["nim", "high"]


def last(home):
    return json.loads(home.lines()[-1])["command"]


def forget(home):
    home.live_on(A_DAY + 10)
    home.host.forget_resting(None)


@pytest.mark.parametrize("absent", ["forfeit", "wait"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_game_is_void_for_all_who_come_back_in_whatever_order(room, kind, absent):
    home = room(kind, strangers={1}, absent=absent)
    home.move()
    before = home.commands()
    home.kill()
    for name in home.tokens:
        face = home.come_back(name)
        assert (face.heard, face.place) == (VOID, None)
    assert home.commands() == [*before, "Abandon"]
    assert last(home) == {"is": "Abandon", "why": "restarted"}
    assert (len(home.host.hall), home.clock.getDelayedCalls()) == (0, [])
    forget(home)


def test_nothing_is_written_before_somebody_comes_back(room):
    home = room("nim", strangers={0})
    home.kill()
    looker = home.ear()
    home.host.watch(looker, home.code, "in")
    stranger = home.ask_back(f"{home.code}.nobody")
    home.settle()
    assert (looker.names(), stranger.heard) == (
        [("in", None), "TableView"],
        [("back", "unknown-token")],
    )
    assert "Abandon" not in home.commands() and "Wake" not in home.commands()
    home.come_back("player 1")
    told = [each for each in looker.heard if getattr(each, "audience", None) is EVERYONE]
    assert told[0] == Abandoned("restarted") and type(told[1]) is SeedRevealed
    home.host.leave(looker)
    home.settle()
    forget(home)


def test_whoever_opened_the_table_hears_it_too_and_by_what_he_asks_for(ear, room):
    home = room("high", strangers={2}, owner="secret")
    for name in home.tokens:
        home.kill()
        boss = home.ask_back(f"{home.code}.secret")
        home.settle()
        if name == "player 0":
            assert boss.names() == [("back", None), "TableView"]
            home.host.request(boss, table_actions.replace(2, "random"), "bot")
            home.settle()
            assert boss.heard[2] == Abandoned("restarted")
            assert boss.heard[-1] == ("bot", "restarted")
            home.host.leave(boss)
        else:
            assert (boss.heard, boss.place) == (VOID, None)
        assert home.come_back(name).heard == VOID
    forget(home)


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_plays_on_where_the_table_has_it_so(room, kind):
    home = room(kind, strangers={1}, absent="bot")
    home.kill()
    face = home.come_back("player 0")
    assert face.heard[0] == ("back", None)
    assert home.commands().count("Wake") == 1 and "Abandon" not in home.commands()
    assert home.table.seated()[1].level == "random"


@pytest.mark.parametrize("state", ["gathering", "gathering again"])
def test_where_no_game_is_played_only_the_seat_goes(room, state):
    home = room("high", state, strangers={1})
    home.kill()
    assert home.come_back("player 0").heard[0] == ("back", None)
    assert home.commands()[-2:] == ["Wake", "Return"]
    assert sorted(core.name for core in home.table.seated().values()) == ["player 0", "player 2"]


def test_a_game_that_is_over_is_shown_as_it_ended(room):
    home = room("nim", "over", strangers={1})
    home.kill()
    face = home.come_back("player 0")
    assert face.heard[0] == ("back", None) and face.heard[1].stage is Stage.OVER


def test_whoever_left_for_good_makes_no_game_void(room):
    home = room("high", strangers={1})
    home.host.leave(home.faces.pop("player 1"))
    home.settle()
    home.kill()
    assert home.come_back("player 0").heard[0] == ("back", None)
    assert home.commands()[-2:] == ["Wake", "Return"]


def test_where_a_bot_is_to_move_it_is_void_at_once(room):
    home = room("nim", strangers={0})
    home.do(commands.Replace(1, "bot", "random"))
    home.host.leave(home.faces.pop("player 1"))
    home.move()
    del home.lines()[-1]  # the answer of the bot had not reached the disk
    home.journal.note(home.code, "nim", "playing", True, 0.0)
    home.kill()
    assert (len(home.host.hall), home.journal._lines) == (0, {})  # and nobody is to hear of it
    home.tokens, home.faces = {}, {}


def test_it_is_remembered_for_a_day_also_over_a_restart_and_not_listed(room):
    home = room("nim", strangers={1})
    home.kill()
    home.come_back("player 0")
    for _ in range(2):
        assert list(home.host.directory.public()) == [] and home.code not in home.host.directory
        for ask in (home.host.watch, lambda *how: home.host.sit(*how[:2], None, "zoe", how[2])):
            face = home.ear()
            ask(face, home.code, "in")
            home.settle()
            assert face.heard == [("in", "no-such-table")]
        home.kill(down=1e6)
        assert home.come_back("player 0").heard == VOID
    home.live_on(A_DAY - 60)
    home.host.forget_resting(None)
    assert home.come_back("player 0").heard == VOID
    home.live_on(120)
    home.host.forget_resting(None)
    assert home.come_back("player 0").heard == [("back", "unknown-token")]
    assert home.journal._lines == {}


def test_its_record_verifies(room):
    home = room("nim", strangers={1})
    home.move()
    home.kill()
    home.come_back("player 0")
    file = write_ended(home.lines(), home.registry)
    assert [each for each in verify(file, home.registry) if each.holds is False] == []
    forget(home)


def test_a_wake_in_an_older_record_means_what_it_meant(room):
    home = room("nim", strangers={1})
    events = home.table.apply(commands.Wake(), home.now)
    told = ["Dropped", "Left", "Faulted", "RoundOver", "GameOver", "SeedRevealed"]
    assert [type(each).__name__ for each in events] == told


def test_one_who_was_waited_for_as_idle_and_whose_link_goes_is_waited_for_no_more(room):
    home = room("high", strangers={1}, absent="wait", idle=1, options={"seconds": 5})
    while home.presence("player 1") is Presence.HERE:
        home.clock.pump([5.1, 0.01])
    home.drop("player 1")
    assert home.presence("player 1") is Presence.GONE


def test_an_organizer_may_do_after_a_restart_what_takes_somebody_to_be_away(room):
    home = room("high", owner="secret")
    home.kill()
    boss = home.ask_back(f"{home.code}.secret")
    home.settle()
    home.host.request(boss, table_actions.replace(2, "random"), "bot")
    home.settle()
    assert ("bot", None) in boss.heard
    assert home.commands()[-3:] == ["Wake", "Replace", "Play"]
    home.host.leave(boss)
    del home.tokens["player 2"]
