"""What the games of a run add up to: who scored what against whom, how sure that is, how strong each is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log10
from random import Random

from attrs import field, frozen

from gamecore.contest.rounds import score
from protocols.tournament.games import PLAYED, Result

RESAMPLES = 400
MOST_BLOCKS = (
    250  # that are drawn each time: of more turns, several that follow one another go together
)
_SWEEPS = 1000
_CLOSE_ENOUGH = 1e-9


@frozen
class Tally:
    """All sums of a run, by the names of entrants.

    ``points`` and ``games`` are of pairs: what the first made of its games with the second, a win 1, a draw a half;
    ``by_seat`` counts wins, draws and losses in each seat, ``reasons`` how games ended, ``faults`` by whose fault.
    """

    names: tuple[str, ...]
    points: Mapping[tuple[str, str], float]
    games: Mapping[tuple[str, str], int]
    by_seat: Mapping[str, Mapping[int, tuple[int, int, int]]]
    reasons: Counter[str]
    faults: Counter[tuple[str, str]]
    groups: Mapping[str, Sequence[tuple[float, int]]] = field(repr=False)

    def total(self, name: str) -> tuple[float, int]:
        """Give the points and the games of one entrant."""
        groups = self.groups[name]
        return sum(points for points, _ in groups), sum(games for _, games in groups)

    def score(self, name: str) -> float:
        """Say what share of all points one entrant made; 0 without a game."""
        points, games = self.total(name)
        return points / games if games else 0.0


def tally(names: Sequence[str], results: Sequence[Result]) -> Tally:
    """Add up results."""
    points: dict[tuple[str, str], float] = defaultdict(float)
    games: Counter[tuple[str, str]] = Counter()
    seats: dict[str, dict[int, tuple[int, int, int]]] = {name: {} for name in names}
    groups: dict[str, dict[tuple[str, int], tuple[float, int]]] = {name: {} for name in names}
    for result in results:
        for seat, name in enumerate(result.entrants):
            gained = float(score(result.places, seat))
            had, count = groups[name].get((result.pairing, result.group), (0.0, 0))
            groups[name][result.pairing, result.group] = had + gained, count + 1
            won, drawn, lost = seats[name].get(seat, (0, 0, 0))
            best = result.places[seat] == 1
            level = best and result.places.count(1) > 1
            seats[name][seat] = won + (best and not level), drawn + level, lost + (not best)
            for other_seat, other in enumerate(result.entrants):
                if other_seat != seat:
                    own, theirs = result.places[seat], result.places[other_seat]
                    points[name, other] += 1.0 if own < theirs else 0.5 if own == theirs else 0.0
                    games[name, other] += 1
    return Tally(
        tuple(names),
        points,
        games,
        seats,
        Counter(each.outcome if each.reason == PLAYED else each.reason for each in results),
        Counter((each.culprit, each.reason) for each in results if each.culprit is not None),
        {name: list(each.values()) for name, each in groups.items()},
    )


def interval(groups: Sequence[tuple[float, int]], chance: Random) -> tuple[float, float]:
    """Say between what the score lies in 95 of 100 runs, by drawing whole turns of the seats anew (bootstrap)."""
    if not groups:
        return 0.0, 1.0
    means = []
    blocks = _blocks(groups)
    for _ in range(RESAMPLES):
        drawn = chance.choices(blocks, k=len(blocks))
        means.append(sum(points for points, _ in drawn) / sum(games for _, games in drawn))
    means.sort()
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def _blocks(groups: Sequence[tuple[float, int]]) -> Sequence[tuple[float, int]]:
    size = -(-len(groups) // MOST_BLOCKS)
    parts = [groups[at : at + size] for at in range(0, len(groups), size)]
    return [(sum(points for points, _ in part), sum(games for _, games in part)) for part in parts]


def strengths(
    names: Sequence[str],
    points: Mapping[tuple[str, str], float],
    games: Mapping[tuple[str, str], int],
    prior: float = 0.5,
) -> dict[str, float]:
    """Fit the model of Bradley and Terry; gives each strength in Elo, their mean being 0.

    Each two who have met are taken to have drawn ``prior`` games more, so that nobody is infinitely strong.  By the
    minorisation-maximisation of Hunter (2004).
    """
    met = [(one, other) for one in names for other in names if games.get((one, other))]
    won = {name: 0.0 for name in names}
    for one, other in met:
        won[one] += points.get((one, other), 0.0) + prior / 2
    strength = dict.fromkeys(names, 1.0)
    for _ in range(_SWEEPS):
        below = {name: 0.0 for name in names}
        for one, other in met:
            below[one] += (games[one, other] + prior) / (strength[one] + strength[other])
        fresh = {name: max(won[name] / below[name], 1e-9) if below[name] else 1.0 for name in names}
        mean = 10 ** (sum(map(log10, fresh.values())) / len(fresh))
        fresh = {name: each / mean for name, each in fresh.items()}
        change = max(abs(fresh[name] / strength[name] - 1) for name in names)
        strength = fresh
        if change < _CLOSE_ENOUGH:
            break
    return {name: 400 * log10(each) for name, each in strength.items()}
