"""PLAY: a person alone with bots, in every game, with whatever settings."""

from __future__ import annotations

import pytest

from gamecore.game import Stage
from gamecore.games.pass123 import RULES as PASS123
from gamecore.games.rikiki import RULES as RIKIKI
from gamecore.rules import installed_rules
from protocols.host.door import TableDefaults


@pytest.mark.parametrize(
    ("typed", "players"),
    [
        ("rikiki", 4),
        ("rikiki players=2", 2),
        ("rikiki random players=6", 6),
        ("pass123", 4),
        ("pass123 players=3", 3),
        ("pass123 direction=down start=full", 4),
        ("gops", 2),
        ("castle", 2),
        ("nim start=full", 2),
    ],
)
def test_bots_take_all_the_other_seats(lobby, typed, players):
    with lobby(installed_rules()) as home:
        caller = home.call()
        heard = caller.type(f"play {typed}")
        table = home.tables[0]
        assert (table.stage, table.players) == (Stage.PLAYING, players)
        assert sum(core.level is None for core in table.seated().values()) == 1
        assert not any("begun already" in line for line in heard), heard
        caller.type("leave")


@pytest.mark.parametrize(
    ("said", "cards"),
    [("", 7), ("max=3", 3), ("max=0", 13), ("first=9", 9), ("players=26", 2), ("max=10", 10)],
)
def test_a_game_of_rikiki_alone_is_short_unless_somebody_says_how_long(lobby, said, cards):
    with lobby([RIKIKI]) as home:
        caller = home.call()
        caller.type(f"play rikiki {said}".strip())
        assert home.tables[0].seen_by(0, 0.0).board.cards == cards
        caller.type("leave")


def test_a_house_that_says_how_long_rikiki_is_decides_it_for_one_alone_too(lobby):
    with lobby([RIKIKI]) as home:
        home.host.follow({"rikiki": TableDefaults(options={"max": 5})})
        caller = home.call()
        caller.type("play rikiki")
        assert home.tables[0].seen_by(0, 0.0).board.cards == 5
        caller.type("leave")


@pytest.mark.parametrize("typed", ["gops players=4", "nim players=2", "rikiki players=27"])
def test_what_cannot_be_done_is_refused_and_opens_nothing(lobby, typed):
    with lobby(installed_rules()) as home:
        caller = home.call()
        caller.type(f"play {typed}")
        assert home.tables == []


def test_a_table_for_one_alone_can_be_listed_and_have_a_password(lobby):
    with lobby([PASS123]) as home:
        caller = home.call()
        caller.type("play pass123 private=no password=owl watchers=no")
        house = home.tables[0].house
        assert (house.private, house.watchers, bool(house.password)) == (False, False, True)
        assert home.tables[0].stage is Stage.PLAYING
        caller.type("leave")


def test_many_bots_agree_to_another_game_at_once(lobby):
    with lobby([RIKIKI]) as home:
        caller = home.call()
        caller.type("play rikiki max=1 seconds=1 pause=1")
        for _ in range(40):  # the clock plays for the person
            home.clock.advance(1)
            home.settle()
        assert home.tables[0].stage is Stage.OVER
        assert any(line.startswith("Game 2 begins") for line in caller.type("rematch"))
        caller.type("leave")


def test_who_plays_nim_alone_has_time_to_read_the_rules_unless_they_say_otherwise(lobby):
    with lobby() as home:
        caller = home.call("ada")
        assert any("of 600 s." in line for line in caller.type("play nim"))
        caller.type("leave")
        assert any("of 120 s." in line for line in caller.type("play nim seconds=120"))
    with lobby(nim={"seconds": 90}) as home:
        assert any("of 90 s." in line for line in home.call("ada").type("play nim"))


@pytest.mark.parametrize("kind", sorted(each.kind for each in installed_rules()))
def test_who_plays_alone_has_five_minutes_at_least_for_whatever_is_asked_first(lobby, kind):
    with lobby(installed_rules()) as home:
        caller = home.call("ada")
        caller.type(f"play {kind}")
        view = home.tables[0].seen_by(0, 0.0)
        assert view.due, "no clock runs"
        assert min(view.due.values()) - view.at >= 300
        caller.type("leave")


@pytest.mark.parametrize(
    ("kind", "named"),
    [("castle", "response_seconds"), ("castle", "seconds"), ("rikiki", "pause")],
)
def test_what_was_said_of_a_clock_holds_also_for_who_plays_alone(lobby, kind, named):
    with lobby(installed_rules()) as home:
        caller = home.call("ada")
        caller.type(f"play {kind} {named}=45")
        assert getattr(home.tables[0].seen_by(0, 0.0).board.options, named) == 45
        caller.type("leave")


@pytest.mark.parametrize("kind", ["castle", "rikiki"])
def test_nobody_who_plays_alone_is_hurried_later_either(lobby, kind):
    clocks = {"castle": ("seconds", "response_seconds"), "rikiki": ("seconds", "pause")}
    with lobby(installed_rules()) as home:
        caller = home.call("ada")
        caller.type(f"play {kind}")
        options = home.tables[0].seen_by(0, 0.0).board.options
        assert [getattr(options, each) for each in clocks[kind]] == [600, 600]
        caller.type("leave")
