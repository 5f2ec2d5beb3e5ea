"""Who sat where when a game began, and who was still there when it ended."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from gamecore.player import PlayerCore, Presence
from gamecore.roster import Roster


@frozen
class Seated:
    """One seat of a game that has ended: who began it there, and whether that one moved, and stayed to the end."""

    name: str
    level: str | None
    moved: bool
    left: bool


Lineup = tuple[Seated, ...]  # by seat


def line_up(began: Iterable[PlayerCore], roster: Roster) -> Lineup:
    """Compare those who began a game, by seat, with who sits there as it ends."""
    there = roster.cores()
    return tuple(
        Seated(
            core.name,
            core.level,
            core.played > 0,
            there.get(seat) is not core or roster.presence(seat) is Presence.GONE,
        )
        for seat, core in enumerate(began)
    )
