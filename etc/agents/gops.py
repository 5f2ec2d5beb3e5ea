"""Three agents play GOPS with four cards: one at random, one by counterfactual regret, one that learns.

    python etc/agents/gops.py --games 20000 --picture learning.svg --weights gops.npz

The second is computed by OpenSpiel before the first game and cannot lose in the long run; the third is a linear
policy, which is told what its seat may know and learns by the gradient of its rewards (REINFORCE) against a
random one.  What it wins against both, of games drawn from other seeds, is printed and drawn as it learns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from protocols.zoo import env

CARDS = 4
RULES = {"cards": CARDS, "ties": "discard"}
FEATURES, BLOCK = 256, CARDS + 1
Agent = Callable[
    [Mapping[str, Any], Mapping[str, Any]], int
]  # an observation and the info; a number
chance = np.random.default_rng(7)


def at_random(observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
    """Bid any card."""
    return int(chance.choice(np.flatnonzero(observation["action_mask"])))


class Regret:
    """Bids as OpenSpiel's CFR+ does for the same game; what was revealed leads it to the same state."""

    def __init__(self, rounds: int = 30) -> None:
        goofspiel = (
            f"goofspiel(num_cards={CARDS},imp_info=False,points_order=random,returns_type=win_loss)"
        )
        self._game = pyspiel.load_game(f"turn_based_simultaneous_game(game={goofspiel})")
        self._solver = pyspiel.CFRPlusSolver(self._game)  # which the policy asks, and must be kept
        for _ in range(rounds):
            self._solver.evaluate_and_update_policy()
        self._policy = self._solver.average_policy()

    def __call__(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Bid."""
        if len(info["moves"]) == 1:
            return int(*info["moves"])
        view, state = info["view"], self._game.new_initial_state()
        for each in view.shown:
            state.apply_action(each.prize - 1)
            for bid in each.bids:
                state.apply_action(bid - 1)
        if state.is_chance_node():
            state.apply_action(view.pot[-1] - 1)
        if view.seat == 1:
            state.apply_action(state.legal_actions()[0])  # which the second is not shown
        bids, shares = zip(*self._policy.action_probabilities(state).items(), strict=True)
        return int(chance.choice(bids, p=np.array(shares) / sum(shares))) + 1


class Learner:
    """A linear policy: the worth of each number is a weighted sum of what the seat is told.

    What never changes teaches nothing and would drown the rest: all is measured by how far it is from its mean.
    """

    def __init__(self, rate: float = 1.0) -> None:
        self.weights = np.zeros((BLOCK, FEATURES))
        self._rate, self._usual = rate, 0.0
        self._seen, self._mean, self._spread = 0, np.zeros(FEATURES), np.ones(FEATURES)
        self._made: list[tuple[np.ndarray, np.ndarray, int]] = []

    def _measured(self, told: np.ndarray) -> np.ndarray:
        return (told - self._mean) / np.sqrt(self._spread + 0.01)

    def _get_used_to(self, told: np.ndarray) -> None:
        self._seen += 1
        off = told - self._mean
        self._mean = self._mean + off / self._seen
        self._spread = self._spread + (off * (told - self._mean) - self._spread) / self._seen

    def plain(self) -> tuple[np.ndarray, np.ndarray]:
        """Give the weights of what is told as it is, and what is added to each sum."""
        weights = self.weights / np.sqrt(self._spread + 0.01)
        return weights, -weights @ self._mean

    def shares(self, told: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Say how likely each number is."""
        worth = self.weights @ told
        worth = np.where(mask, np.exp(worth - worth[mask == 1].max()), 0)
        return worth / worth.sum()

    def __call__(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Bid, and remember it."""
        self._get_used_to(observation["observation"])
        told = self._measured(observation["observation"])
        shares = self.shares(told, observation["action_mask"])
        action = int(chance.choice(BLOCK, p=shares))
        self._made.append((told, shares, action))
        return action

    def best(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Bid what seems best, and learn nothing of it."""
        told = self._measured(observation["observation"])
        return int(self.shares(told, observation["action_mask"]).argmax())

    def learn(self, reward: float) -> None:
        """Make what was done likelier, as far as it brought more than usual."""
        for told, shares, action in self._made:
            step = -np.outer(shares, told)
            step[action] += told
            self.weights += self._rate * (reward - self._usual) * step / len(told)
        self._usual += 0.01 * (reward - self._usual)
        self._made.clear()


table = env("gops", features=FEATURES, block=BLOCK, **RULES)


def play(agents: Mapping[str, Agent], seed: int) -> dict[str, float]:
    """Play a game, and give the reward of each seat."""
    table.reset(seed=seed)
    for agent in table.agent_iter():
        observation, _, over, cut, info = table.last()
        if over or cut:
            return dict(table.rewards)
        table.step(agents[agent](observation, info))
    raise AssertionError("a game has an end")


def measure(one: Agent, other: Agent, trials: int) -> float:
    """Give the share that one wins of so many games, seats changed each time."""
    won = 0.0
    for trial in range(trials):
        mine, yours = ("seat_0", "seat_1") if trial % 2 else ("seat_1", "seat_0")
        won += (1 + play({mine: one, yours: other}, 1_000_000 + trial)[mine]) / 2
    return won / trials


def draw(curves: Mapping[str, list[float]], games: int) -> str:
    """Draw what was won as it was learned: an SVG of 640x360."""
    left, top, width, height = 60, 20, 440, 290
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" font-family="sans-serif"'
        ' font-size="14"><rect width="640" height="360" fill="#faf7f0"/>'
    ]
    for tenth in range(0, 11, 2):
        y = top + height - height * tenth / 10
        parts.append(f'<path d="M{left} {y}h{width}" stroke="#d8d2c4"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 5}" text-anchor="end">{tenth * 10} %</text>')
    for (name, curve), colour in zip(curves.items(), ("#176b47", "#b3261e"), strict=True):
        points = " ".join(
            f"{left + width * at / (len(curve) - 1):.1f},{top + height * (1 - share):.1f}"
            for at, share in enumerate(curve)
        )
        end = top + height * (1 - curve[-1]) + 5
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="3"/>'
        )
        parts.append(f'<text x="{left + width + 8}" y="{end:.1f}" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{left}" y="340">0 games</text>')
    parts.append(
        f'<text x="{left + width}" y="340" text-anchor="end">{games:,} games</text></svg>\n'
    )
    return "\n".join(parts)


def main() -> None:
    """Learn, and tell of it."""
    options = argparse.ArgumentParser(description="Learn GOPS with four cards.")
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--checks", type=int, default=20, help="times that it is measured")
    options.add_argument("--trials", type=int, default=400, help="games each time, with each")
    options.add_argument("--picture")
    options.add_argument("--weights")
    given = options.parse_args()
    regret, learner = Regret(), Learner()
    print(f"regret wins {measure(regret, at_random, given.trials):.0%} against random")
    curves: dict[str, list[float]] = {"against random": [], "against regret": []}
    for check in range(given.checks + 1):
        for game in range(given.games // given.checks if check else 0):
            mine, yours = ("seat_0", "seat_1") if game % 2 else ("seat_1", "seat_0")
            learner.learn(play({mine: learner, yours: at_random}, check * given.games + game)[mine])
        for curve, other in zip(curves.values(), (at_random, regret), strict=True):
            curve.append(measure(learner.best, other, given.trials))
        shown = ", ".join(f"{curve[-1]:.0%} {name}" for name, curve in curves.items())
        print(f"after {check * given.games // given.checks} games it wins {shown}", flush=True)
    if given.picture:
        with open(given.picture, "w") as picture:
            picture.write(draw(curves, given.games))
    if given.weights:
        weights, bias = learner.plain()
        np.savez(given.weights, weights=weights, bias=bias)


if __name__ == "__main__":
    main()
