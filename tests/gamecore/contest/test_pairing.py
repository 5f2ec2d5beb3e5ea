"""Every way of pairing: everybody once, no second bye, no second meeting without need, seats in balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.contest.pairing import find_format, formats
from gamecore.contest.pairing.arena import arena_points, pair_waiting
from gamecore.contest.pairing.knockout import order
from gamecore.contest.pairing.pods import sizes
from gamecore.contest.pairing.roundrobin import circle
from gamecore.contest.pairing.swiss import pair, rounds
from gamecore.contest.rounds import (
    Encounter,
    Field,
    PairedRound,
    byes,
    meetings,
    number_pairings,
    seat_balance,
)
from gamecore.contest.standing import standings
from gamecore.errors import Refused

TWO = range(2, 3)
EXAMPLES = settings(max_examples=12)


def start(entrants: int, name: str, seats: range = TWO) -> Field:
    names = tuple(f"e{each}" for each in range(entrants))
    return Field(names, frozenset(names), seats, bye_worth=find_format(name).bye_worth)


def by_chance(paired: PairedRound, chance: Random) -> list[Encounter]:
    encounters = []
    for each in paired.pairings:
        places = [chance.randint(1, len(each.entrants)) for _ in each.entrants]
        least = min(places)
        encounters.append(Encounter(each, (tuple(place - least + 1 for place in places),)))
    return encounters


def add(field: Field, paired: PairedRound, chance: Random) -> Field:
    played = (*field.encounters, *by_chance(paired, chance))
    return evolve(field, rounds=(*field.rounds, paired), encounters=played)


def play(
    field: Field,
    name: str,
    chance: Random,
    check: Callable[[Field, PairedRound], None],
    leaves: Callable[[Field], Field] = lambda field: field,
) -> Field:
    for _ in range(200):
        paired = find_format(name).pair(field)
        if paired is None:
            return field
        if len(field.rounds) % 3 == 1:  # a pure function, whatever was drawn before
            assert paired == find_format(name).pair(field)
        check(field, paired)
        field = leaves(add(field, paired, chance))
    raise AssertionError("it goes on for ever")


def each_once(field: Field, paired: PairedRound) -> None:
    """Everybody who is there has one place in the round, and nobody else has any."""
    named = [*paired.byes, *(who for each in paired.pairings for who in each.entrants)]
    assert sorted(named) == sorted(field.present)
    assert all(len(each.entrants) in field.seats for each in paired.pairings)
    assert paired.number > max((each.number for each in field.rounds), default=0)


def those_left_once(field: Field, paired: PairedRound) -> None:
    named = [*paired.byes, *(who for each in paired.pairings for who in each.entrants)]
    assert len(set(named)) == len(named)
    assert field.present.issuperset(named)


def test_the_formats_are_found_by_name():
    assert set(formats()) >= {"gauntlet", "knockout", "pods", "roundrobin", "swiss"}
    with pytest.raises(Refused, match="no-such-format"):
        find_format("lottery")


# -- round robin ----------------------------------------------------------------------


@EXAMPLES
@given(st.integers(2, 40), st.randoms())
def test_all_meet_all_once(entrants, chance):
    field = play(start(entrants, "roundrobin"), "roundrobin", chance, each_once)
    assert set(meetings(field).values()) == {1}
    assert len(meetings(field)) == entrants * (entrants - 1) // 2
    assert len(field.rounds) == entrants - 1 + entrants % 2
    assert all(count <= 1 for count in byes(field).values())
    assert max(map(abs, seat_balance(field).values()), default=0) <= 2


@pytest.mark.parametrize("gone", [("e0",), ("e1",), ("e2",), ("e0", "e3"), ("e1", "e2")])
def test_where_nobody_would_meet_there_is_no_round_and_none_is_played_twice(gone):
    field = start(4 if len(gone) > 1 else 3, "roundrobin")
    field = evolve(field, present=field.present - set(gone))
    played = play(field, "roundrobin", Random(1), each_once)
    assert list(meetings(played).values()) == [1]


@EXAMPLES
@given(st.integers(3, 13), st.integers(3, 6), st.randoms())
def test_all_meet_all_in_blocks(entrants, most, chance):
    seats = range(2, most + 1)
    field = play(start(entrants, "roundrobin", seats), "roundrobin", chance, each_once)
    assert len(meetings(field)) == entrants * (entrants - 1) // 2


@given(st.integers(2, 30), st.data())
def test_the_circle_pairs_as_many_as_it_can(entrants, data):
    number = data.draw(st.integers(1, entrants - 1 + entrants % 2))
    assert len(circle(tuple(map(str, range(entrants))), number)) == entrants // 2


def test_in_a_gauntlet_the_first_meets_all_others():
    field = play(start(6, "gauntlet"), "gauntlet", Random(1), each_once)
    assert set(meetings(field)) == {frozenset(("e0", f"e{each}")) for each in range(1, 6)}


# -- Swiss ----------------------------------------------------------------------------


@EXAMPLES
@given(st.integers(8, 31), st.randoms())
def test_swiss_has_no_second_bye_and_no_second_meeting(entrants, chance):
    field = play(start(entrants, "swiss"), "swiss", chance, each_once)
    assert len(field.rounds) == rounds(entrants)
    assert max(byes(field).values(), default=0) <= 1
    assert max(meetings(field).values()) == 1
    assert max(map(abs, seat_balance(field).values())) <= 3


@EXAMPLES
@given(st.integers(8, 20), st.randoms())
def test_swiss_goes_on_when_somebody_withdraws_at_every_step(entrants, chance):
    def leaves(field: Field) -> Field:
        present = sorted(field.present)
        return evolve(field, present=field.present - {chance.choice(present)})

    field = start(entrants, "swiss")
    played = play(field, "swiss", chance, each_once, leaves)
    assert len(played.rounds) >= min(rounds(entrants), entrants - 2)


def test_swiss_lets_two_meet_again_only_where_it_must():
    """Four of eight are left after three rounds among themselves alone."""
    field = start(8, "swiss")
    four = frozenset(field.entrants[:4])
    for number in (1, 2, 3):
        pairings = find_format("roundrobin").pair(
            Field(field.entrants[:4], four, TWO, field.rounds, field.encounters)
        )
        assert pairings is not None and pairings.number == number
        field = add(field, pairings, Random(number))
    paired = find_format("swiss").pair(evolve(field, present=four))
    assert paired is not None
    each_once(evolve(field, present=four), paired)
    free = find_format("swiss").pair(field)
    assert free is not None
    met = meetings(field)
    for each in free.pairings:
        assert not met[frozenset(each.entrants)]


def test_with_few_entrants_swiss_is_a_round_robin():
    field = play(start(5, "swiss"), "swiss", Random(3), each_once)
    assert len(meetings(field)) == 10


def test_with_one_left_swiss_is_over():
    field = start(9, "swiss")
    assert find_format("swiss").pair(evolve(field, present=frozenset({"e1"}))) is None


def test_a_window_that_is_too_narrow_is_widened():
    """Two hundred, of whom the first forty have all met one another."""
    field = start(200, "swiss")
    for number in range(1, 40):
        two = circle(field.entrants[:40], number)
        pairs = {frozenset(each) for each in two}
        rest = circle(field.entrants[40:], number)
        field = evolve(field, rounds=(*field.rounds, number_pairings(number, [*two, *rest])))
        assert len(pairs) == 20
    met = meetings(field)
    paired = pair(field)
    assert not [each for each in paired.pairings if met[frozenset(each.entrants)]]


# -- pods, knockout, arena ------------------------------------------------------------


@given(st.integers(1, 60), st.integers(2, 6), st.integers(0, 8))
def test_pods_seat_as_many_as_there_is_room_for(entrants, least, more):
    found = sizes(entrants, range(least, least + more + 1))
    assert all(least <= each <= least + more for each in found)
    assert sum(found) <= entrants
    if entrants >= least:
        assert max(found) - min(found) <= 1
        possible = [
            min(entrants, pods * (least + more)) for pods in range(1, entrants // least + 1)
        ]
        assert sum(found) == max(possible)


@EXAMPLES
@given(st.integers(3, 30), st.integers(3, 6), st.randoms())
def test_in_pods_everybody_plays_and_nobody_waits_twice_before_all_have(entrants, seats, chance):
    if entrants < seats:
        return
    field = play(start(entrants, "pods", range(seats, seats + 1)), "pods", chance, each_once)
    had = byes(field)
    assert (
        max(had[each] for each in field.entrants) - min(had[each] for each in field.entrants) <= 1
    )


@EXAMPLES
@given(st.integers(2, 40), st.randoms())
def test_a_knockout_leaves_one_and_its_first_two_seeds_meet_last(entrants, chance):
    field = play(start(entrants, "knockout"), "knockout", chance, those_left_once)
    assert len(field.rounds) == (entrants - 1).bit_length()
    assert sum(len(each.pairings) for each in field.rounds) == entrants - 1
    assert len(field.rounds[-1].pairings) == 1
    for paired in field.rounds[:-1]:
        assert frozenset(("e0", "e1")) not in {frozenset(each.entrants) for each in paired.pairings}


@EXAMPLES
@given(st.integers(2, 20), st.randoms())
def test_a_knockout_goes_on_when_somebody_withdraws(entrants, chance):
    def leaves(field: Field) -> Field:
        gone = chance.choice(sorted(field.present))
        return evolve(field, present=field.present - {gone}) if chance.random() < 0.5 else field

    play(start(entrants, "knockout"), "knockout", chance, those_left_once, leaves)


def test_a_knockout_is_for_two():
    with pytest.raises(Refused, match="two-seats-only"):
        find_format("knockout").pair(start(4, "knockout", range(3, 5)))


def test_the_bracket_has_the_seeds_snake():
    assert order(8) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_from_the_third_win_in_a_row_all_counts_twice():
    win, draw, loss = Fraction(1), Fraction(1, 2), Fraction(0)
    assert arena_points([win, win, win, win]) == 2 + 2 + 4 + 4
    assert arena_points([win, win, draw, win]) == 2 + 2 + 2 + 2
    assert arena_points([win, win, loss, win, draw]) == 2 + 2 + 0 + 2 + 1


NAMES = [f"e{each}" for each in range(12)]


@given(
    st.lists(st.sampled_from(NAMES), unique=True),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 30)),
    st.integers(0, 5),
)
def test_in_an_arena_nobody_meets_the_same_at_once_unless_few_are_there(
    waiting, last, points, playing
):
    present = len(waiting) + playing
    pairs = pair_waiting(waiting, last, points, present)
    named = Counter(each for pair in pairs for each in pair)
    assert set(named.values()) <= {1} and set(named) <= set(waiting)
    left = [each for each in waiting if each not in named]
    if present > 3:
        assert not [
            two for two in pairs if last.get(two[0]) == two[1] or last.get(two[1]) == two[0]
        ]
        for one, other in combinations(left, 2):
            assert last.get(one) == other or last.get(other) == one
    else:
        assert len(left) <= 1


@EXAMPLES
@given(st.integers(2, 12), st.randoms())
def test_the_table_of_a_knockout_begins_with_its_winner(entrants, chance):
    field = play(start(entrants, "knockout"), "knockout", chance, those_left_once)
    final = field.encounters[-1]
    assert {final.pairing.entrants[0], final.pairing.entrants[-1]} & {
        row.entrant for row in standings(field)[:2]
    }
