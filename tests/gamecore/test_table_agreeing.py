"""Another game at the same table: who asks for it agrees to it, and it begins once all have."""

from __future__ import annotations

import pytest

from gamecore import commands
from gamecore.game import Stage
from gamecore.games.nim import RULES as NIM
from gamecore.games.nim import Take
from gamecore.table_events import Agreed, GameBegan, Gathered, Left

SEED = "a7" * 32


@pytest.fixture
def over(watched, sitting):
    """Give a table where two have played a game to its end."""

    def play(*sits, **house):
        table = watched(NIM, {"stones": 1}, start="asked", **house)
        for command in (*(sits or (sitting(NIM, 0), sitting(NIM, 1))), commands.Start()):
            table.do(command)
        table.do(commands.Play(0, Take(1)))
        return table

    return play


def kinds(events):
    return [type(each) for each in events]


def test_the_second_agrees_and_the_game_begins(over):
    table = over()
    # Who asked sits one seat further on.
    assert kinds(asked := table.do(commands.Rematch(SEED, by=0))) == [Gathered, Agreed]
    assert asked[1] == Agreed(1)
    assert GameBegan in kinds(table.do(commands.Agree(0)))
    assert table.table.stage is Stage.PLAYING


def test_nobody_agrees_twice_or_to_nothing(over):
    table = over()
    assert table.refuses(commands.Agree(0)) == "game-not-over"
    table.do(commands.Rematch(SEED, by=0))
    assert table.refuses(commands.Agree(1)) == "agreed-already"
    assert table.refuses(commands.Agree(5)) == "no-such-seat"
    table.do(commands.Agree(0))
    assert table.refuses(commands.Agree(0)) == "game-not-over"


def test_a_first_game_is_not_agreed_to(watched, sitting):
    table = watched(NIM, start="asked")
    table.do(sitting(NIM, 0))
    assert table.refuses(commands.Agree(0)) == "game-not-over"


def test_each_game_is_agreed_to_anew(over):
    table = over()
    for _ in range(3):
        table.do(commands.Rematch(SEED, by=0))
        assert table.table.stage is Stage.GATHERING
        table.do(commands.Agree(0))
        table.do(commands.Play(0, Take(1)))
        assert table.table.stage is Stage.OVER


def test_a_bot_always_agrees(over, sitting):
    table = over(sitting(NIM, 0), commands.Sit(1, "a bot", level="random"))
    assert kinds(table.do(commands.Rematch(SEED, by=0)))[:2] == [Gathered, GameBegan]


def test_who_sits_down_for_another_game_agrees_to_it(over, sitting):
    table = over()
    table.do(commands.Rematch(SEED, by=0))
    assert kinds(table.do(commands.Leave(0))) == [Left]
    assert table.table.stage is Stage.GATHERING
    assert GameBegan in kinds(table.do(commands.Sit(0, "finch")))


def test_a_rematch_that_nobody_in_a_seat_asked_for_waits_for_its_start(over, sitting):
    table = over()
    assert kinds(table.do(commands.Rematch(SEED))) == [Gathered]
    table.do(commands.Leave(0))
    table.do(commands.Sit(0, "finch"))
    assert table.table.stage is Stage.GATHERING
    assert GameBegan in kinds(table.do(commands.Start()))
