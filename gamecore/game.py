"""The life of a Game: gathering, playing, between rounds, over, perhaps once more; or abandoned."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from attrs import define
from automat import TypeMachine, TypeMachineBuilder


class Stage(Enum):
    """Where a game is in its life."""

    GATHERING = "gathering"
    PLAYING = "playing"
    BETWEEN_ROUNDS = "between-rounds"
    OVER = "over"
    ABANDONED = "abandoned"


class Game(Protocol):
    """What may happen to a game, and what it answers."""

    def start(self) -> None:
        """Everybody is seated: play."""

    def round_over(self) -> None:
        """A round has ended; perhaps another follows."""

    def next_round(self) -> None:
        """The next round has begun."""

    def finish(self) -> None:
        """The game has its outcome."""

    def rematch(self) -> None:
        """The same people gather for another game."""

    def abandon(self) -> None:
        """Nobody will finish this game."""

    def stage(self) -> Stage:
        """Say where the game is in its life."""


@define
class GameCore:
    """What outlives every stage: which game of its table this is, from 1."""

    number: int = 1


def _game_machine() -> TypeMachine[Game, GameCore]:
    builder = TypeMachineBuilder(Game, GameCore)
    states = {stage: builder.state(stage.value) for stage in Stage}
    gathering, playing = states[Stage.GATHERING], states[Stage.PLAYING]
    between, over = states[Stage.BETWEEN_ROUNDS], states[Stage.OVER]

    gathering.upon(Game.start).to(playing).returns(None)
    playing.upon(Game.round_over).to(between).returns(None)
    between.upon(Game.next_round).to(playing).returns(None)
    playing.upon(Game.next_round).loop().returns(None)  # the first round of a game
    playing.upon(Game.finish).to(over).returns(None)
    between.upon(Game.finish).to(over).returns(None)
    for stage, state in states.items():
        state.upon(Game.stage).loop().returns(stage)
        if stage is not Stage.ABANDONED:
            state.upon(Game.abandon).to(states[Stage.ABANDONED]).returns(None)

    @over.upon(Game.rematch).to(gathering)
    def count_games(game: Game, core: GameCore) -> None:
        core.number += 1

    return builder.build()


GameMachine = _game_machine()
