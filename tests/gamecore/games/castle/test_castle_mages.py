"""Each mage does what its card says at each of its levels."""

from __future__ import annotations

from functools import partial

import pytest

from gamecore.games.castle import moves
from gamecore.games.castle.card_events import (
    AttacksGranted,
    Discarded,
    Levelled,
    Revealed,
    Shielded,
)

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)
LEVEL = moves.LevelMage(0)


@pytest.mark.parametrize(
    ("mage", "kind"),
    [("sorcerer", "fate"), ("apprentice", "glory"), ("light", "squire"), ("seductress", "squire")],
)
def test_some_mages_take_a_card_of_one_type_on_entry(scene, mage, kind):
    costs = {"light": ["trickster"], "seductress": ["trickster", "trickster"]}
    pay = [own(zone, slot) for slot, zone in enumerate(costs.get(mage, []))]
    mine = ["shaman", "shaman"] if pay else []
    duel = scene(mine=mine, hand=[mage], deck=["fate", "glory", "squire"])
    duel.play(mage, 0, pay)
    assert duel.takes() == [kind]
    duel.take(kind)
    assert duel.hand() == [kind]


def test_sorcerer_plays_a_soldier_at_level_2_in_silence(scene):
    duel = scene(mine=["sorcerer"], deck=["pawn_warrior"])
    duel.do(LEVEL)
    duel.put("pawn_warrior")
    assert (duel.field(), duel.hand()) == (["pawn_warrior", "sorcerer"], [])


def test_sorcerer_takes_any_card_and_destroys_one_each_turn_at_level_3(scene):
    duel = scene(mine=["sorcerer@3"], theirs=["squire"], deck=["fate", "decree_destroy"])
    duel.use("mage", 0, 2)
    assert duel.takes() == ["decree_destroy", "fate"]
    duel.take("fate")
    assert (duel.hand(), duel.pile(1)) == (["fate"], ["squire"])


def test_an_ability_needs_its_level(scene):
    duel = scene(mine=["sorcerer@2"])
    assert duel.refusal(moves.UseAbility(own("mage", 0), 2)) == "level-too-low"
    assert duel.refusal(moves.UseAbility(own("mage", 0), 1)) == "not-by-choice"


def test_apprentice_plays_a_mage_at_level_2_and_raises_it(scene):
    duel = scene(mine=["apprentice"], hand=["tribute", "the_undead"])
    duel.do(LEVEL)
    assert duel.puts() == ["tribute", "the_undead"]
    heard = duel.put("tribute", "hand", 1)
    assert Levelled(own("mage", 1), 50, 2) in heard
    assert len(duel.hand()) == 3  # its own entry drew two
    assert duel.core.sides[0].discount == 1  # and its level 2 makes a card cheaper


def test_apprentice_dies_at_level_3_for_a_mage_at_level_3(scene):
    duel = scene(mine=["apprentice@2"], hand=["glory"], deck=["protector", "squire"])
    duel.do(LEVEL)
    assert duel.pile() == ["apprentice"]
    assert duel.puts() == ["glory", "protector"]
    heard = duel.put("protector", "deck", 0)
    assert [event.level for event in heard if isinstance(event, Levelled)] == [2, 3]
    assert duel.card(0, "mage", 0).level == 3
    assert duel.card(0, "mage", 0).points == 15  # the only card its level 2 could make stronger


@pytest.mark.parametrize(("mage", "friend"), [("attacker", "defender"), ("defender", "attacker")])
def test_attacker_and_defender_look_for_each_other(scene, mage, friend):
    duel = scene(hand=[mage], deck=["glory", friend])
    duel.play(mage)
    assert duel.takes() == [friend]
    duel.take(friend)
    assert duel.hand() == [friend]
    assert [card.card is not None for card in duel.position.seen_by(1).sides[0].hand] == [True]


@pytest.mark.parametrize("mage", ["attacker", "defender"])
@pytest.mark.parametrize("friend", [True, False])
def test_attacker_and_defender_draw_two_or_with_each_other_three_at_level_2(scene, mage, friend):
    other = {"attacker": "defender", "defender": "attacker"}[mage]
    duel = scene(mine=[mage, *[other] * friend])
    duel.do(LEVEL)
    assert len(duel.hand()) == 2 + friend


def test_attacker_destroys_one_enemy_card_or_with_a_defender_all(scene):
    duel = scene(mine=["attacker@3"], theirs=["squire", "storm"])
    duel.use("mage", 0, 2)
    duel.choose(1, "mage", 0)
    assert duel.field(1) == ["squire"]
    duel = scene(mine=["attacker@3", "defender"], theirs=["squire", "storm", "decree_speed_up"])
    duel.use("mage", 0, 2)
    assert duel.field(1) == []


def test_defender_heals_15_or_with_an_attacker_fully(scene):
    for friends, health in ([], 65), (["attacker"], 140):
        duel = scene(mine=["defender@3", *friends])
        duel.core.sides[0].health = 50
        duel.use("mage", 0, 2)
        assert duel.health() == health


def test_death_costs_10_health_and_destroys_any_card_even_ones_own(scene):
    duel = scene(mine=["squire"], hand=["death"], theirs=["storm"])
    duel.play("death", 0, [own("soldier", 0)])
    assert duel.health() == 130
    assert duel.moves() == [moves.Choose(own("mage", 0)), moves.Choose(foe("mage", 0))]
    duel.choose(1, "mage", 0)
    duel.round()
    duel.do(LEVEL)
    assert duel.pile()[-1] == "death"  # the only card left on the field


def test_death_takes_up_to_three_enemy_cards_along_at_level_3(scene):
    duel = scene(mine=["death@3"], theirs=["squire", "storm", "decree_speed_up", "light"])
    duel.use("mage", 0, 2)
    assert duel.pile() == ["death"]
    duel.choose(1, "soldier", 0)
    duel.choose(1, "mage", 0)
    duel.no()
    assert duel.field(1) == ["light", "decree_speed_up"]


def test_soldiers_partner_costs_a_trickster_or_a_mage(scene):
    duel = scene(mine=["fate", "storm"], hand=["soldiers_partner"])
    ways = {move.pay for move in duel.moves() if isinstance(move, moves.PlayCard)}
    assert ways == {(own("mage", 0),), (own("trickster", 0),)}
    duel.play("soldiers_partner", 0, [own("mage", 0)])
    assert duel.puts() == ["warlock"]


def test_soldiers_partner_lets_a_soldier_attack_twice_at_level_2(scene):
    duel = scene(mine=["soldiers_partner@2", "warlock"])
    duel.use("mage", 0, 1)
    duel.attack(("soldier", 0), ("castle", 0))
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 130
    assert duel.refusal(moves.Attack(own("soldier", 0), foe("castle", 0))) == "already-attacked"


def test_soldiers_partner_draws_two_and_takes_a_soldier_at_level_3(scene):
    duel = scene(mine=["soldiers_partner@2"], deck=["fate", "fate", "glory", "squire"])
    duel.do(LEVEL)
    duel.take("squire")
    assert duel.hand() == ["fate", "fate", "squire"]


def test_wizard_destroys_a_card_rises_and_grows_with_the_enemys_mages(scene):
    duel = scene(
        mine=["fate", "squire", "storm@2"], hand=["wizard"], theirs=["seeker", "light", "glory"]
    )
    duel.play("wizard", 0, [own("soldier", 0), own("mage", 0), own("trickster", 0)])
    duel.choose(1, "soldier", 0)
    wizard = duel.card(0, "mage", 0)
    assert (wizard.level, wizard.points) == (2, 30)


def test_wizard_costs_a_mage_of_level_2(scene):
    duel = scene(mine=["fate", "squire", "storm@1"], hand=["wizard"])
    pay = (own("soldier", 0), own("mage", 0), own("trickster", 0))
    assert duel.refusal(moves.PlayCard(0, 1, pay)) == "cost-unpayable"


def test_wizard_throws_two_cards_away_for_two_enemies_and_two_draws(scene):
    duel = scene(mine=["wizard@3"], hand=["fate", "light", "squire"], theirs=["seeker", "glory"])
    duel.use("mage", 0, 2)
    duel.choose(0, "hand", 2)
    duel.choose(0, "hand", 0)
    duel.choose(1, "soldier", 0)
    duel.choose(1, "mage", 0)
    assert duel.hand() == ["light", "warlock", "warlock"]
    assert duel.field(1) == []


def test_wizard_needs_two_cards_to_throw_away(scene):
    duel = scene(mine=["wizard@3"], hand=["fate"])
    assert duel.refusal(moves.UseAbility(own("mage", 0), 2)) == "nothing-to-do"


def test_glory_plays_a_soldier_without_a_cost_from_the_hand(scene):
    duel = scene(hand=["glory", "archer", "squire"], deck=["paladin"])
    duel.play("glory")
    assert duel.puts() == ["squire"]
    duel.put("squire", "hand")
    assert duel.takes() == ["paladin"]  # Squire's own entry is not silenced


def test_glory_destroys_a_trickster_at_level_2_and_takes_any_card_at_level_3(scene):
    duel = scene(mine=["glory"], theirs=["fate", "shaman"], deck=["light", "squire", "storm"])
    duel.do(LEVEL)
    duel.allow()
    duel.choose(1, "trickster", 1)
    assert duel.pile(1) == ["shaman"]
    duel.core.on_field(own("mage", 0)).level = 3
    duel.use("mage", 0, 2)
    duel.allow()
    assert len(duel.takes()) == 3


def test_tribute_draws_two_and_makes_a_card_one_item_cheaper_at_level_2(scene):
    duel = scene(hand=["tribute", "archer", "squire"])
    duel.play("tribute")
    assert len(duel.hand()) == 4
    duel.round()
    assert duel.refusal(moves.PlayCard(0, 0)) == "cost-unpayable"
    duel.do(LEVEL)
    duel.play("archer")
    assert "archer" in duel.field()
    assert duel.core.sides[0].discount == 0


def test_tributes_discount_is_gone_at_the_end_of_the_turn(scene):
    duel = scene(mine=["tribute"], hand=["archer"])
    duel.do(LEVEL)
    duel.round()
    assert duel.refusal(moves.PlayCard(0, 0)) == "cost-unpayable"


def test_tributes_discount_is_not_lost_on_a_card_without_a_cost(scene):
    duel = scene(mine=["tribute"], hand=["warlock", "death"])
    duel.do(LEVEL)
    duel.play("warlock")
    duel.play("death", 1)
    assert "death" in duel.field() + duel.pile()
    assert "warlock" in duel.field()


def test_tribute_gives_itself_up_for_two_enemy_cards_at_level_3(scene):
    duel = scene(mine=["tribute@3"], theirs=["squire", "storm"])
    duel.use("mage", 0, 2)
    duel.choose(1, "soldier", 0)
    duel.choose(1, "mage", 0)
    assert (duel.field(), duel.field(1)) == ([], [])


def test_seductress_plays_a_soldier_from_the_hand_at_level_2(scene):
    duel = scene(mine=["seductress"], hand=["warlock", "fate"])
    duel.do(LEVEL)
    duel.put("warlock", "hand")
    assert duel.field() == ["warlock", "seductress"]


def test_seductress_holds_an_enemy_soldier_for_as_long_as_she_stays(scene):
    duel = scene(mine=["seductress@2"], theirs=["paladin", "anti_mage"])
    duel.do(LEVEL)
    duel.allow()
    assert duel.field() == ["paladin", "seductress"]
    duel.attack(("soldier", 0), ("castle", 0))
    duel.answer(0)
    assert (duel.field(), duel.field(1)) == ([], ["paladin"])


def test_seductress_steals_nothing_without_a_free_slot(scene):
    duel = scene(mine=["seductress@2", "warlock", "squire"], theirs=["paladin"])
    duel.do(LEVEL)
    assert duel.field(1) == ["paladin"]


def test_a_stolen_soldier_that_finds_no_slot_at_home_goes_to_its_owners_discard_pile(scene):
    duel = scene(mine=["seductress@2"], theirs=["paladin", "anti_mage"])
    duel.do(LEVEL)
    duel.allow()
    duel.core.sides[1].field["soldier"][:] = [duel._piece(1, "squire"), duel._piece(1, "seeker")]
    duel.attack(("soldier", 0), ("soldier", 0))
    duel.answer(0)
    assert duel.field() == []
    assert duel.pile(1) == ["paladin", "anti_mage"]


def test_undead_throws_two_away_for_two_mages_on_entry(scene):
    duel = scene(hand=["the_undead", "fate", "squire", "plague"], deck=["glory", "storm", "squire"])
    duel.play("the_undead")
    duel.choose(0, "hand", 0)
    duel.choose(0, "hand", 0)
    duel.take("storm")
    assert duel.takes() == ["glory"]
    duel.take("glory")
    assert duel.hand() == ["plague", "storm", "glory"]
    assert duel.pile() == ["fate", "squire"]


def test_undead_draws_three_at_level_2(scene):
    duel = scene(mine=["the_undead"])
    duel.do(LEVEL)
    assert len(duel.hand()) == 3


def test_undead_saves_all_ones_cards_for_the_turn_at_level_3_but_not_from_costs(scene):
    duel = scene(mine=["the_undead@3", "squire", "shaman"], hand=["archer"], theirs=["paladin"])
    heard = duel.use("mage", 0, 2)
    assert Shielded(0) in heard
    duel.attack(("soldier", 0), ("soldier", 0))
    assert "squire" in duel.field()
    duel.play("archer", 1, [own("trickster", 0)])
    assert "shaman" in duel.pile()
    duel.round()
    assert not duel.core.sides[0].shielded


def test_mut_weakens_an_enemy_card_for_as_long_as_it_is_there(scene):
    duel = scene(mine=["storm", "fate"], hand=["mut"], theirs=["paladin", "light"])
    duel.play("mut", 0, [own("mage", 0), own("trickster", 0)])
    duel.choose(1, "soldier", 0)
    duel.round()
    assert duel.card(1, "soldier", 0).points == 25


def test_mut_destroys_a_mage_and_a_trickster_of_either_side_at_level_2(scene):
    duel = scene(mine=["mut", "storm"], theirs=["fate", "light"])
    duel.do(LEVEL)
    duel.allow()
    assert duel.moves() == [moves.Choose(own("mage", 1)), moves.Choose(foe("mage", 0))]
    duel.choose(1, "mage", 0)
    assert duel.pile(1) == ["light", "fate"]


def test_mut_throws_two_away_for_any_card_and_a_trickster_set_from_the_deck(scene):
    duel = scene(mine=["mut@3"], hand=["squire", "squire"], deck=["fate", "light", "plague"])
    duel.use("mage", 0, 2)
    duel.choose(0, "hand", 0)
    duel.choose(0, "hand", 0)
    duel.take("light")
    heard = duel.put("plague", slot=1)
    assert duel.field() == ["mut", "plague"]
    told = [event for event in heard if type(event).__name__ == "Entered" and event.but == 0]
    assert [event.card for event in told] == [None]


def test_light_looks_at_tricksters_and_destroys_one_at_level_2(scene):
    duel = scene(mine=["light"], theirs=["fate", "shaman"])
    duel.do(LEVEL)
    heard = duel.allow()
    assert Revealed(0, (foe("trickster", 0), foe("trickster", 1)), (38, 33)) in heard
    duel.choose(1, "trickster", 0)
    assert duel.pile(1) == ["fate"]


def test_light_plays_a_mage_and_a_soldier_in_silence_at_level_3(scene):
    duel = scene(mine=["light@3"], deck=["tribute", "pawn_warrior", "fate"])
    duel.use("mage", 0, 2)
    duel.put("tribute", slot=1)
    duel.put("pawn_warrior", slot=0)
    assert (duel.field(), duel.hand()) == (["pawn_warrior", "light", "tribute"], [])


def test_storm_stuns_at_every_level(scene):
    duel = scene(mine=["fate"], hand=["storm"], theirs=["paladin"], deck=["squire"] * 9)
    duel.play("storm", 0, [own("trickster", 0)])
    assert duel.card(1, "soldier", 0).stunned
    duel.round()
    assert not duel.card(1, "soldier", 0).stunned
    drawn = len(duel.hand())
    duel.do(LEVEL)
    assert duel.card(1, "soldier", 0).stunned
    assert len(duel.hand()) == drawn + 1
    duel.core.on_field(own("mage", 0)).level = 3
    duel.use("mage", 0, 2)
    assert duel.takes() == ["squire"]


def test_oracle_takes_two_of_the_top_four_and_the_enemy_may_fetch_a_copy(scene):
    duel = scene(
        hand=["oracle"],
        deck=["fate", "squire", "light", "glory", "paladin"],
        their_deck=["light", "squire", "storm"],
    )
    heard = duel.play("oracle")
    spots = tuple(own("deck", at) for at in range(4))
    assert Revealed(0, spots, (38, 11, 54, 49)) in heard
    assert duel.takes() == ["squire", "fate", "glory", "light"]
    assert duel.position.seen_by(0).question.looked == (38, 11, 54, 49)
    assert duel.position.seen_by(1).question.looked == ()
    duel.take("light")
    heard = duel.take("fate")
    assert Revealed(1, (own("hand", 0), own("hand", 1)), (54, 38)) in heard
    assert duel.takes(1) == ["light"]
    assert moves.Decline() in duel.moves(1)
    duel.take("light", seat=1)
    assert duel.hand(1) == ["light"]
    assert duel.position.seen_by(0).sides[1].hand[0].card == 54


def test_oracle_looks_at_the_enemys_hand_at_level_2_and_discards_from_it(scene):
    duel = scene(mine=["oracle"], hand=["fate", "light", "squire"], their_hand=["storm", "glory"])
    duel.do(LEVEL)
    duel.choose(0, "hand", 0)
    heard = duel.choose(0, "hand", 0)
    assert Revealed(0, (foe("hand", 0), foe("hand", 1)), (55, 49)) in heard
    heard = duel.choose(1, "hand", 0)
    assert Discarded(1, 55, 0, 0) in heard
    assert [card.card for card in duel.position.seen_by(0).sides[1].hand] == [49]


def test_oracle_takes_one_card_and_plays_another_at_level_3(scene):
    duel = scene(mine=["oracle@2"], deck=["fate", "light", "decree_speed_up"])
    duel.do(LEVEL)
    duel.take("light")
    assert duel.puts() == ["decree_speed_up", "fate"]
    duel.put("decree_speed_up")
    assert duel.field() == ["oracle", "decree_speed_up"]
    assert duel.card(0, "decree", 0).doomed == (3,)


def test_demon_throws_a_card_away_and_stuns_every_enemy_soldier(scene):
    duel = scene(mine=["storm"], hand=["demon", "fate"], theirs=["paladin", "squire", "light"])
    duel.play("demon", 0, [own("mage", 0)])
    duel.choose(0, "hand", 0)
    stunned = [card.stunned for card in duel.position.seen_by(0).sides[1].field]
    assert stunned == [True, True, False]


def test_demon_may_attack_in_the_turn_it_reaches_level_2(scene):
    duel = scene(mine=["demon"])
    heard = duel.do(LEVEL)
    assert AttacksGranted(own("mage", 0), 57, 1, True) in heard
    duel.attack(("mage", 0), ("castle", 0))
    assert duel.health(1) == 120
    duel.round()
    assert duel.refusal(moves.Attack(own("mage", 0), foe("castle", 0))) == "level-too-low"


def test_demon_fetches_a_mage_that_stays_one_item_cheaper(scene):
    duel = scene(mine=["demon@3"], deck=["storm", "squire", "squire", "squire"])
    duel.use("mage", 0, 2)
    duel.take("storm")
    duel.round()
    assert duel.position.seen_by(0).sides[0].hand[0].discount == 1
    duel.play("storm", 1)
    assert "storm" in duel.field()


def test_protector_saves_one_card_once(scene):
    duel = scene(mine=["protector", "squire"], theirs=["paladin"])
    duel.attack(("soldier", 0), ("soldier", 0))
    assert duel.moves() == [moves.Accept(), moves.Decline()]
    duel.yes()
    assert "squire" in duel.field()
    duel.round()
    duel.attack(("soldier", 0), ("soldier", 0))
    assert duel.pile() == ["squire"]


def test_protector_need_not_save(scene):
    duel = scene(mine=["protector", "squire"], theirs=["paladin"])
    duel.attack(("soldier", 0), ("soldier", 0))
    duel.no()
    assert duel.pile() == ["squire"]
    assert duel.card(0, "mage", 0).used == ()


def test_a_stunned_protector_saves_nobody(scene):
    duel = scene(mine=["protector", "squire"], theirs=["paladin"])
    duel.core.on_field(own("mage", 0)).stunned = True
    duel.attack(("soldier", 0), ("soldier", 0))
    assert duel.pile() == ["squire"]


def test_protector_makes_a_card_5_stronger_at_level_2(scene):
    duel = scene(mine=["protector", "squire"])
    duel.do(LEVEL)
    duel.choose(0, "soldier", 0)
    assert duel.card(0, "soldier", 0).points == 20


def test_protector_gives_itself_up_for_a_mage_10_points_stronger(scene):
    duel = scene(mine=["protector@3"], deck=["glory", "squire"])
    duel.use("mage", 0, 2)
    duel.put("glory", slot=0)
    assert duel.card(0, "mage", 0).points == 20
    assert duel.pile() == ["protector"]
