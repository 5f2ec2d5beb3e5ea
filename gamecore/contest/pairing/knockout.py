"""Knockout for two seats: who loses is out.

The first seed meets the last, and the first two meet in the final if both get there; where the number is no power
of two the first seeds have a bye in the first round.  Who is level after an encounter goes on if seeded higher.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from gamecore.contest.rounds import Encounter, Field, PairedRound, number_pairings
from gamecore.contest.standing import winners
from gamecore.errors import Refused


@frozen
class Knockout:
    """Half of those who are left go on."""

    bye_worth: int = 1
    quick: bool = True

    def pair(self, field: Field) -> PairedRound | None:
        """Pair those who are left; None when that is one.

        Raises Refused ``two-seats-only`` for games of more, RuntimeError where an encounter has no result yet.
        """
        if field.seats[-1] != 2:
            raise Refused("two-seats-only")
        slots = bracket(field)
        while len(slots) > 1:
            two = [(slots[at], slots[at + 1]) for at in range(0, len(slots), 2)]
            met = [(one, other) for one, other in two if one is not None and other is not None]
            if met:
                idle = tuple(
                    one or other or "" for one, other in two if (one is None) != (other is None)
                )
                return number_pairings(len(field.rounds) + 1, met, idle)
            slots = [one or other for one, other in two]
        return None


def order(size: int) -> list[int]:
    """Give the seeds (from 0) in the order of the bracket; size is a power of two."""
    seeds = [0]
    while len(seeds) < size:
        last = 2 * len(seeds) - 1
        seeds = [each for seed in seeds for each in (seed, last - seed)]
    return seeds


def bracket(field: Field) -> Sequence[str | None]:
    """Give those who are still in, in the order of the bracket; None stands for nobody.

    Raises RuntimeError where an encounter has no result yet.
    """
    size = 1 << (len(field.entrants) - 1).bit_length()
    seeds = order(size)
    slots: list[str | None] = [
        field.entrants[seed] if seed < len(field.entrants) else None for seed in seeds
    ]
    results = {each.pairing.id: each for each in field.encounters}
    rank = {each: seed for seed, each in enumerate(field.entrants)}
    for paired in field.rounds:
        through = dict.fromkeys(paired.byes)
        ahead: dict[str, str] = {}
        for pairing in paired.pairings:
            encounter = results.get(pairing.id)
            if encounter is None:
                raise RuntimeError(f"pairing {pairing.id} has no result")
            ahead.update(dict.fromkeys(pairing.entrants, _through(encounter, rank)))
        slots = [
            _survivor(slots[at], slots[at + 1], ahead, through) for at in range(0, len(slots), 2)
        ]
    return [each if each in field.present else None for each in slots]


def _through(encounter: Encounter, rank: Mapping[str, int]) -> str:
    return min(winners(encounter), key=lambda each: rank[each])


def _survivor(
    one: str | None, other: str | None, ahead: Mapping[str, str], byes: Mapping[str, None]
) -> str | None:
    for each in (one, other):
        if each is not None and (each in byes or each in ahead):
            return ahead.get(each, each)
    return None


KNOCKOUT = Knockout()
