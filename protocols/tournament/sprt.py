"""Is one program stronger than another?  A sequential test that ends as soon as the games say so.

The generalised sequential probability ratio test of Elo differences.  Games in one turn of the seats have the
same deal, so the score of a whole turn is one observation, and the log likelihood ratio of the two hypotheses is
taken by the normal approximation from the mean and the variance of these.  At 5 % for either error it ends outside
of -2.94 and 2.94.
"""

from __future__ import annotations

from math import log
from statistics import fmean

from attrs import define, field

from gamecore.contest.rounds import score
from protocols.tournament.games import Result

ERROR = 0.05
BOUND = log((1 - ERROR) / ERROR)


def expected(elo: float) -> float:
    """Say what share of the points a difference in Elo is worth."""
    return float(1 / (1 + 10 ** (-elo / 400)))


@define
class Sprt:
    """A test whether ``one`` is ``elo1`` stronger than ``other``, rather than ``elo0``."""

    one: str
    other: str
    elo0: float
    elo1: float
    _turns: int = 0
    _sum: float = 0.0  # of the scores of whole turns, and of their squares
    _squares: float = 0.0
    _turn: list[float] = field(factory=list)
    decision: str = ""  # which hypothesis holds, once it is decided: "elo0" or "elo1"

    def add(self, result: Result) -> bool:
        """Count a game of the two; True if that decides it."""
        if sorted(result.entrants) != sorted((self.one, self.other)):
            return False
        self._turn.append(float(score(result.places, result.entrants.index(self.one))))
        if len(self._turn) == len(result.entrants):
            whole = fmean(self._turn)
            self._turns, self._sum = self._turns + 1, self._sum + whole
            self._squares += whole * whole
            self._turn.clear()
        ratio = self.ratio
        if abs(ratio) >= BOUND and not self.decision:
            self.decision = "elo1" if ratio > 0 else "elo0"
        return bool(self.decision)

    @property
    def ratio(self) -> float:
        """The logarithm of how much likelier ``elo1`` is than ``elo0``."""
        count = self._turns
        if count < 2:
            return 0.0
        low, high = expected(self.elo0), expected(self.elo1)
        mean = self._sum / count
        # Two turns more, a win and a loss, keep the variance from being nothing after a few that are alike.
        variance = (self._squares + 1) / (count + 2) - ((self._sum + 1) / (count + 2)) ** 2
        return (high - low) * (2 * mean - low - high) * count / (2 * variance)
