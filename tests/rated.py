"""Games between bots that have ended, for tests of histories, ratings and who is the best."""

from __future__ import annotations

from gamecore.contest.result import GameResult, SeatResult
from protocols.journal.results import written
from protocols.testing import House


def rate(house: House, *games: tuple[str, ...]) -> None:
    """Let bots have played Nim: a game each time, of the levels from the best to the worst."""
    results = [
        GameResult(
            f"{number}",
            "BOTS1",
            1,
            "nim",
            tuple(SeatResult(each, f"bot:{each}", place) for place, each in enumerate(levels, 1)),
            None,
            "nim",
        )
        for number, levels in enumerate(games)
    ]
    house.host.service.journal._results.put([written(each, 1e9) for each in results], 0.0)
