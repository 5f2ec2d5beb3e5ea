"""The life of a Player, every input in every state."""

from __future__ import annotations

import pytest
from automat import NoTransition
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gamecore.player import Player, PlayerCore, PlayerMachine, Presence

LIFE = {
    ("invited", "sit"): "seated",
    ("invited", "leave"): "gone",
    ("seated", "deal_in"): "playing",
    ("seated", "drop"): "away",
    ("seated", "leave"): "gone",
    ("playing", "sit"): "seated",
    ("playing", "drop"): "away",
    ("playing", "leave"): "gone",
    ("away", "sit"): "away",
    ("away", "deal_in"): "away",
    ("away", "miss"): "missed",
    ("away", "come_back"): "seated",
    ("away", "give_up"): "gone",
    ("away", "leave"): "gone",
    ("missed", "come_back"): "seated",
    ("missed", "give_up"): "gone",
    ("missed", "leave"): "gone",
}
PRESENCE = {
    "invited": Presence.EXPECTED,
    "seated": Presence.HERE,
    "playing": Presence.HERE,
    "away": Presence.AWAY,
    "missed": Presence.AWAY,
    "gone": Presence.GONE,
}
INPUTS = ["sit", "deal_in", "drop", "miss", "come_back", "give_up", "leave"]


def make_player(*inputs):
    core = PlayerCore("wren", 0)
    wren = PlayerMachine(core)
    for name in inputs:
        feed(wren, name)
    return wren, core


def feed(player, name, until=90.0):
    if name == "drop":
        player.drop(until)
    else:
        getattr(player, name)()


def stands(player, core):
    return core.presence, player.held_until(), player.is_missed()


HERE = (Presence.HERE, None, False)


def away(until):
    return (Presence.AWAY, until, False)


def test_a_player_who_comes_back_in_time_goes_on_playing():
    wren, core = make_player("sit", "deal_in")
    wren.drop(until=130.0)
    assert stands(wren, core) == away(130.0)
    wren.come_back()
    wren.deal_in()
    assert stands(wren, core) == HERE


def test_a_player_who_stays_away_is_gone_for_good():
    wren, core = make_player("sit", "deal_in", "drop", "give_up")
    assert stands(wren, core) == (Presence.GONE, None, False)
    with pytest.raises(NoTransition):
        wren.come_back()


def test_a_player_may_be_away_when_the_game_begins_and_when_it_ends():
    wren, core = make_player("sit", "drop", "deal_in")
    assert stands(wren, core) == away(90.0)
    wren.sit()
    assert stands(wren, core) == away(90.0)
    wren.come_back()
    wren.deal_in()
    assert stands(wren, core) == HERE


def test_a_player_who_is_missed_is_waited_for_without_end():
    wren, core = make_player("sit", "deal_in", "drop", "miss")
    assert stands(wren, core) == (Presence.AWAY, None, True)
    wren.come_back()
    assert stands(wren, core) == HERE


def test_a_refused_input_changes_nothing():
    wren, core = make_player("sit", "drop")
    with pytest.raises(NoTransition):
        wren.drop(until=500.0)
    assert stands(wren, core) == away(90.0)


def test_every_open_pair_is_open_on_purpose(unanswered):
    everything = {(state, name) for state in PRESENCE for name in INPUTS}
    assert unanswered(PlayerMachine, Player) == everything - LIFE.keys()


class PlayerModel(RuleBasedStateMachine):
    """Any order of inputs leaves the player agreeing with the tables above."""

    def __init__(self):
        super().__init__()
        self.player, self.core = make_player()
        self.model = {"state": "invited", "until": None}

    @rule(name=st.sampled_from(INPUTS[:-2] * 3 + INPUTS[-2:]), until=st.sampled_from([1.0, 9.0]))
    def feed(self, name, until):
        following = LIFE.get((self.model["state"], name))
        if following is None:
            with pytest.raises(NoTransition):
                feed(self.player, name, until)
            return
        feed(self.player, name, until)
        self.model["state"] = following
        if name == "drop":
            self.model["until"] = until

    @invariant()
    def agrees(self):
        state = self.model["state"]
        until = self.model["until"] if state == "away" else None
        assert stands(self.player, self.core) == (PRESENCE[state], until, state == "missed")
        assert (self.core.name, self.core.seat, self.core.told) == ("wren", 0, 0)


PlayerModel.TestCase.settings = settings(max_examples=25, stateful_step_count=25)
test_player_model = PlayerModel.TestCase
