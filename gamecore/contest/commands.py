"""Everything that can change a tournament, one frozen class a command; the pairings stand in the command.

So the same commands always give the same events, also when rounds are paired in another way some day.
"""

from __future__ import annotations

from attrs import frozen

from gamecore.contest.rounds import PairedRound, Places


@frozen
class Enter:
    """Take part."""

    entrant: str


@frozen
class Withdraw:
    """Take part no more."""

    entrant: str


@frozen
class Begin:
    """Let nobody in any more, and pair."""


@frozen
class Pair:
    """Let these meet; in an arena several may be under way."""

    paired: PairedRound


@frozen
class Report:
    """Give a pairing its result: the places of each of its games."""

    pairing: str
    games: tuple[Places, ...]


@frozen
class Forfeit:
    """Give a pairing to those who are there: the others, in ``absent``, did not come."""

    pairing: str
    absent: tuple[str, ...]


@frozen
class Finish:
    """End with the table as it is."""


@frozen
class Cancel:
    """End without a table."""


ContestCommand = Enter | Withdraw | Begin | Pair | Report | Forfeit | Finish | Cancel
