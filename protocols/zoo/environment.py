"""One game of any kind that is installed, as a PettingZoo environment in which agents move in turn (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from gamecore.codec import CODEC, Plain
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.rules import AnyRules, Move, Position, Registry, Seat, installed_rules, sample
from gamecore.settings import Value, read_settings
from protocols.zoo.features import SIZE, Features
from protocols.zoo.numbers import BLOCK, MoveNumbers

MOST_MOVES = 10_000  # of one game: one that goes on for longer is cut short, and nobody has won
_STILL = 0.0  # table time: nobody is pressed here

Observation = dict[str, Any]


def env(
    kind: str,
    players: int | None = None,
    features: int = SIZE,
    block: int = BLOCK,
    **options: Value,
) -> AECEnv:
    """Make an environment of a game; a number that is no legal move loses the game, as PettingZoo has it.

    ``players`` is how many sit there, at first the fewest that may; ``features`` the length of what an agent is
    told, ``block`` how many numbers each class of move has, and ``options`` are the game's own settings.  Raises
    Refused ``no-such-game``, and for options out of bounds; ValueError for players that the game does not have.
    """
    rules = Registry(installed_rules()).latest(kind)
    bare = GameEnv(rules, players, features, block, **options)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(bare, illegal_reward=-1))


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game under ``rules``, without the wrappers that ``env`` puts round it.

    An observation is a mapping: ``observation`` has the features of the seat's View, ``action_mask`` a 1 for
    the number of each legal move.  The ``info`` of the agent whose turn it is has the ``view`` itself, and the
    ``moves`` by their numbers.  The reward comes at the end: of all others, the share that one is placed before,
    less the share that one is placed behind.  Seats that decide at once are asked one after the other, in an
    order that is drawn, and none is shown what another has chosen meanwhile, unless the rules show it.
    """

    def __init__(
        self,
        rules: AnyRules,
        players: int | None = None,
        features: int = SIZE,
        block: int = BLOCK,
        **options: Value,
    ) -> None:
        super().__init__()
        count = rules.seats[0] if players is None else players
        if count not in rules.seats:
            raise ValueError(f"{rules.title} is for {rules.seats[0]} to {rules.seats[-1]} players")
        self.metadata = {
            "name": f"{rules.kind}_v{rules.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(count)]
        self._rules = rules
        self._options = read_settings(rules.options, options)
        self._features = Features(features)
        self._numbers: MoveNumbers[Move] = MoveNumbers(
            [each.__name__ for each in rules.moves], block
        )
        self._random, _ = seeding.np_random()
        self._told = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (features,), np.float32),
                "action_mask": spaces.Box(0, 1, (self._numbers.count,), np.int8),
            }
        )
        self._actions = {
            each: spaces.Discrete(self._numbers.count) for each in self.possible_agents
        }
        self._position: Position
        self._moves: Mapping[int, Move] = {}

    # -- the spaces -------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent is told."""
        return self._told

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may say."""
        return self._actions[agent]

    # -- a game -----------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another game; the same ``seed`` deals the same."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        deal = Deal(sha256(self._random.bytes(32)).hexdigest())
        seats = [Seat(name, sample(self._rules)) for name in self.possible_agents]
        self._position = self._rules.begin(seats, self._options, deal, tell_nobody, _STILL)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._made = 0
        self._look_on()

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is make the move of a number; raises ValueError if that is no legal one."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(cast(int, action))
            return
        move = self._moves.get(-1 if action is None else int(action))
        if move is None:
            raise ValueError(f"{action} is the number of no legal move: see the mask")
        self._cumulative_rewards[agent] = 0.0
        self._position.play(self.possible_agents.index(agent), move, _STILL)
        self._made += 1
        self._judge()
        self._look_on()
        self._accumulate_rewards()

    def _judge(self) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0)
        outcome = self._position.outcome
        if outcome is not None:
            self.rewards = dict(zip(self.agents, _rewards(outcome.places), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._made >= MOST_MOVES:
            self.truncations = dict.fromkeys(self.agents, True)

    def _look_on(self) -> None:
        """Turn to a seat whose decision is awaited, and have its moves ready."""
        awaited = sorted(self._position.to_move())
        seat = int(self._random.choice(awaited)) if awaited else 0
        self.agent_selection = self.possible_agents[seat]
        moves = self._position.legal_moves(seat) if awaited else ()
        written = [cast("dict[str, Plain]", CODEC.write(each)) for each in moves]
        self._moves = self._numbers.assign(moves, written)
        self.infos: dict[str, Mapping[str, object]] = {agent: {} for agent in self.agents}
        view = self._position.seen_by(seat)
        self.infos[self.agent_selection] = {"view": view, "moves": self._moves}

    # -- what is seen of it -----------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Tell an agent what its seat may know, and what it may do."""
        view = self._position.seen_by(self.possible_agents.index(agent))
        mask = np.zeros(self._numbers.count, dtype=np.int8)
        if agent == self.agent_selection:
            mask[list(self._moves)] = 1
        return {"observation": self._features.draw(CODEC.write(view)), "action_mask": mask}

    def render(self) -> str:
        """Write down what one who looks on may know."""
        return str(self._position.seen_by(None))

    def close(self) -> None:
        """Nothing to do: there is nothing to let go."""


def _rewards(places: tuple[int, ...]) -> list[float]:
    others = len(places) - 1
    return [sum((each > mine) - (each < mine) for each in places) / others for mine in places]
