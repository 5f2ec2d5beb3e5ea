"""Results and ratings as programs are told them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamecore.contest.rating import SURE, shown
from protocols.host.ladder import RatingRow, ResultRow
from protocols.i18n.result_text import name_of


def list_results(name: str, rows: Sequence[ResultRow]) -> dict[str, Any]:
    """Tell how games of a name ended, the latest first; ``ended`` is in seconds since 1970 UTC."""
    return {"name": name, "results": [_result(row) for row in rows]}


def _result(row: ResultRow) -> dict[str, Any]:
    seats = [
        {"name": name, "bot": account and name_of(account), "place": place or None, "left": left}
        for name, account, place, left in row.seats
    ]
    told = {"table": row.code or None, "game": row.kind, "ended": row.ended, "seats": seats}
    return {**told, "rated": row.why is None, "why": row.why}


def list_ratings(name: str, rows: Sequence[RatingRow]) -> dict[str, Any]:
    """Tell what somebody is rated, by game."""
    return {"name": name, "ratings": {row.pool: _rating(row) for row in rows}}


def list_top(game: str, rows: Sequence[RatingRow]) -> dict[str, Any]:
    """Tell who are the best in a game, the better ahead."""
    return {"game": game, "top": [{"name": name_of(row.account), **_rating(row)} for row in rows]}


def _rating(row: RatingRow) -> dict[str, Any]:
    return {"rating": shown(row.mu), "provisional": row.sigma > SURE, "games": row.games}
