"""The table of a tournament: points, tie-breaks, places.

Who has more points is ahead.  Among equals these decide, in this order: points in the encounters among
themselves alone; the sum of the points of all whom one has met (Buchholz); the same, each times what one made
of that encounter (Sonneborn-Berger); encounters won.  Who is still level shares a place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from attrs import evolve, field, frozen

from gamecore.contest.rounds import Encounter, Field, byes, scores

HALF = Fraction(1, 2)
Points = Mapping[str, Fraction]
Worth = Mapping[str, Fraction]  # of one encounter, by entrant


@frozen
class Standing:
    """One row of the table; ``place`` is 1 for the best, shared by those who are level in everything."""

    entrant: str
    place: int
    points: Fraction
    played: int
    direct: Fraction
    buchholz: Fraction
    sonneborn: Fraction
    wins: int

    @property
    def order(self) -> tuple[Fraction, Fraction, Fraction, Fraction, int]:
        """What places are given by: the greater is ahead."""
        return self.points, self.direct, self.buchholz, self.sonneborn, self.wins


def standings(contest: Field) -> list[Standing]:
    """Draw up the table from all encounters and byes; those who are level stand in the order of seeding."""
    worths = [scores(each) for each in contest.encounters]
    points = total(contest, worths)
    tie_breaks = _TieBreaks(contest, points, worths)
    rows = [tie_breaks.row(each) for each in contest.entrants]
    rows.sort(
        key=lambda row: row.order, reverse=True
    )  # stable: seeding decides what is drawn above
    placed: list[Standing] = []
    for _, level in groupby(rows, key=lambda row: row.order):
        place = len(placed) + 1
        placed += [evolve(row, place=place) for row in level]
    return placed


def total(contest: Field, worths: Iterable[Worth]) -> dict[str, Fraction]:
    """Add up the points of each entrant, byes among them."""
    had = byes(contest)
    points = {each: Fraction(had[each] * contest.bye_worth) for each in contest.entrants}
    for worth in worths:
        for entrant, gained in worth.items():
            points[entrant] += gained
    return points


def points_of(contest: Field) -> dict[str, Fraction]:
    """Give the points of each entrant."""
    return total(contest, map(scores, contest.encounters))


@frozen
class _TieBreaks:
    """What decides among those with the same points."""

    contest: Field
    points: Points
    worths: Sequence[Worth]
    _of: Mapping[str, list[Worth]] = field(init=False)
    _direct: Points = field(init=False)

    def __attrs_post_init__(self) -> None:
        of: dict[str, list[Worth]] = defaultdict(list)
        for worth in self.worths:
            for entrant in worth:
                of[entrant].append(worth)
        object.__setattr__(self, "_of", of)
        object.__setattr__(self, "_direct", self._among_equals())

    def _among_equals(self) -> Points:
        """Add up what was made of the encounters among those with the same points, by all of them."""
        direct: dict[str, Fraction] = defaultdict(Fraction)
        for worth in self.worths:
            level = Counter(self.points[each] for each in worth)
            for entrant, gained in worth.items():
                if level[self.points[entrant]] > 1:
                    direct[entrant] += gained
        return direct

    def row(self, entrant: str) -> Standing:
        """Make the row of an entrant, its place still open."""
        own = self._of.get(entrant, [])
        met = [
            (self.points[other], worth[entrant])
            for worth in own
            for other in worth
            if other != entrant
        ]
        return Standing(
            entrant=entrant,
            place=0,
            points=self.points[entrant],
            played=len(own),
            direct=self._direct.get(entrant, Fraction()),
            buchholz=sum((points for points, _ in met), Fraction()),
            sonneborn=sum((points * gained for points, gained in met), Fraction()),
            wins=sum(worth[entrant] > HALF for worth in own),
        )


def winners(encounter: Encounter) -> tuple[str, ...]:
    """Name who made the most of an encounter: one, or several who are level."""
    worth = scores(encounter)
    most = max(worth.values())
    return tuple(each for each in encounter.pairing.entrants if worth[each] == most)
