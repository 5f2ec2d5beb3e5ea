"""Pods: for games of more than two seats, those who stand near one another meet, in groups as even as can be."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from gamecore.contest.pairing.roundrobin import balanced
from gamecore.contest.pairing.swiss import rounds
from gamecore.contest.rounds import Field, PairedRound, byes, meetings, number_pairings
from gamecore.contest.standing import standings

_AGAIN = 10  # ranks that meeting somebody a second time is as bad as


@frozen
class Pods:
    """As many rounds as Swiss has, in pods."""

    bye_worth: int = 1
    quick: bool = True

    def pair(self, field: Field) -> PairedRound | None:
        """Put everybody who is present into a pod; None after the last round, or where too few are present."""
        if len(field.rounds) >= rounds(len(field.entrants)) or len(field.present) < field.seats[0]:
            return None
        ranked = [row.entrant for row in standings(field) if row.entrant in field.present]
        pods = sizes(len(ranked), field.seats)
        free = _free(ranked, len(ranked) - sum(pods), field)
        left = [each for each in ranked if each not in free]
        met = meetings(field)
        groups = []
        for size in pods:
            group = [left.pop(0)]
            while len(group) < size:
                rank = min(
                    range(len(left)),
                    key=lambda at: (
                        at + _AGAIN * sum(met[frozenset((left[at], one))] for one in group)
                    ),
                )
                group.append(left.pop(rank))
            groups.append(balanced(tuple(group), field))
        return number_pairings(len(field.rounds) + 1, groups, free)


def sizes(entrants: int, seats: range) -> Sequence[int]:
    """Say how large the pods are: all of one size, or of two that differ by one; the most seats possible."""
    least, most = seats[0], seats[-1]
    pods = -(-entrants // most)
    if entrants < pods * least:
        pods = entrants // least
    seated = min(entrants, pods * most)
    return [seated // pods + (pod < seated % pods) for pod in range(pods)] if pods else []


def _free(ranked: Sequence[str], count: int, field: Field) -> tuple[str, ...]:
    """Choose whom there is no seat for: who had fewest byes, from below."""
    had = byes(field)
    last_first = sorted(reversed(ranked), key=lambda each: had[each])
    return tuple(last_first[:count])


PODS = Pods()
