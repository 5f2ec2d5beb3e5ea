"""Results of games and the ladder made of them, as every engine keeps them.

A result is written in the same transaction as the record that ended its game, once: ``game`` names it for all time.
Ratings are a **fold** over the results that are rated, in the order in which they were written, behind a
**watermark**: the number of the last result that is in them.  So a crash forgets nothing and counts nothing twice,
and the same results give the same ratings, bit for bit, whenever they are folded.

How they are folded is in ``ladder``, which the writer's process loads when there is something to fold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from gamecore.contest.result import GameResult
    from gamecore.record import Record

# Of a result as it is written: game, code, number, kind, pool, ended, why, hidden, seats as JSON, by whom found.
Written = tuple[str, str, int, str, str, float, str | None, bool, str, tuple[str, ...]]
Seat = tuple[str, str | None, int, bool]  # name, account, place, whether it was left
Key = tuple[str, str]  # of a rating: pool and account
Rated = tuple[float, float, int, float]  # of a rating: mu, sigma, games, last
Meeting = tuple[str, str, str]  # pool, account, and another account that it has met

MOST_LISTED = 100  # rows of a list, whatever is asked for
PEOPLE, BOTS, ALL = "people", "bots", "all"


class ResultRow(NamedTuple):
    """A game that has ended: its table's code, kind, the wall time then, why it is not rated, and who played."""

    code: str
    kind: str
    ended: float
    why: str | None
    seats: Sequence[Seat]


class RatingRow(NamedTuple):
    """What an account is rated in a pool."""

    pool: str
    account: str
    mu: float
    sigma: float
    games: int


class Due(NamedTuple):
    """A result that is not in the ratings yet."""

    id: int
    pool: str
    age: float
    rated: bool
    seats: str


class LadderTables(Protocol):
    """What an engine does for a fold, within a transaction of its own."""

    def watermark(self) -> tuple[int, str]:
        """Give the watermark, and the formula by which the ratings were made."""

    def due(self, upto: int, most: int) -> Sequence[Due]:
        """List the results behind a watermark, in their order."""

    def load(self, keys: Iterable[Key]) -> Mapping[Key, Rated]:
        """Give those of these ratings that there are."""

    def save(self, ratings: Mapping[Key, Rated], met: Iterable[Meeting], upto: int) -> None:
        """Write ratings, who has met whom, and the watermark."""

    def clear(self, formula: str) -> None:
        """Forget all ratings: they are made anew, by a formula."""


def written(result: GameResult, ended: float) -> Written:
    """Write a result as plain data; ``ended`` is the wall time."""
    seats = [[each.name, each.account, each.place, each.left] for each in result.seats]
    return (
        *(result.game, result.code, result.number, result.kind, result.pool, ended),
        *(result.why, result.hidden, json.dumps(seats), tuple(sorted(result.who))),
    )


def results_of(batch: Iterable[Record]) -> list[Written]:
    """Take from records the results that travel in them."""
    return [written(each.result, each.wall) for each in batch if each.result is not None]


def read_seats(text: str) -> Sequence[Seat]:
    """Read who played from what was written."""
    return [(name, account, place, left) for name, account, place, left in json.loads(text)]


def latest(
    rows: Iterable[tuple[int, str, str, float, str | None, str]], most: int
) -> list[ResultRow]:
    """Make the latest of some rows, each headed by its number and perhaps there twice, the latest first."""
    numbered = sorted({row[0]: row for row in rows}.values(), reverse=True, key=lambda row: row[0])
    return [
        ResultRow(code, kind, ended, why, read_seats(seats))
        for _, code, kind, ended, why, seats in numbered[:most]
    ]
