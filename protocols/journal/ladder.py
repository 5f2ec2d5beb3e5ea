"""The ladder: how results are folded into ratings, and who is listed as the best; the same for every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations

from gamecore.contest.rating import FORMULA, SURE, Formula, Rating
from gamecore.rated import BOT
from protocols.journal.archive import Results
from protocols.journal.results import (
    ALL,
    BOTS,
    Due,
    Key,
    LadderTables,
    Meeting,
    Rated,
    RatingRow,
    read_seats,
)

FOLDED_AT_ONCE = 50  # results in one transaction, so that no batch waits long
READ_AT_ONCE = 1000
RECENT_SECONDS = 90 * 86_400.0  # of the house's age: who has not played for so long is in no list
ENOUGH_OPPONENTS = 8  # different ones; where a pool has fewer accounts, all others in it


def fold_some(tables: LadderTables, formula: Formula, most: int = FOLDED_AT_ONCE) -> bool:
    """Bring the ratings on by some results, and say whether there may be more."""
    upto, by = tables.watermark()
    if by != FORMULA:
        tables.clear(FORMULA)
        upto = 0
    due = tables.due(upto, most)
    if due:
        ratings = dict(tables.load(keys_of(due)))
        met = fold(due, ratings, formula)
        tables.save(ratings, met, due[-1].id)
    return len(due) == most


def fold_all(results: Results, upto: int) -> tuple[dict[Key, Rated], set[Meeting]]:
    """Fold all results up to a watermark anew, in memory: gives the ratings, and who has met whom."""
    ratings: dict[Key, Rated] = {}
    met: set[Meeting] = set()
    formula, reached = Formula(), 0
    while some := [each for each in results.due(reached, READ_AT_ONCE) if each.id <= upto]:
        met |= fold(some, ratings, formula)
        reached = some[-1].id
    return ratings, met


def keys_of(due: Iterable[Due]) -> set[Key]:
    """Name the ratings that results change."""
    return {(each.pool, account) for each in due if each.rated for account in _accounts(each)}


def fold(due: Iterable[Due], ratings: dict[Key, Rated], formula: Formula) -> set[Meeting]:
    """Let results change ratings, and give who has met whom in them."""
    met: set[Meeting] = set()
    for each in due:
        if not each.rated:
            continue
        accounts = _accounts(each)
        keys = [(each.pool, account) for account in accounts]
        before = [Rating(*ratings.get(key, ())) for key in keys]
        places = [place for _, _, place, _ in read_seats(each.seats)]
        after = formula.rate(before, places, each.age)
        ratings.update(zip(keys, map(_rated, after), strict=True))
        for one, other in combinations(accounts, 2):
            met |= {(each.pool, one, other), (each.pool, other, one)}
    return met


def _rated(rating: Rating) -> Rated:
    return rating.mu, rating.sigma, rating.games, rating.last


def _accounts(due: Due) -> list[str]:
    return [account for _, account, _, _ in read_seats(due.seats) if account is not None]


def best(
    ratings: Mapping[Key, Rated],
    opponents: Callable[[Key], int],
    pool: str,
    who: str,
    age: float,
    most: int,
) -> list[RatingRow]:
    """List the best of a pool, the better ahead: those who are not provisional, play, and have met enough others.

    ``who`` is ``people``, ``bots`` or ``all``; ``age`` is the house's now.
    """
    enough = min(ENOUGH_OPPONENTS, sum(each == pool for each, _ in ratings) - 1)
    rows = [
        RatingRow(*key, mu, sigma, games)
        for key, (mu, sigma, games, last) in ratings.items()
        if key[0] == pool and sigma <= SURE and last >= age - RECENT_SECONDS
        if who == ALL or (who == BOTS) == key[1].startswith(BOT)
        if opponents(key) >= enough
    ]
    return sorted(rows, key=lambda row: (-row.mu, row.account))[:most]
