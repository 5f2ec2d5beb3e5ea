"""Arena: whoever is free meets whoever else is, until the time is up.

A win counts two, a draw one, and both twice as much from the third win in a row on, until one is lost or drawn.
Nobody meets the same again at once, unless no more than three are present.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

FEW = 3
STREAK = 2  # wins in a row after which the next one counts twice
_HALF = Fraction(1, 2)


def arena_points(worths: Iterable[Fraction]) -> int:
    """Add up what an entrant's encounters count, from the first to the last (each worth 0 to 1)."""
    points = streak = 0
    for worth in worths:
        value = 2 if worth > _HALF else 1 if worth == _HALF else 0
        points += value * 2 if streak >= STREAK else value
        streak = streak + 1 if value == 2 else 0
    return points


def pair_waiting(
    waiting: Sequence[str], last: Mapping[str, str], points: Mapping[str, int], present: int
) -> list[tuple[str, str]]:
    """Pair those who wait, in the order in which they came: each with who is nearest in points.

    ``last`` names whom each met last, ``present`` is how many take part, those at play among them.
    """
    left, pairs = list(waiting), []
    while len(left) > 1:
        one = left.pop(0)
        may = [each for each in left if present <= FEW or not _just_met(one, each, last)]
        if may:
            other = min(may, key=lambda each: abs(points.get(each, 0) - points.get(one, 0)))
            left.remove(other)
            pairs.append((one, other))
    return pairs


def _just_met(one: str, other: str, last: Mapping[str, str]) -> bool:
    return last.get(one) == other or last.get(other) == one
