"""The file of a tournament: what may stand in it, and what is said of anything else."""

from __future__ import annotations

import pytest

from protocols.tournament.plan_file import WrongPlan, wires

from .conftest import house

TWO = {"a": "random", "b": "random"}


def test_what_is_not_said_is_as_usual(desk):
    desk.write(house(TWO, game="nim"))
    plan = desk.plan()
    assert (plan.settings.format, plan.settings.games, plan.seats) == ("roundrobin", 20, 2)
    assert plan.options["stones"] == 100
    assert plan.limits.memory_bytes == 512 * 2**20


def test_a_game_with_a_number_of_players_is_played_by_so_many(desk):
    desk.write(house(dict.fromkeys("abcd", "random"), game="rikiki", seats=4, games=4))
    assert desk.plan().options["players"] == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "tournament"),
        ("[tournament]\ngame = chess\n", "chess"),
        (house(TWO, game="nim", games=3), "multiple"),
        (house(TWO, game="nim", stones="many"), "stones"),
        (house(TWO, game="nim", format="lottery"), "lottery"),
        (house(TWO, game="nim", seats=3), "seats"),
        (house({"a": "random"}, game="nim"), "two"),
        (house({"a": "random", "b": "genius"}, game="nim"), "genius"),
        (house(TWO, game="nim") + "[limits]\nmemory = lots\n", "memory"),
        (house(TWO, game="nim") + "[limits]\nsleep = 3\n", "sleep"),
        (house(TWO, game="nim") + "[bot c]\n", "run, level"),
        (house(TWO, game="nim") + "[bot c]\nrun = x\nspeaks = latin\n", "json"),
        (house(TWO, game="gops") + "[bot c]\nrun = x\nspeaks = pipe\n", "json"),
        (house(TWO, game="nim") + "[bot c]\nrun = x\ncolour = red\n", "colour"),
        (house(TWO, game="nim") + "[bot c]\nlevel = random\nspeaks = json\n", "speaks"),
        (house(TWO, game="nim") + "[bot c]\nrun = x\nplayouts = 3\n", "playouts"),
        (house({"a": "random 3", "b": "random"}, game="nim"), "thinks ahead"),
        (house({"a": "thinker 0", "b": "random"}, game="nim"), "1 to 1000000"),
        (house({"a": "thinker 1000001", "b": "random"}, game="nim"), "1 to 1000000"),
        (house({"a": "thinker many", "b": "random"}, game="nim"), "1 to 1000000"),
        (house(TWO, game="nim") + "[robot c]\n", "robot"),
        (house(TWO, game="nim") + "[bot a]\n", "already"),
        (house(TWO, game="nim") + "[door]\npad = perhaps\n", "pad"),
    ],
)
def test_what_cannot_be_is_said(desk, text, said):
    desk.write(text)
    with pytest.raises(WrongPlan, match=said):
        desk.plan()


def test_programs_speak_json_and_what_the_game_has_of_its_own():
    assert set(wires("nim")) == {"json", "pipe", "nim"}
    assert set(wires("gops")) == {"json", "gops"}


def test_how_far_a_bot_thinks_ahead_makes_it_another_tournament(desk):
    digests = set()
    for level in ("thinker", "thinker 5", "thinker 6"):
        desk.write(house({"a": level, "b": "random"}, game="nim"))
        digests.add(desk.plan().digest)
    assert desk.plan().entrant("a").playouts == 6
    assert len(digests) == 3


def test_how_many_games_are_played_at_once_does_not_make_it_another_tournament(desk):
    desk.write(house(TWO, game="nim"))
    digest = desk.plan().digest
    desk.write(house(TWO, game="nim", concurrency=2))
    assert desk.plan().digest == digest
    desk.write(house(TWO, game="nim", seed=2))
    assert desk.plan().digest != digest
