"""Every game as a PettingZoo environment: the whole of that interface's own test, and what it does not look at."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.codec import CODEC
from gamecore.errors import Refused
from gamecore.games.gops import RULES as GOPS
from gamecore.games.nim import RULES as NIM
from gamecore.rules import Move, installed_rules

pettingzoo_test = pytest.importorskip("pettingzoo.test")
from protocols.zoo import Features, GameEnv, MoveNumbers, env  # noqa: E402 -- it may not be installed

GAMES = {rules.kind: rules for rules in installed_rules()}


def played(table, seed, chance):
    """Play a whole game at random, and give what each agent was told, and all rewards."""
    table.reset(seed=seed)
    told, rewards = [], dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, over, cut, info = table.last()
        rewards[agent] += reward
        action = None
        if not (over or cut):
            action = int(chance.choice(np.flatnonzero(observation["action_mask"])))
            told.append((agent, observation["observation"].tobytes(), action, info["moves"]))
        table.step(action)
    return told, rewards


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_it_does_all_that_the_interface_asks_for(kind):
    pettingzoo_test.api_test(env(kind), num_cycles=100)


@pytest.mark.parametrize("kind", GAMES)
def test_the_same_seed_and_actions_are_the_same_game(kind):
    one = played(env(kind), 7, np.random.default_rng(1))
    assert one == played(env(kind), 7, np.random.default_rng(1))
    if kind != "nim":  # where nothing is dealt
        assert one != played(env(kind), 8, np.random.default_rng(1))


@pytest.mark.parametrize("kind", GAMES)
def test_every_legal_move_has_a_number_of_its_own_and_what_one_wins_others_lose(kind):
    seats = GAMES[kind].seats
    table = env(kind, players=seats[min(1, len(seats) - 1)])
    told, rewards = played(table, 3, np.random.default_rng(2))
    for _, _, action, moves in told:
        assert action in moves
        assert len(set(moves.values())) == len(moves)
        assert all(0 <= number < table.action_space("seat_0").n for number in moves)
    assert sum(rewards.values()) == pytest.approx(0)
    assert max(map(abs, rewards.values())) <= 1


@pytest.mark.parametrize("kind", GAMES)
def test_an_agent_is_told_what_its_view_says_and_nothing_else(kind):
    """A guess shows a seat the same, with all that it cannot know drawn anew: so must the vector."""
    table = GameEnv(GAMES[kind])
    table.reset(seed=5)
    chance = np.random.default_rng(4)
    for _ in range(12):
        if not table._position.to_move():
            break
        seat = table.possible_agents.index(table.agent_selection)
        seen = table.observe(table.agent_selection)
        truth = table._position
        table._position = truth.guess(seat, Random(9))
        again = table.observe(table.agent_selection)
        table._position = truth
        assert np.array_equal(seen["observation"], again["observation"])
        table.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))


def test_who_waits_is_offered_nothing():
    table = env("nim", stones=20)
    table.reset(seed=1)
    waiting = next(each for each in table.agents if each != table.agent_selection)
    assert not table.observe(waiting)["action_mask"].any()


def test_a_number_that_is_no_legal_move_is_refused_and_loses_behind_the_wrapper():
    bare = GameEnv(NIM, stones=20)
    bare.reset(seed=1)
    wrong = int(np.flatnonzero(bare.observe(bare.agent_selection)["action_mask"] == 0)[0])
    before = bare.observe(bare.agent_selection)["observation"].tobytes()
    with pytest.raises(ValueError, match="no legal move"):
        bare.step(wrong)
    assert bare.observe(bare.agent_selection)["observation"].tobytes() == before


@pytest.mark.filterwarnings("ignore")
def test_an_illegal_number_loses():
    table = env("gops")
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(63)
    assert table.rewards[agent] == -1
    assert all(table.terminations.values()) or all(table.truncations.values())


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        ("chess", {}, Refused),
        ("nim", {"stones": -1}, Refused),
        ("nim", {"pebbles": 3}, Refused),
        ("nim", {"players": 3}, ValueError),
        ("gops", {"features": 0}, ValueError),
        ("gops", {"block": 0}, ValueError),
    ],
)
def test_what_cannot_be_is_refused(kind, given, problem):
    with pytest.raises(problem):
        env(kind, **given)


def test_a_bid_has_its_card_for_a_number():
    table = env("gops", cards=13)
    table.reset(seed=1)
    info = table.last()[4]
    assert {number: move.card for number, move in info["moves"].items()} == {
        card: card for card in range(1, 14)
    }


@attrs.frozen
class Say(Move):
    words: str


@given(st.sets(st.text(max_size=3), max_size=8))
def test_moves_that_claim_one_number_get_another_each_whatever_their_order(words):
    moves = [Say(each) for each in sorted(words)]
    numbers = MoveNumbers(["Say"], block=8)
    one = numbers.assign(moves, list(map(CODEC.write, moves)))
    moves.reverse()
    assert one == numbers.assign(moves, list(map(CODEC.write, moves)))
    assert sorted(each.words for each in one.values()) == sorted(words)


def test_more_moves_than_numbers_are_an_error():
    moves = [Say(each) for each in "abc"]
    with pytest.raises(ValueError, match="block"):
        MoveNumbers(["Say"], block=2).assign(moves, list(map(CODEC.write, moves)))


def test_a_vector_tells_apart_what_differs_and_grows_slowly():
    features = Features(64)
    seen = [features.draw({"is": "View", "score": score, "hand": [1, 2]}) for score in (0, 1, 1000)]
    assert all(not np.array_equal(one, other) for one, other in pairwise(seen))
    assert max(np.abs(seen[2])) < 10
    assert np.array_equal(
        features.draw({"hand": [3, 5]}) != 0, features.draw({"hand": [3, 5]}) != 0
    )


def test_what_is_rendered_is_what_one_who_looks_on_may_know():
    table = GameEnv(GOPS, cards=5)
    table.reset(seed=1)
    assert table.render() == str(table._position.seen_by(None))
