"""The life of a tournament: open, pairing, playing, over; or cancelled.  An arena pairs while it plays."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from attrs import define
from automat import TypeMachine, TypeMachineBuilder


class Phase(Enum):
    """How far a tournament is."""

    OPEN = "open"
    PAIRING = "pairing"
    PLAYING = "playing"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class Life(Protocol):
    """What may happen to a tournament, and what it answers."""

    def enter(self) -> None:
        """Somebody takes part."""

    def withdraw(self) -> None:
        """Somebody takes part no more."""

    def begin(self) -> None:
        """The entrants are known: pair the first round."""

    def run(self) -> None:
        """The arena opens."""

    def pair(self) -> None:
        """It is known who meets whom."""

    def report(self) -> None:
        """An encounter has its result, others are still played."""

    def round_over(self) -> None:
        """The last encounter of the round has its result."""

    def finish(self) -> None:
        """No round follows."""

    def cancel(self) -> None:
        """Nobody will finish this tournament."""

    def phase(self) -> Phase:
        """Say how far it is."""


@define
class LifeCore:
    """Nothing outlives a phase but what the tournament itself keeps."""


def _life_machine() -> TypeMachine[Life, LifeCore]:
    builder = TypeMachineBuilder(Life, LifeCore)
    states = {phase: builder.state(phase.value) for phase in Phase}
    opened, pairing, playing = states[Phase.OPEN], states[Phase.PAIRING], states[Phase.PLAYING]
    running, over = states[Phase.RUNNING], states[Phase.OVER]

    opened.upon(Life.begin).to(pairing).returns(None)
    opened.upon(Life.run).to(running).returns(None)
    pairing.upon(Life.pair).to(playing).returns(None)
    playing.upon(Life.round_over).to(pairing).returns(None)
    pairing.upon(Life.finish).to(over).returns(None)
    running.upon(Life.finish).to(over).returns(None)
    for each in (opened, running):
        each.upon(Life.enter).loop().returns(None)
    for each in (playing, running):
        each.upon(Life.report).loop().returns(None)
    running.upon(Life.pair).loop().returns(None)
    for phase, state in states.items():
        state.upon(Life.phase).loop().returns(phase)
        if phase not in (Phase.OVER, Phase.CANCELLED):
            state.upon(Life.withdraw).loop().returns(None)
            state.upon(Life.cancel).to(states[Phase.CANCELLED]).returns(None)

    return builder.build()


LifeMachine = _life_machine()
