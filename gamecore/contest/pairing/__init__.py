"""Who meets whom next: one way a module, each a pure function of what has been.

A format of one's own is one object in the group of entry points ``parlour.pairings``. One that is ``quick`` pairs a
few dozen within a few ms; any other is asked in a process beside the run, so that no clock of a game waits for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

from gamecore.contest.rounds import Field, PairedRound
from gamecore.errors import Refused

__all__ = ["Format", "find_format", "formats"]


class Format(Protocol):
    """One way to pair a tournament."""

    @property
    def bye_worth(self) -> int:
        """What a bye counts: as much as the best encounter (1), or nothing (0)."""

    def pair(self, field: Field) -> PairedRound | None:
        """Pair the next round of those who are present; None where the tournament is over."""


@cache
def formats() -> Mapping[str, Format]:
    """Load every format that an installed package names, by its name."""
    return {each.name: each.load() for each in sorted(entry_points(group="parlour.pairings"))}


def find_format(name: str) -> Format:
    """Find a format by its name; raises Refused ``no-such-format``."""
    known = formats()
    try:
        return known[name]
    except KeyError:
        raise Refused("no-such-format", name=name, known=", ".join(known)) from None
