"""Programs that let the clock decide: their seats are given up, and they hear of it."""

from __future__ import annotations

import pytest


def left(program):
    return [(each["seat"], each["why"]) for each in program.of("event") if each["event"] == "Left"]


@pytest.mark.parametrize("game, people", [("pass123", 4), ("rikiki", 3)])
def test_who_never_moves_hears_that_the_seat_is_given_up(house, game, people):
    programs = house.table(game, people, start="asked", players=people, seconds=10)
    for _ in range(people * 10):
        house.clock.advance(10)
    idle = [each for each in programs if each.of("parted")]
    assert idle
    for program in idle:
        (parted,) = program.of("parted")
        seat = next(each["seat"] for each in program.heard() if "seat" in each and "reply" in each)
        assert parted["parted"] == "idle"
        assert (seat, "absent") in left(program)
        assert program.ask("play", move={"is": "Tap"})["error"] == "not-seated"
        assert program.ask("open", game=game)["ok"]
    heard = [each.get("event") for program in programs for each in program.heard()]
    assert "GameOver" in heard or "Abandoned" in heard


def test_the_one_who_moves_stays(house):
    north, south = house.table("rikiki", 2, start="asked", players=2, seconds=10, first=5)
    for _ in range(40):
        turn = north.of("turn")[-1]
        if turn["turn"] == [0]:
            north.ask("play", move=north.of("moves")[-1]["moves"][0])
        else:
            house.clock.advance(10)
    assert not north.of("parted")
    assert south.of("parted")[0]["parted"] == "idle"
    assert north.ask("look")["ok"]
