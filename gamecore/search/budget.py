"""How long to think, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from gamecore.rules import Move


@frozen
class Budget:
    """When to stop: after so many seconds by the given clock, or so many playouts; both may be set."""

    seconds: float | None = None
    playouts: int | None = None


@frozen
class Thought:
    """What a search found: the move, how many playouts it took, and each move's share of a won game, 0 to 1."""

    move: Move
    playouts: int
    worth: Mapping[Move, float]


@define
class Spending:
    """How far a budget is spent."""

    budget: Budget
    clock: Callable[[], float]
    playouts: int = 0
    _began: float | None = field(init=False, default=None)

    @property
    def share(self) -> float:
        """Say which part of the time or of the playouts is spent, from 0 to 1 or more; who first asks has begun."""
        seconds, playouts = self.budget.seconds, self.budget.playouts
        timed = 0.0 if seconds is None else _part(self._passed(), seconds)
        return timed if playouts is None else max(timed, _part(self.playouts, playouts))

    def _passed(self) -> float:
        if self._began is None:
            self._began = self.clock()
        return self.clock() - self._began


def _part(spent: float, whole: float) -> float:
    return spent / whole if whole > 0 else 1.0
