"""What happens in a tournament; everybody may know all of it."""

from __future__ import annotations

from attrs import frozen

from gamecore.contest.rounds import Encounter, PairedRound


@frozen
class Entered:
    """Somebody takes part."""

    entrant: str


@frozen
class Withdrew:
    """Somebody takes part no more."""

    entrant: str


@frozen
class TournamentBegan:
    """Nobody enters any more, but where the doors of an arena stay open."""

    entrants: tuple[str, ...]


@frozen
class RoundPaired:
    """It is known who meets whom."""

    paired: PairedRound


@frozen
class Reported:
    """An encounter has its result."""

    encounter: Encounter


@frozen
class TournamentOver:
    """The table stands as it will."""


@frozen
class TournamentCancelled:
    """The tournament will not be finished."""


ContestEvent = (
    Entered
    | Withdrew
    | TournamentBegan
    | RoundPaired
    | Reported
    | TournamentOver
    | TournamentCancelled
)
