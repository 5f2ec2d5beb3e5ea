"""Every game as an environment for agents that learn, in the manner of PettingZoo; needs the extra ``zoo``.

::

    from protocols.zoo import env

    table = env("gops", cards=5)
    table.reset(seed=7)
    for agent in table.agent_iter():
        observation, reward, over, cut, info = table.last()
        action = None if over or cut else table.action_space(agent).sample(observation["action_mask"])
        table.step(action)

An agent is told what its seat may know and nothing else.  What it is told and what it may do are vectors of one
length and numbers of one range for a game, whatever the game is: see ``features`` and ``numbers``, which also
serve an agent that sits at a table of a daemon.
"""

from protocols.zoo.environment import GameEnv, env
from protocols.zoo.features import Features
from protocols.zoo.numbers import MoveNumbers

__all__ = ["Features", "GameEnv", "MoveNumbers", "env"]
