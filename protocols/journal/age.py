"""The age of a house: the seconds that it has lived, over all its runs, whatever any clock on a wall says."""

from __future__ import annotations

# Seconds that a sign of life adds, so that no clock that leaps can make a house old.
_MOST_A_BEAT = 5.0
_IN_MEMORY = 60.0  # seconds of it that a crash may forget while no clock runs


def aged(before: float | None, lived: float) -> float:
    """Say by how many seconds a house has aged from one sign of life of a run, if there was one, to the next."""
    return 0.0 if before is None else min(max(lived - before, 0.0), _MOST_A_BEAT)


class Age:
    """The age of a house as one of its runs counts it, in ``seconds``."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lived: float | None = None
        self._kept = 0.0

    def begin(self, seconds: float) -> None:
        """Count on from what the journal has."""
        self.seconds = self._kept = seconds

    def live(self, lived: float) -> None:
        """Take note of a sign of life, at a time of the house."""
        self.seconds += aged(self._lived, lived)
        self._lived = lived

    def catch_up(self, seconds: float) -> None:
        """Be no younger than another run has found the house to be."""
        self.seconds = max(self.seconds, seconds)

    def is_due(self) -> bool:
        """Say whether so much of it is in no journal that it is time to write it down."""
        return self.seconds - self._kept >= _IN_MEMORY

    def keep(self) -> None:
        """Take note that it was written down."""
        self._kept = self.seconds
