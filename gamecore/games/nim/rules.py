"""The constant facts of Expanding Nim, and how a game begins."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.events import Emit, Event, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.nim.events import Faulted, PileSet, Taken
from gamecore.games.nim.moves import Take
from gamecore.games.nim.options import NimOptions
from gamecore.games.nim.position import NimPosition
from gamecore.games.nim.round import RoundCore
from gamecore.rules import Move, Seat


class NimRules:
    """Expanding Nim for two."""

    kind = "nim"
    title = "Expanding Nim"
    version = 1
    seats = range(2, 3)
    options = NimOptions
    brings = None
    moves: Sequence[type[Move]] = (Take,)
    events: Sequence[type[Event]] = (PileSet, Taken, Faulted, RoundBegan, RoundOver)

    def begin(
        self, seats: Sequence[Seat], options: NimOptions, deal: Deal, emit: Emit, now: float
    ) -> NimPosition:
        """Put the stones on the table; the clock of seat 0 runs from ``now``."""
        emit(RoundBegan(1))
        emit(PileSet(options))
        resets = (options.resets, options.resets)
        core = RoundCore(options, emit, options.stones, options.maximum, resets, now)
        return NimPosition(core)


RULES = NimRules()
