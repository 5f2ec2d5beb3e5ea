"""How strong accounts are shown to be by their results: the model BradleyTerryPart of openskill.

A rating is a mean and a deviation, ``mu`` and ``sigma``; it is shown as 1500 + 29.5 (mu - 25).  It is
**provisional** while its deviation is large, for about thirty games; where one who is provisional plays, those who
are not keep their ratings.  Whoever has no openskill has no ratings: nothing else
of the house needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from attrs import evolve, frozen

FORMULA = "BradleyTerryPart 1"  # raised whenever the same results would give other ratings
SURE = 4.35  # the largest deviation of a rating that is not provisional
_MEAN = 25.0
_DEVIATION = _MEAN / 3
_SHOWN_MEAN, _SHOWN_UNIT = 1500, 29.5


@frozen
class Rating:
    """What is known of the strength of one account in one pool; ``last`` is the house's age at its last game."""

    mu: float = _MEAN
    sigma: float = _DEVIATION
    games: int = 0
    last: float = 0.0

    @property
    def provisional(self) -> bool:
        """Whether it may still be far off."""
        return self.sigma > SURE


def shown(mu: float) -> int:
    """Give a mean as it is shown."""
    return round(_SHOWN_MEAN + _SHOWN_UNIT * (mu - _MEAN))


def can_rate() -> bool:
    """Say whether openskill is installed."""
    return find_spec("openskill") is not None


class Formula:
    """Makes new ratings of old ones and the places of a game."""

    def __init__(self) -> None:
        self._model: Any = None  # until a game is to be rated

    def rate(self, ratings: Sequence[Rating], places: Sequence[int], age: float) -> list[Rating]:
        """Rate one game: ``places`` are by seat, 1 the best, the same for who are level; ``age`` is the house's.

        Raises ImportError where there is no openskill.
        """
        if self._model is None:
            from openskill.models import BradleyTerryPart  # an extra, and slow to load

            self._model = BradleyTerryPart()
        teams = [[self._model.create_rating([each.mu, each.sigma])] for each in ratings]
        rated = self._model.rate(teams, ranks=list(places))
        some_provisional = any(each.provisional for each in ratings)
        new = []
        for before, (after,) in zip(ratings, rated, strict=True):
            moved = evolve(before, games=before.games + 1, last=age)
            if before.provisional or not some_provisional:
                moved = evolve(moved, mu=float(after.mu), sigma=float(after.sigma))
            new.append(moved)
        return new
