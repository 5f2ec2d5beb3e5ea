"""The house in which programs play: how house bots think there that think ahead."""

from __future__ import annotations

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from protocols.host.thinking import Question
from protocols.tournament import house as house_of_programs
from protocols.tournament.games import games_of
from protocols.tournament.house import ProgramHouse

from .conftest import REGISTRY, house


class Pool:
    """Keeps what it is asked."""

    def __init__(self, reactor, most, patience):
        self.most, self.patience, self.asked, self.stopped = most, patience, [], False

    def think(self, question):
        self.asked.append((question, Deferred()))
        return self.asked[-1][1]

    def stop(self):
        self.stopped = True


def test_each_thinks_for_its_own_playouts_in_a_pool_that_waits_as_long_as_a_game(desk, monkeypatch):
    monkeypatch.setattr(house_of_programs, "ThinkerPool", Pool)
    bots = {"a": "thinker 7", "b": "thinker-fast", "c": "random"}
    desk.write(house(bots, game="gops", games=2) + "[limits]\ngame = 33\n")
    plan, clock = desk.plan(), Clock()
    programs = ProgramHouse(plan, REGISTRY, clock, desk.folder)
    pool = programs._pool
    programs.play(games_of(plan, "1.1", "ab")[0])
    while len(pool.asked) < 2:
        clock.advance(0)
    asked = {question.seat: question for question, _ in pool.asked}
    assert [asked[seat].playouts for seat in (0, 1)] == [7, None]
    assert (pool.most, pool.patience) == (1, 33)
    unknown = attrs.evolve(asked[0], table="NONE", playouts=None)
    programs.think(unknown)
    assert pool.asked[-1][0] == unknown
    assert isinstance(unknown, Question)
    programs.stop()
    assert pool.stopped
