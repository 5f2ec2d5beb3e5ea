"""Points for a round: each way a pure function of what was bid and what was won."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Points = Callable[[int, int], int]

# For each way: the points when the bid came out, and when it did not.
_WAYS: Mapping[str, tuple[Points, Points]] = {
    "none": (lambda bid, won: 0, lambda bid, won: 0),
    "tricks10": (lambda bid, won: won + 10, lambda bid, won: won),
    "exact10": (lambda bid, won: won + 10, lambda bid, won: 0),
    "penalty": (lambda bid, won: won + 10, lambda bid, won: -abs(won - bid)),
    "ascenseur": (lambda bid, won: won + 2, lambda bid, won: -abs(won - bid)),
    "tricks5": (lambda bid, won: won + 5, lambda bid, won: won),
    "square": (lambda bid, won: bid * bid + 10, lambda bid, won: -((won - bid) ** 2)),
}
SCORINGS: Mapping[str, str] = {
    "none": "none are counted",
    "tricks10": "tricks, and 10 more if the bid comes out",
    "exact10": "tricks and 10 if the bid comes out, else none",
    "penalty": "tricks and 10 if the bid comes out, else one less for each trick astray",
    "ascenseur": "tricks and 2 if the bid comes out, else one less for each trick astray",
    "tricks5": "tricks, and 5 more if the bid comes out",
    "square": "the bid squared and 10 if it comes out, else less by the miss squared",
}
"""Each way, and how people read it."""


def points(way: str, bid: int, won: int) -> int:
    """Give the points for a bid and the tricks that were won."""
    exact, inexact = _WAYS[way]
    return (exact if bid == won else inexact)(bid, won)
