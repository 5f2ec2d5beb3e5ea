"""What is given up for a card is a set: whoever pays names it in any order."""

from __future__ import annotations

from functools import partial
from itertools import permutations

import pytest

from gamecore.games.castle import moves

own = partial(moves.Spot, 0)
THREE = (own("soldier", 0), own("mage", 0), own("trickster", 0))


@pytest.mark.parametrize("pay", [*permutations(THREE)])
@pytest.mark.parametrize("card", ["paladin", "wizard"])
def test_three_cards_are_paid_in_any_order(scene, card, pay):
    def heard(given):
        duel = scene(mine=["squire", "light@2", "shaman"], hand=[card], deck=["fate"])
        return duel.play(card, 0, given)

    assert heard(pay) == heard(THREE)


@pytest.mark.parametrize("pay", [*permutations(THREE[1:])])
def test_a_card_that_another_puts_into_play_is_paid_for_in_any_order(scene, pay):
    duel = scene(mine=["light", "shaman"], hand=["support"], deck=["mut"])
    duel.play("support")
    duel.put("mut", slot=0, pay=pay)
    assert duel.field() == ["support", "mut"]
    assert sorted(duel.pile()) == ["light", "shaman"]


@pytest.mark.parametrize(
    "pay",
    [
        (THREE[0], THREE[0], THREE[1]),
        (*THREE, THREE[0]),
        (*THREE[:2], moves.Spot(1, "trickster", 0)),
        (*THREE[:2], own("hand", 0)),
    ],
)
def test_what_is_paid_is_neither_twice_the_same_nor_another_players(scene, pay):
    duel = scene(mine=["squire", "light", "shaman"], theirs=["shaman"], hand=["paladin"])
    assert duel.refusal(moves.PlayCard(0, 0, pay)) == "wrong-cost"
