"""The life of a Game, every input in every stage."""

from __future__ import annotations

import pytest
from automat import NoTransition
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gamecore.game import Game, GameCore, GameMachine, Stage

LIFE = {
    ("gathering", "start"): "playing",
    ("playing", "next_round"): "playing",
    ("playing", "round_over"): "between-rounds",
    ("between-rounds", "next_round"): "playing",
    ("playing", "finish"): "over",
    ("between-rounds", "finish"): "over",
    ("over", "rematch"): "gathering",
    ("gathering", "abandon"): "abandoned",
    ("playing", "abandon"): "abandoned",
    ("between-rounds", "abandon"): "abandoned",
    ("over", "abandon"): "abandoned",
}
INPUTS = ["start", "round_over", "next_round", "finish", "rematch", "abandon"]


def make_game(*inputs):
    core = GameCore()
    game = GameMachine(core)
    for name in inputs:
        getattr(game, name)()
    return game, core


def test_a_game_of_two_rounds_goes_through_its_stages():
    game, core = make_game()
    stages = [game.stage()]
    for name in ("start", "next_round", "round_over", "next_round", "round_over", "finish"):
        getattr(game, name)()
        stages.append(game.stage())
    assert stages == [
        Stage.GATHERING,
        Stage.PLAYING,
        Stage.PLAYING,
        Stage.BETWEEN_ROUNDS,
        Stage.PLAYING,
        Stage.BETWEEN_ROUNDS,
        Stage.OVER,
    ]
    assert core.number == 1


def test_a_rematch_is_the_next_game_of_its_table():
    game, core = make_game("start", "finish", "rematch")
    assert (game.stage(), core.number) == (Stage.GATHERING, 2)


def test_what_was_abandoned_stays_so():
    game, _ = make_game("abandon")
    for name in INPUTS:
        with pytest.raises(NoTransition):
            getattr(game, name)()
    assert game.stage() is Stage.ABANDONED


def test_every_open_pair_is_open_on_purpose(unanswered):
    states = {stage.value for stage in Stage}
    everything = {(state, name) for state in states for name in INPUTS}
    assert unanswered(GameMachine, Game) == everything - LIFE.keys()


class GameModel(RuleBasedStateMachine):
    """Any order of inputs leaves the game agreeing with the table above."""

    def __init__(self):
        super().__init__()
        self.game, self.core = make_game()
        self.stage, self.number = "gathering", 1

    @rule(name=st.sampled_from(INPUTS[:-1] * 4 + INPUTS[-1:]))
    def feed(self, name):
        following = LIFE.get((self.stage, name))
        if following is None:
            with pytest.raises(NoTransition):
                getattr(self.game, name)()
            return
        getattr(self.game, name)()
        self.stage = following
        self.number += name == "rematch"

    @invariant()
    def agrees(self):
        assert self.game.stage().value == self.stage
        assert self.core.number == self.number


GameModel.TestCase.settings = settings(max_examples=25, stateful_step_count=25)
test_game_model = GameModel.TestCase
