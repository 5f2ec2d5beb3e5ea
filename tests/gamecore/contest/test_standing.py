"""The table: points, tie-breaks, shared places; for two seats and for many."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from gamecore.contest.rounds import Encounter, Field, PairedRound, Pairing, score, scores
from gamecore.contest.standing import standings, winners

NAMES = ("a", "b", "c", "d")


def field(*games: tuple[str, str, tuple[int, int]], byes: tuple[str, ...] = ()) -> Field:
    encounters = tuple(
        Encounter(Pairing(str(number), (one, other)), (places,))
        for number, (one, other, places) in enumerate(games)
    )
    paired = PairedRound(1, tuple(each.pairing for each in encounters), byes)
    return Field(NAMES, frozenset(NAMES), rounds=(paired,), encounters=encounters)


def places_of(contest: Field) -> dict[str, int]:
    return {row.entrant: row.place for row in standings(contest)}


def test_without_a_game_all_share_the_first_place():
    assert places_of(field()) == dict.fromkeys(NAMES, 1)


def test_who_has_more_points_is_ahead_and_a_draw_is_half():
    contest = field(("a", "b", (1, 2)), ("c", "d", (1, 1)))
    assert places_of(contest) == {"a": 1, "c": 2, "d": 2, "b": 4}
    assert [row.points for row in standings(contest)] == [1, Fraction(1, 2), Fraction(1, 2), 0]


def test_the_encounter_among_equals_decides_first():
    """Both have one point, and a has met the stronger opponents; but d has beaten a."""
    contest = field(("d", "a", (1, 2)), ("a", "c", (1, 2)), ("c", "b", (1, 1)))
    rows = {row.entrant: row for row in standings(contest)}
    assert rows["a"].points == rows["d"].points == 1
    assert rows["a"].buchholz > rows["d"].buchholz
    assert rows["d"].place < rows["a"].place


def test_whom_one_has_met_decides_where_equals_have_not_met():
    contest = field(("a", "b", (1, 2)), ("c", "d", (1, 2)), ("b", "d", (1, 2)))
    rows = {row.entrant: row for row in standings(contest)}
    assert rows["a"].points == rows["c"].points == 1
    assert rows["a"].buchholz == 1 and rows["c"].buchholz == 0
    assert (rows["a"].place, rows["c"].place) == (1, 3)


def test_a_bye_counts_what_the_format_says():
    assert places_of(field(byes=("b",)))["b"] == 1
    assert places_of(evolve(field(byes=("b",)), bye_worth=0)) == dict.fromkeys(NAMES, 1)


def test_a_walkover_is_for_who_is_there():
    pairing = Pairing("1", ("a", "b", "c"))
    assert scores(Encounter(pairing, (), ("b",))) == {"a": 1, "b": 0, "c": 1}
    assert scores(Encounter(pairing, (), ("a", "b", "c"))) == {"a": 0, "b": 0, "c": 0}


def test_several_games_are_worth_their_mean():
    encounter = Encounter(Pairing("1", ("a", "b")), ((1, 2), (1, 2), (2, 1), (1, 1)))
    assert scores(encounter) == {"a": Fraction(5, 8), "b": Fraction(3, 8)}
    assert winners(encounter) == ("a",)


@given(st.lists(st.integers(1, 26), min_size=2, max_size=26))
def test_a_game_gives_half_of_what_there_is_at_any_number_of_seats(raw):
    """Ties among two to twenty-six seats: the sum is always the same, and who is level gets the same."""
    places = tuple(1 + sum(other < own for other in raw) for own in raw)
    gained = [score(places, seat) for seat in range(len(places))]
    assert sum(gained) == Fraction(len(places), 2)
    assert all(0 <= each <= 1 for each in gained)
    for one in range(len(places)):
        for other in range(len(places)):
            assert (places[one] < places[other]) == (gained[one] > gained[other])


GAME = st.tuples(
    st.sampled_from(list(permutations(NAMES, 2))), st.sampled_from([(1, 2), (2, 1), (1, 1)])
)


@given(st.lists(GAME, max_size=12), st.randoms())
def test_the_table_does_not_depend_on_the_order_of_what_was_reported(games, chance):
    contest = field(*((one, other, places) for (one, other), places in games))
    shuffled = list(contest.encounters)
    chance.shuffle(shuffled)
    table = standings(contest)
    assert table == standings(evolve(contest, encounters=tuple(shuffled)))
    assert [row.place for row in table] == sorted(row.place for row in table)
    assert sum(row.points for row in table) == len(games)
    for row in table:
        assert row.place == 1 + sum(other.order > row.order for other in table)
