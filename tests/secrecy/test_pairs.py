"""No game tells a seat, by whatever way, what it may not know; and a game that did would be caught."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.rules import installed_rules
from tests.secrecy import sealed
from tests.secrecy.pairs import Leak, Playing, check_game

GAMES = installed_rules()
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.kind)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_no_seat_is_told_what_it_may_not_know(rules, seed):
    check_game(rules, seed)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.kind)
def test_what_a_game_hides_a_guess_draws_anew(rules):
    hid = drew = False
    for seed in range(12):
        game_hid, game_drew = check_game(rules, seed)
        hid, drew = hid or game_hid, drew or game_drew
    assert drew == hid


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.kind)
@settings(max_examples=8)
@given(seed=SEEDS)
def test_a_guess_can_be_played_on_to_the_end(rules, seed):
    playing = Playing.begin(rules, Random(seed))
    for _ in range(playing.chance.randrange(60)):
        playing.step()
    viewer = playing.chance.choice(playing.viewers)
    playing.position = playing.position.guess(viewer, playing.chance, playing.heard.append)
    for _ in range(20_000):
        if not playing.step():
            break
    assert playing.position.outcome is not None


# -- it bites -------------------------------------------------------------------------


def test_a_game_that_keeps_its_secrets_passes():
    for seed in range(60):
        check_game(sealed.SealedRules(), seed)


@pytest.mark.parametrize(
    "leaky",
    [
        sealed.LeakyView,
        sealed.LeakyEvent,
        sealed.LeakyOrder,
        sealed.LeakyNumber,
        sealed.LeakyRefusal,
        sealed.LeakyTurn,
    ],
    ids=lambda leaky: leaky.__name__,
)
def test_a_leak_is_caught(leaky):
    with pytest.raises(Leak):
        for seed in range(60):
            check_game(sealed.SealedRules(leaky), seed)


def test_a_guess_that_draws_nothing_anew_is_caught():
    hid, drew = zip(
        *(check_game(sealed.SealedRules(sealed.BlindGuess), n) for n in range(12)), strict=True
    )
    assert any(hid) and not any(drew)
