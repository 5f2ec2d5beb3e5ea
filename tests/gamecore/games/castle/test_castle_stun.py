"""A stunned soldier or mage uses no ability, by whatever way, until the end of its owner's turn."""

from __future__ import annotations

from functools import partial

import pytest

from gamecore.games.castle import moves
from gamecore.games.castle.events import Announced, Skipped

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


def stun(duel, seat, zone, slot):
    duel.core.on_field(moves.Spot(seat, zone, slot)).stunned = True


def announced(heard):
    return [event for event in heard if isinstance(event, Announced)]


def plagued(scene, mage="attacker"):
    """A mage that was stunned in answer to an attack."""
    duel = scene(mine=["archer", mage], theirs=["plague"])
    duel.attack(("soldier", 0), ("castle", 0))
    duel.answer(0)
    duel.choose(0, "mage", 0, seat=1)
    assert duel.card(0, "mage", 0).stunned
    return duel


@pytest.mark.parametrize("mage", ["attacker", "the_undead", "tribute", "wizard@1", "demon"])
def test_a_stunned_mage_rises_in_silence(scene, mage):
    duel = plagued(scene, mage)
    heard = duel.do(moves.LevelMage(0))
    assert [event.ability for event in announced(heard)] == [None]
    assert (duel.card(0, "mage", 0).level, duel.hand(), duel.stage) == (2, [], "turn")
    assert not duel.core.on_field(own("mage", 0)).any_level
    assert duel.core.sides[0].discount == 0


def test_a_stunned_mage_that_rises_to_the_third_level_is_silent_too(scene):
    duel = scene(mine=["apprentice@2"], hand=["storm"])
    stun(duel, 0, "mage", 0)
    duel.do(moves.LevelMage(0))
    assert (duel.card(0, "mage", 0).level, duel.field(), duel.stage) == (3, ["apprentice"], "turn")


def test_a_mage_that_is_stunned_in_answer_to_its_rise_is_silent(scene):
    duel = scene(mine=["attacker"], theirs=["plague"])
    duel.do(moves.LevelMage(0))
    duel.answer(0)
    assert duel.card(0, "mage", 0).stunned
    assert (duel.card(0, "mage", 0).level, duel.hand(), duel.stage) == (2, [], "turn")


def test_nobody_can_answer_the_ability_that_a_stunned_mage_does_not_use(scene):
    duel = scene(mine=["attacker"], theirs=["opportunist"])
    stun(duel, 0, "mage", 0)
    duel.do(moves.LevelMage(0))
    assert duel.moves(1) == [moves.AllowAction()]


def test_a_mage_speaks_again_when_the_stun_is_over(scene):
    duel = plagued(scene)
    duel.do(moves.LevelMage(0))
    duel.round()
    duel.do(moves.LevelMage(0))
    duel.round()
    assert duel.card(0, "mage", 0).level == 3
    assert moves.UseAbility(own("mage", 0), 2) in duel.moves()


def test_an_ability_that_was_used_before_the_stun_goes_on(scene):
    duel = scene(mine=["glory@3"], theirs=["plague"], deck=["squire"])
    duel.use("mage", 0, 2)
    duel.answer(0)
    assert duel.card(0, "mage", 0).stunned
    duel.take("squire")
    assert duel.hand() == ["squire"]


@pytest.mark.parametrize(
    ("name", "zone", "ability"),
    [
        ("cannonmen", "soldier", 1),
        ("mages_partner", "soldier", 0),
        ("glory@3", "mage", 2),
        ("soldiers_partner@2", "mage", 1),
    ],
)
def test_a_stunned_card_uses_no_ability_by_choice(scene, name, zone, ability):
    duel = scene(mine=[name, "archer"], theirs=["archer"], deck=["glory", "squire"])
    move = moves.UseAbility(own(zone, 0), ability)
    assert move in duel.moves()
    stun(duel, 0, zone, 0)
    assert move not in duel.moves()
    assert duel.refusal(move) == "card-stunned"


@pytest.mark.parametrize("canceller", ["seeker", "knight"])
def test_a_stunned_soldier_cancels_no_trickster(scene, canceller):
    duel = scene(mine=["archer", canceller], theirs=["shaman"])
    stun(duel, 0, "soldier", 1)
    duel.attack(("soldier", 0), ("castle", 0))
    duel.answer(0)
    assert duel.stage == "turn"
    assert len(duel.hand(1)) == 2


@pytest.mark.parametrize(
    ("their_castle", "theirs", "stunned"),
    [
        ("calterburry_fortress", ["warrior"], False),
        ("calterburry_fortress", ["warrior", "archer"], False),
        ("stonehill_keep", ["warrior"], True),
        ("stonehill_keep", ["warrior", "archer"], True),
    ],
)
def test_a_stun_that_stuns_nobody_is_told_to_have_done_so(scene, their_castle, theirs, stunned):
    duel = scene(hand=["barbarian"], theirs=theirs, their_castle=their_castle)
    duel.play("barbarian")
    if len(theirs) > 1:
        duel.choose(1, "soldier", 0)
    assert duel.card(1, "soldier", 0).stunned == stunned
    skipped = [event.op for event in duel.heard if isinstance(event, Skipped)]
    assert skipped.count("stun") == (not stunned)
