"""Each castle and each decree does what its card says."""

from __future__ import annotations

from functools import partial

from gamecore.games.castle import moves
from gamecore.games.castle.card_events import CastleChanged, Destroyed, DuelLost
from gamecore.rules import Outcome

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


# -- castles --------------------------------------------------------------------------


def test_windshire_hold_may_draw_when_a_soldier_falls_in_ones_own_turn(scene):
    duel = scene(mine=["squire", "seeker"], castle="windshire_hold", theirs=["paladin", "archer"])
    duel.attack(("soldier", 0), ("soldier", 0))
    assert duel.moves() == [moves.Accept(), moves.Decline()]
    duel.yes()
    assert duel.hand() == ["warlock"]
    duel.attack(("soldier", 1), ("soldier", 0))
    assert duel.stage == "turn"  # once a turn


def test_windshire_hold_gives_nothing_in_the_enemys_turn(scene):
    duel = scene(mine=["paladin"], their_castle="windshire_hold", theirs=["squire"])
    duel.attack(("soldier", 0), ("soldier", 0))
    assert (duel.stage, duel.hand(1)) == ("turn", [])


def test_windshire_hold_counts_a_soldier_given_up_as_a_cost(scene):
    duel = scene(mine=["squire"], hand=["cannonmen"], castle="windshire_hold")
    duel.play("cannonmen", 0, [own("soldier", 0)])
    duel.no()
    assert duel.field() == ["cannonmen"]


def test_calterburry_fortress_caps_enemy_points_and_its_soldiers_cannot_be_stunned(scene):
    duel = scene(
        mine=["fate"],
        hand=["storm"],
        castle="chateau_du_draguizon",
        theirs=["squire"],
        their_castle="calterburry_fortress",
    )
    duel.play("storm", 0, [own("trickster", 0)])
    assert not duel.card(1, "soldier", 0).stunned
    assert duel.card(0, "mage", 0).points == 15


def test_wareton_ridge_has_no_hand_limit(scene):
    for castle, held in ("wareton_ridge", 12), ("stonehill_keep", 10):
        duel = scene(hand=["fate"] * 11, castle=castle, mine=["decree_speed_up"])
        duel.core.sides[0].hand.pop()
        duel.use("decree", 0, 0)
        duel.core.on_field(own("decree", 0)).refresh()
        duel.use("decree", 0, 0)
        assert len(duel.hand()) == held
        assert len(duel.pile()) == 12 - held


def test_stonehill_keep_is_strong_and_does_nothing(scene):
    assert scene().health() == 140
    assert scene().core.sides[0].castle.definition.abilities == ()


def test_tortmain_fortress_is_saved_once_and_may_bring_in_a_soldier(scene):
    duel = scene(mine=["paladin"], their_castle="tortmain_fortress", their_deck=["seeker", "fate"])
    duel.core.sides[1].health = 30
    heard = duel.attack(("soldier", 0), ("castle", 0))
    assert duel.moves(1)[-1] == moves.Decline()
    heard += duel.put("seeker", seat=1)
    assert CastleChanged(1, 1, -29, "rescue", foe("castle", 0)) in heard
    assert duel.field(1) == ["seeker"]
    duel.round()
    duel.core.sides[1].field["soldier"][0] = None
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.position.outcome == Outcome((1, 2), reason="castle")


def test_tortmain_fortress_stands_even_without_a_soldier_to_play(scene):
    duel = scene(mine=["paladin"], their_castle="tortmain_fortress", their_deck=["fate"])
    duel.core.sides[1].health = 5
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 1
    assert duel.stage == "turn"


def test_chateau_du_draguizon_makes_mages_5_stronger_and_has_50_health(scene):
    duel = scene(mine=["storm", "squire"], castle="chateau_du_draguizon", theirs=["storm"])
    assert duel.health() == 50
    assert [card.points for card in duel.position.seen_by(None).sides[0].field] == [15, 20]
    assert duel.card(1, "mage", 0).points == 15


# -- decrees --------------------------------------------------------------------------


def test_sacrifice_lets_a_soldier_attack_twice_and_destroys_both_at_the_end(scene):
    duel = scene(mine=["warlock"], hand=["decree_sacrifice"])
    duel.play("decree_sacrifice")
    duel.attack(("soldier", 0), ("castle", 0))
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 130
    heard = duel.end()
    assert duel.pile() == ["warlock", "decree_sacrifice"]
    assert [event.cause for event in heard if isinstance(event, Destroyed)] == ["timer", "timer"]


def test_sacrifice_needs_a_soldier(scene):
    duel = scene(hand=["decree_sacrifice"])
    assert duel.refusal(moves.PlayCard(0, 0)) == "nothing-to-do"


def test_call_for_arms_brings_in_a_card_for_two_turns(scene):
    duel = scene(hand=["decree_call_for_arms"], deck=["seeker", "light", "decree_destroy"] * 2)
    duel.play("decree_call_for_arms")
    assert duel.puts() == ["seeker"]  # nothing to pay Light with; a decree has no slot
    duel.put("seeker")
    duel.round()
    assert "seeker" in duel.field()
    duel.end()
    assert duel.field() == []
    assert duel.pile() == ["seeker", "decree_call_for_arms"]


def test_speed_up_may_draw_each_turn_and_goes_after_three(scene):
    duel = scene(hand=["decree_speed_up"])
    duel.play("decree_speed_up")
    for turn in range(3):
        assert duel.field() == ["decree_speed_up"]
        duel.use("decree", 0, 0)
        assert duel.refusal(moves.UseAbility(own("decree", 0), 0)) == "ability-used"
        assert len(duel.hand()) == 2 * turn + 1
        duel.round()
    assert duel.pile() == ["decree_speed_up"]


def test_destroy_may_destroy_a_card_of_each_side_each_turn_but_not_itself(scene):
    duel = scene(
        mine=["squire", "storm"], hand=["decree_destroy"], theirs=["paladin", "light", "glory"]
    )
    duel.play("decree_destroy")
    duel.use("decree", 0, 0)
    assert duel.moves() == [moves.Choose(own("soldier", 0)), moves.Choose(own("mage", 0))]
    duel.choose(0, "soldier", 0)
    duel.choose(1, "soldier", 0)
    assert (duel.pile(), duel.pile(1)) == (["squire"], ["paladin"])
    duel.round()
    duel.use("decree", 0, 0)
    duel.choose(1, "mage", 1)
    assert duel.field() == ["decree_destroy"]
    duel.round()
    assert duel.refusal(moves.UseAbility(own("decree", 0), 0)) == "nothing-to-do"
    duel.end()
    assert duel.field() == []


# -- the end --------------------------------------------------------------------------


def test_a_castle_at_0_ends_the_game(scene):
    duel = scene(mine=["paladin"])
    duel.core.sides[1].health = 30
    heard = duel.attack(("soldier", 0), ("castle", 0))
    assert DuelLost(1, "castle") in heard
    assert type(heard[-1]).__name__ == "RoundOver"
    assert (duel.stage, duel.moves(), duel.waiting) == ("over", [], set())
    assert duel.refusal(moves.EndTurn()) == "game-over"


def test_both_castles_falling_in_one_resolution_is_a_draw(scene):
    """One Apprentice brings in another, that one Death and then a Seductress, and she Cannonmen."""
    duel = scene(
        mine=["apprentice@2", "squire", "seeker"],
        hand=["apprentice", "death", "seductress", "cannonmen"],
        theirs=["paladin"],
    )
    duel.core.sides[0].hand[2].discount = 2
    duel.core.sides[0].health, duel.core.sides[1].health = 10, 20
    duel.do(moves.LevelMage(0))
    duel.put("apprentice", "hand", 0)
    duel.put("death", "hand", 1, [own("soldier", 0)])
    assert duel.health() == 0
    duel.choose(1, "soldier", 0)
    duel.choose(0, "mage", 1)
    duel.put("seductress", "hand", 0)
    duel.take("warlock")
    heard = duel.put("cannonmen", "hand", 0, [own("soldier", 1)])
    assert duel.position.outcome == Outcome((1, 1), reason="draw")
    assert {event.seat for event in heard if isinstance(event, DuelLost)} == {0, 1}
