"""A game that told a seat, by whatever way, what it may not know would be caught."""

from __future__ import annotations

from random import Random

import pytest

from gamecore.rules import installed_rules
from protocols.testing.secrecy.pairs import Leak, check_beginning, check_game
from tests.secrecy import sealed


def test_a_game_that_keeps_its_secrets_passes():
    for seed in range(60):
        check_game(sealed.SealedRules(), seed)


@pytest.mark.parametrize(
    "leaky", [*sealed.LEAKY, sealed.LeakyBeginning], ids=lambda leaky: leaky.__name__
)
def test_a_leak_is_caught(leaky):
    with pytest.raises(Leak):
        for seed in range(60):
            check_game(sealed.SealedRules(leaky), seed)


def test_what_is_told_and_not_kept_in_the_view_is_refused_in_words_that_say_so():
    with pytest.raises(Leak, match="what may be told is in the View that follows"):
        for seed in range(60):
            check_game(sealed.SealedRules(sealed.ForgetfulView), seed)


def test_a_guess_that_draws_nothing_anew_is_caught():
    hid, drew = zip(
        *(check_game(sealed.SealedRules(sealed.BlindGuess), n) for n in range(12)), strict=True
    )
    assert any(hid) and not any(drew)


DEALT_AT_ONCE = ("castle", "pass123", "rikiki")


def test_a_leak_of_the_beginning_is_caught_by_two_deals_alone():
    with pytest.raises(Leak, match="as it began"):
        check_beginning(sealed.SealedRules(sealed.LeakyBeginning), Random(1))


@pytest.mark.parametrize("rules", installed_rules(), ids=lambda rules: rules.kind)
def test_two_deals_are_found_that_a_viewer_cannot_tell_apart(rules):
    found = [check_beginning(rules, Random(seed)) for seed in range(10)]
    assert sum(found) > 20 or rules.kind not in DEALT_AT_ONCE
