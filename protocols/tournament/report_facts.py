"""What a report shows of a run, added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from attrs import frozen

from gamecore.contest import Standing
from protocols.tournament.games import Result
from protocols.tournament.plan import Plan
from protocols.tournament.run import Finished
from protocols.tournament.scores import Tally, interval, strengths, tally

Times = Mapping[str, Sequence[float]]
SLOWEST = 10


@frozen
class Row:
    """One entrant: its row of the table, its score in all games with the interval about it, its Elo."""

    standing: Standing
    score: float
    low: float
    high: float
    elo: float


@frozen
class Report:
    """All that the files of a report show."""

    title: str
    rows: tuple[Row, ...]
    tally: Tally
    suspended: tuple[str, ...]
    slowest: tuple[tuple[float, str, str], ...]  # seconds, name, game
    sprt: str


def make_report(plan: Plan, ended: Finished, times: Times) -> Report:
    """Add up all that a report shows; the same results always give the same report."""
    sums = tally([each.name for each in plan.entrants], ended.results)
    elo = strengths(sums.names, sums.points, sums.games)
    chance = Random(plan.settings.seed)
    spans = {name: interval(sums.groups[name], chance) for name in sums.names}
    rows = [
        Row(each, sums.score(each.entrant), *spans[each.entrant], elo[each.entrant])
        for each in ended.schedule.table()
    ]
    test = ended.sprt
    settings = plan.settings
    return Report(
        f"{plan.rules.title}: {settings.format}, {settings.games} games a pairing, seed {settings.seed}",
        tuple(rows),
        sums,
        tuple(ended.suspended),
        _slowest(ended.results, times),
        ""
        if test is None
        else f"{test.one} against {test.other}, {test.elo0:g} or {test.elo1:g} Elo:"
        f" {test.decision or 'undecided'} (log likelihood ratio {test.ratio:.2f})",
    )


def _slowest(results: Sequence[Result], times: Times) -> tuple[tuple[float, str, str], ...]:
    found = [
        (seconds, name, each.id)
        for each in results
        for seconds, name in zip(times.get(each.id, ()), each.entrants, strict=False)
        if seconds
    ]
    return tuple(sorted(found, reverse=True)[:SLOWEST])
