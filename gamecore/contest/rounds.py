"""What a tournament consists of: who met whom in which seats, and how that ended.

Entrants are known by their names.  An **encounter** is a pairing that has been played: one game or several between
the same entrants.  It is worth the same whatever the number of its games and seats: the mean of what each entrant
made of them, from 0 (behind everybody in every game) to 1 (ahead of everybody in every game).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from attrs import frozen

Places = tuple[int, ...]  # of one game, by entrant in the order of the pairing; 1 is the best


@frozen
class Pairing:
    """Who meets, in the order of their seats in the first game; ``id`` is unique in the tournament."""

    id: str
    entrants: tuple[str, ...]


@frozen
class PairedRound:
    """One round of a tournament: who meets whom, and who has a bye; ``number`` counts from 1."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()


@frozen
class Encounter:
    """A pairing and its games; of those in ``absent`` it was a walkover for the others, without any game."""

    pairing: Pairing
    games: tuple[Places, ...] = ()
    absent: tuple[str, ...] = ()


@frozen
class Field:
    """All that pairs the next round: entrants in the order of seeding, who is present, and what has been.

    ``seats`` is how many may meet in one game, ``bye_worth`` what a bye counts.
    """

    entrants: tuple[str, ...]
    present: frozenset[str]
    seats: range = range(2, 3)
    rounds: tuple[PairedRound, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    bye_worth: int = 1

    @property
    def ready(self) -> tuple[str, ...]:
        """Who is present, in the order of seeding."""
        return tuple(each for each in self.entrants if each in self.present)


def score(places: Places, seat: int) -> Fraction:
    """Say what one entrant made of a game: the share of the others that it is ahead of, half for each level."""
    own = places[seat]
    halves = sum(2 if own < other else own == other for other in places) - 1  # less itself
    return Fraction(halves, 2 * (len(places) - 1))


def scores(encounter: Encounter) -> Mapping[str, Fraction]:
    """Say what an encounter was worth to each of its entrants, from 0 to 1."""
    entrants, absent, games = encounter.pairing.entrants, encounter.absent, encounter.games
    if absent or not games:
        there = bool(absent)
        return {each: Fraction(there and each not in absent) for each in entrants}
    return {
        each: sum((score(places, seat) for places in games), Fraction()) / len(games)
        for seat, each in enumerate(entrants)
    }


def pairs(field: Field) -> Iterator[frozenset[str]]:
    """Give each two who were paired with one another, once for each time."""
    for paired in field.rounds:
        for pairing in paired.pairings:
            yield from map(frozenset, combinations(pairing.entrants, 2))


def meetings(field: Field) -> Counter[frozenset[str]]:
    """Count how often each two were paired with one another."""
    return Counter(pairs(field))


def byes(field: Field) -> Counter[str]:
    """Count the byes of each entrant."""
    return Counter(each for paired in field.rounds for each in paired.byes)


def seat_balance(field: Field) -> Counter[str]:
    """Count how often each entrant sat first, less how often last, in its pairings."""
    balance: Counter[str] = Counter()
    for paired in field.rounds:
        for pairing in paired.pairings:
            balance[pairing.entrants[0]] += 1
            balance[pairing.entrants[-1]] -= 1
    return balance


def number_pairings(
    number: int, groups: Sequence[tuple[str, ...]], byes: tuple[str, ...] = ()
) -> PairedRound:
    """Make a round of groups of entrants; its pairings are called ``round.board``."""
    pairings = tuple(
        Pairing(f"{number}.{board}", group) for board, group in enumerate(groups, start=1)
    )
    return PairedRound(number, pairings, byes)
