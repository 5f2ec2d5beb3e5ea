"""A game that told a seat, by whatever way, what it may not know would be caught."""

from __future__ import annotations

import pytest

from protocols.testing.secrecy.pairs import Leak, check_game
from tests.secrecy import sealed


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
