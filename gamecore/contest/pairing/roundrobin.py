"""Everybody meets everybody; and the gauntlet, where one meets all the others.

For two seats by the circle method: the first stays, the others go round, so that each sits first in every other
round.  For more seats in blocks, in which those meet who have met least; it goes on until each two have met.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from attrs import frozen

from gamecore.contest.rounds import Field, PairedRound, meetings, number_pairings, seat_balance

Group = tuple[str, ...]
Met = Counter[frozenset[str]]


@frozen
class RoundRobin:
    """Everybody meets everybody."""

    bye_worth: int = 0
    quick: bool = True

    def pair(self, field: Field) -> PairedRound | None:
        """Pair the next round; None when everybody who is present has met everybody else."""
        if field.seats[-1] == 2:
            return _circle(field)
        return _blocks(field)


def circle(entrants: Group, number: int) -> list[Group]:
    """Pair one round by the circle method, from 1; who would meet nobody is in no pair."""
    ring: list[str | None] = list(entrants)
    if len(ring) % 2:
        ring.append(None)
    turn = (number - 1) % (len(ring) - 1)
    others = ring[1:]
    ring = [ring[0], *others[len(others) - turn :], *others[: len(others) - turn]]
    pairs: list[Group] = []
    for board in range(len(ring) // 2):
        one, other = ring[board], ring[-1 - board]
        swapped = number % 2 == 0 if board == 0 else board % 2 == 1
        if one is not None and other is not None:
            pairs.append((other, one) if swapped else (one, other))
    return pairs


def _circle(field: Field) -> PairedRound | None:
    """Pair the next round in which anybody who is still there meets."""
    last = len(field.entrants) - (len(field.entrants) % 2 == 0)
    paired = field.rounds[-1].number if field.rounds else 0  # where nobody met, there was no round
    for number in range(paired + 1, last + 1):
        pairs = [each for each in circle(field.entrants, number) if field.present.issuperset(each)]
        if pairs:
            busy = {each for pair in pairs for each in pair}
            idle = tuple(each for each in field.ready if each not in busy)
            return number_pairings(number, pairs, idle)
    return None


def _blocks(field: Field) -> PairedRound | None:
    met, ready = meetings(field), list(field.ready)
    if len(ready) < field.seats[0] or all(met[frozenset(two)] for two in combinations(ready, 2)):
        return None
    games = Counter(
        each for paired in field.rounds for one in paired.pairings for each in one.entrants
    )
    groups: list[Group] = []
    while len(ready) >= field.seats[0]:
        group = block(ready, min(field.seats[-1], len(ready)), met, games)
        ready = [each for each in ready if each not in group]
        groups.append(balanced(group, field))
    return number_pairings(len(field.rounds) + 1, groups, tuple(ready))


def block(ready: list[str], size: int, met: Met, games: Counter[str]) -> Group:
    """Choose who meets: two who have met least, then each time who has met those least."""
    first = min(
        combinations(ready, 2), key=lambda two: (met[frozenset(two)], games[two[0]] + games[two[1]])
    )
    chosen = list(first)
    while len(chosen) < size:
        rest = [each for each in ready if each not in chosen]
        chosen.append(
            min(
                rest,
                key=lambda one: (sum(met[frozenset((one, each))] for each in chosen), games[one]),
            )
        )
    return tuple(chosen)


def balanced(group: Group, field: Field) -> Group:
    """Seat those first who sat first least often."""
    balance = seat_balance(field)
    return tuple(sorted(group, key=lambda each: balance[each]))


@frozen
class Gauntlet:
    """The first entrant meets each of the others, one a round."""

    bye_worth: int = 0
    quick: bool = True

    def pair(self, field: Field) -> PairedRound | None:
        """Pair the first with the next whom it has not met; None when there is nobody left."""
        hero = field.entrants[0]
        met = meetings(field)
        for other in field.ready:
            if hero in field.present and other != hero and not met[frozenset((hero, other))]:
                idle = tuple(each for each in field.ready if each not in (hero, other))
                return number_pairings(
                    len(field.rounds) + 1, [balanced((hero, other), field)], idle
                )
        return None


ROUND_ROBIN = RoundRobin()
GAUNTLET = Gauntlet()
