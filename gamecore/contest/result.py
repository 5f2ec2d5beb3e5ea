"""The result of one game: who played, how it ended, and whether it counts for ratings or why not (see ``rated``).

A seat whose player left, or was replaced, is last whatever became of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from gamecore.events import Event
from gamecore.lineup import Lineup
from gamecore.rated import PASSWORD, PRIVATE, account_of
from gamecore.roster import looks
from gamecore.table import Table
from gamecore.table_events import Abandoned, GameOver

NAME = "name:"  # how names are marked that anybody may have


@frozen
class SeatResult:
    """One seat: who began the game there; ``place`` is 1 for the best, 0 where the game is void."""

    name: str
    account: str | None
    place: int
    left: bool = False


@frozen
class GameResult:
    """How one game ended; ``game`` names it for all time, ``why`` is None if it is rated."""

    game: str
    code: str
    number: int
    kind: str
    seats: tuple[SeatResult, ...]
    why: str | None
    pool: str

    @property
    def who(self) -> frozenset[str]:
        """All by whom it is found: the names, and the accounts."""
        names = {NAME + looks(each.name) for each in self.seats}
        return frozenset(names | {each.account for each in self.seats if each.account is not None})

    @property
    def hidden(self) -> bool:
        """Whether it is nobody's business but theirs: several people met where nobody else could come."""
        people = sum(each.account is None for each in self.seats)
        return people > 1 and self.why in (PRIVATE, PASSWORD)


def result_of(table: Table, events: Sequence[Event]) -> GameResult | None:
    """Make the result of the game that a command has ended at a table; None if it has ended none."""
    ends = [each for each in events if isinstance(each, GameOver | Abandoned)]
    if not ends or not table.lineup:
        return None
    over = next((each for each in ends if isinstance(each, GameOver)), None)
    places = None if over is None else over.outcome.places
    return GameResult(
        game=table.commitment,
        code=table.code,
        number=table.number,
        kind=table.rules.kind,
        seats=seat_results(table.lineup, places),
        why=table.unrated,
        pool=table.rules.kind,
    )


def seat_results(lineup: Lineup, places: Sequence[int] | None) -> tuple[SeatResult, ...]:
    """Give each seat its place, those who left behind all others; ``places`` are None where the game is void."""
    return tuple(
        SeatResult(each.name, account_of(each.level), place, each.left)
        for each, place in zip(lineup, _ranked(lineup, places), strict=True)
    )


def _ranked(lineup: Lineup, places: Sequence[int] | None) -> Iterator[int]:
    if places is None:
        yield from (0 for _ in lineup)
        return
    order = [(each.left, place) for each, place in zip(lineup, places, strict=True)]
    yield from (1 + sum(other < own for other in order) for own in order)
