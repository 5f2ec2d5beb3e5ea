"""Ratings: the model alone decides, but for who is sure and meets one who is not."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart

from gamecore.contest.rating import SURE, Formula, Rating, shown

MUS = st.floats(0, 50)


@given(
    seats=st.lists(st.tuples(MUS, st.floats(1, SURE), st.integers(1, 4)), min_size=2, max_size=9)
)
def test_among_those_who_are_sure_it_is_the_model(seats):
    model = BradleyTerryPart()
    teams = [[model.create_rating([mu, sigma])] for mu, sigma, _ in seats]
    places = [place for *_, place in seats]
    expected = [(each.mu, each.sigma) for (each,) in model.rate(teams, ranks=places)]
    found = Formula().rate([Rating(mu, sigma) for mu, sigma, _ in seats], places, 7.0)
    assert [(each.mu, each.sigma) for each in found] == expected
    assert {(each.games, each.last) for each in found} == {(1, 7.0)}


def test_one_who_is_sure_is_not_moved_by_one_who_is_not():
    sure, new = Rating(30.0, 2.0, 50), Rating()
    after, beaten = Formula().rate([sure, new], [1, 2], 7.0)
    assert (after.mu, after.sigma, after.games) == (30.0, 2.0, 51)
    assert beaten.mu < new.mu and beaten.sigma < new.sigma


def test_who_is_level_moves_towards_each_other():
    better, worse = Formula().rate([Rating(30.0, 2.0), Rating(20.0, 2.0)], [1, 1], 7.0)
    assert better.mu < 30.0 and worse.mu > 20.0


def test_a_rating_is_provisional_for_about_thirty_games_between_equals():
    formula, ratings = Formula(), [Rating(), Rating()]
    games = 0
    while any(each.provisional for each in ratings):
        ratings = formula.rate(ratings, [1 + games % 2, 2 - games % 2], 7.0)
        games += 1
    assert 15 <= games <= 45


@pytest.mark.parametrize(("mu", "expected"), [(25.0, 1500), (26.0, 1530), (20.0, 1352)])
def test_a_mean_is_shown_as_a_number_of_four_digits(mu, expected):
    assert shown(mu) == expected


def test_whoever_has_no_openskill_lacks_ratings_and_nothing_else():
    code = (
        "import sys; sys.modules['openskill'] = None\n"
        "import gamecore.contest.result, protocols.daemon.service, protocols.cli.main\n"
        "import gamecore.contest.rating as rating\n"
        "print(rating.Rating().provisional)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
