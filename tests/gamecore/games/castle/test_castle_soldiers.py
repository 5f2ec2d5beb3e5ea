"""Each soldier does what its card says."""

from __future__ import annotations

from functools import partial

from gamecore.games.castle import moves
from gamecore.games.castle.card_events import CastleChanged, Discarded, Stunned
from gamecore.games.castle.events import Skipped

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


def test_pawn_warrior_draws_two_on_entry(scene):
    duel = scene(hand=["pawn_warrior"], deck=["squire", "seeker", "light"])
    duel.play("pawn_warrior")
    assert duel.hand() == ["squire", "seeker"]


def test_pawn_warrior_takes_every_attack_upon_itself(scene):
    duel = scene(mine=["archer", "storm@3"], theirs=["pawn_warrior", "paladin", "light@1"])
    attacks = [move for move in duel.moves() if isinstance(move, moves.Attack)]
    assert {move.target for move in attacks} == {foe("soldier", 0)}
    assert {move.attacker for move in attacks} == {own("soldier", 0), own("mage", 0)}


def test_pawn_warrior_bars_even_a_warlock_from_the_castle(scene):
    duel = scene(mine=["warlock"], theirs=["pawn_warrior"])
    assert duel.refusal(moves.Attack(own("soldier", 0), foe("castle", 0))) == "bad-target"


def test_a_stunned_pawn_warrior_taunts_nobody(scene):
    duel = scene(mine=["archer"], theirs=["pawn_warrior", "paladin"])
    duel.core.on_field(foe("soldier", 0)).stunned = True
    duel.attack(("soldier", 0), ("soldier", 1))
    assert duel.pile() == ["archer"]


def test_squire_takes_a_soldier_from_the_deck(scene):
    duel = scene(hand=["squire"], deck=["light", "paladin", "decree_destroy"])
    duel.play("squire")
    assert duel.takes() == ["paladin"]
    duel.take("paladin")
    assert duel.hand() == ["paladin"]
    assert duel.deck() == ["decree_destroy", "light"]


def test_squire_that_finds_nothing_costs_nothing(scene):
    duel = scene(hand=["squire"], deck=["light"])
    heard = duel.play("squire")
    assert any(isinstance(event, Skipped) for event in heard)
    assert duel.stage == "turn"


def test_rampant_giant_costs_health_and_a_soldier_and_destroys_any_enemy_card(scene):
    duel = scene(mine=["squire"], hand=["rampant_giant"], theirs=["paladin", "light", "shaman"])
    duel.play("rampant_giant", 0, [own("soldier", 0)])
    duel.allow()
    assert (duel.health(), duel.pile()) == (125, ["squire"])
    assert duel.moves() == [
        moves.Choose(foe("soldier", 0)),
        moves.Choose(foe("mage", 0)),
        moves.Choose(foe("trickster", 0)),
    ]
    duel.choose(1, "mage", 0)
    assert duel.pile(1) == ["light"]


def test_rampant_giant_needs_more_health_than_it_costs(scene):
    duel = scene(mine=["squire"], hand=["rampant_giant"])
    duel.core.sides[0].health = 15
    move = moves.PlayCard(0, 0, (own("soldier", 0),))
    assert duel.refusal(move) == "cost-unpayable"
    duel.core.sides[0].health = 16
    duel.do(move)
    assert duel.health() == 1


def test_support_puts_a_mage_into_play_in_silence_and_at_its_cost(scene):
    duel = scene(mine=["shaman"], hand=["support"], deck=["light", "tribute", "squire"])
    duel.play("support")
    assert duel.puts() == ["tribute", "light"]
    duel.put("light", pay=[own("trickster", 0)])
    assert duel.field() == ["support", "light"]
    assert duel.pile() == ["shaman"]
    assert duel.stage == "turn"  # Light's own search is silenced


def test_paladin_costs_three_cards_and_may_take_any_card(scene):
    duel = scene(mine=["squire", "light", "shaman"], hand=["paladin"], deck=["fate", "glory"])
    pay = [own("soldier", 0), own("mage", 0), own("trickster", 0)]
    assert duel.refusal(moves.PlayCard(0, 0, tuple(pay[:2]))) == "wrong-cost"
    duel.play("paladin", 0, pay)
    assert duel.moves() == [moves.Accept(), moves.Decline()]
    duel.yes()
    duel.take("glory")
    assert (duel.field(), duel.hand()) == (["paladin"], ["glory"])


def test_paladin_may_leave_the_deck_alone(scene):
    duel = scene(mine=["squire", "light", "shaman"], hand=["paladin"])
    duel.play("paladin", 1, [own("soldier", 0), own("mage", 0), own("trickster", 0)])
    duel.no()
    assert (duel.hand(), duel.stage) == ([], "turn")


def test_paladin_heals_the_castle_by_5_once_a_turn_and_never_above_its_print(scene):
    duel = scene(mine=["paladin"])
    duel.core.sides[0].health = 137
    heard = duel.use("soldier", 0, 1)
    assert duel.health() == 140
    assert CastleChanged(0, 140, 3, "ability", own("soldier", 0)) in heard
    assert duel.refusal(moves.UseAbility(own("soldier", 0), 1)) == "ability-used"
    duel.round()
    duel.use("soldier", 0, 1)


def test_seeker_destroys_a_set_trickster_on_entry(scene):
    duel = scene(hand=["seeker"], theirs=["shaman", "fate", "squire"])
    duel.play("seeker")
    duel.allow()
    assert duel.moves() == [moves.Choose(foe("trickster", 0)), moves.Choose(foe("trickster", 1))]
    duel.choose(1, "trickster", 1)
    assert (duel.field(1), duel.pile(1)) == (["squire", "shaman"], ["fate"])


def test_seeker_cancels_an_enemy_trickster_once_a_turn(scene):
    duel = scene(mine=["seeker"], theirs=["shaman", "plague"])
    duel.attack(("soldier", 0), ("castle", 0))
    duel.answer(0)
    assert duel.moves() == [moves.UseAbility(own("soldier", 0), 1), moves.AllowAction()]
    duel.use("soldier", 0, 1)
    duel.allow()
    assert duel.hand(1) == []  # Shaman drew nothing
    assert duel.pile(1) == ["shaman"]
    assert duel.health(1) == 140  # a cancelled answer was still made
    duel.attack(("soldier", 0), ("castle", 0))
    duel.answer(1)
    assert duel.stage != "window"  # Seeker is used up, so nobody is asked


def test_archer_costs_a_trickster_and_destroys_a_soldier(scene):
    duel = scene(mine=["shaman"], hand=["archer"], theirs=["paladin", "squire", "light"])
    assert duel.refusal(moves.PlayCard(0, 0)) == "wrong-cost"
    duel.play("archer", 0, [own("trickster", 0)])
    duel.choose(1, "soldier", 0)
    assert duel.pile(1) == ["paladin"]


def test_cavalry_costs_a_mage_and_takes_a_trickster_each_turn(scene):
    duel = scene(mine=["light"], hand=["cavalry"], deck=["squire", "plague", "fate"])
    duel.play("cavalry", 0, [own("mage", 0)])
    duel.use("soldier", 0, 0)
    assert duel.takes() == ["fate", "plague"]
    duel.take("fate")
    assert duel.hand() == ["fate"]


def test_cannonmen_deal_20_to_the_enemy_castle_and_draw_each_turn(scene):
    duel = scene(mine=["squire"], hand=["cannonmen"], deck=["light"] * 3)
    duel.play("cannonmen", 0, [own("soldier", 0)])
    assert duel.health(1) == 120
    duel.use("soldier", 0, 1)
    assert duel.hand() == ["light"]
    assert duel.refusal(moves.UseAbility(own("soldier", 0), 1)) == "ability-used"


def test_siege_plays_a_soldier_without_a_cost_in_silence(scene):
    duel = scene(hand=["siege"], deck=["cannonmen", "pawn_warrior", "light", "squire"])
    duel.play("siege")
    assert duel.puts() == ["pawn_warrior", "squire"]
    duel.put("pawn_warrior", slot=1)
    assert (duel.field(), duel.hand()) == (["siege", "pawn_warrior"], [])


def test_sacrifice_gives_itself_up_for_three_cards(scene):
    duel = scene(mine=["sacrifice"], deck=["light", "fate", "squire", "glory"])
    duel.use("soldier", 0, 0)
    assert (duel.field(), duel.hand()) == ([], ["light", "fate", "squire"])
    assert duel.pile() == ["sacrifice"]


def test_sacrifice_does_nothing_on_entry(scene):
    duel = scene(hand=["sacrifice"])
    duel.play("sacrifice")
    assert (duel.field(), duel.hand()) == (["sacrifice"], [])


def test_castle_knight_brings_in_a_further_soldier_with_its_entry(scene):
    duel = scene(hand=["castle_knight", "squire", "light"], deck=["paladin"])
    duel.play("castle_knight")
    duel.put("squire", "hand", 1)
    duel.take("paladin")
    assert (duel.field(), duel.hand()) == (["castle_knight", "squire"], ["light", "paladin"])


def test_castle_knight_does_not_use_up_a_second_allowance(scene):
    duel = scene(hand=["castle_knight", "squire", "seeker"])
    duel.play("castle_knight")
    duel.put("squire", "hand", 1)
    duel.take("warlock")
    assert duel.refusal(moves.PlayCard(duel.hand().index("seeker"), 0)) == "one-soldier-a-turn"


def test_knight_costs_a_squire_and_no_other_soldier(scene):
    duel = scene(mine=["paladin"], hand=["knight"])
    assert duel.refusal(moves.PlayCard(0, 1, (own("soldier", 0),))) == "cost-unpayable"


def test_knight_draws_and_destroys_an_enemy_card(scene):
    duel = scene(mine=["squire"], hand=["knight"], theirs=["decree_speed_up"], deck=["fate"])
    duel.play("knight", 0, [own("soldier", 0)])
    assert duel.hand() == ["fate"]
    assert duel.pile(1) == ["decree_speed_up"]  # the only target needs no choosing


def test_knight_cancels_an_enemy_trickster(scene):
    duel = scene(mine=["knight"], theirs=["plague", "squire"])
    duel.attack(("soldier", 0), ("soldier", 0))
    duel.answer()
    duel.use("soldier", 0, 1)
    assert not duel.card(0, "soldier", 0).stunned
    assert duel.pile(1) == ["plague"]


def test_barbarian_stuns_a_soldier_and_makes_the_enemy_discard_by_chance(scene):
    duel = scene(hand=["barbarian"], theirs=["paladin", "squire"], their_hand=["fate", "light"])
    duel.play("barbarian")
    heard = duel.choose(1, "soldier", 0)
    assert Stunned(foe("soldier", 0), 14) in heard
    assert sum(isinstance(event, Discarded) for event in heard) == 1
    assert len(duel.hand(1)) == len(duel.pile(1)) == 1


def test_barbarian_finds_an_empty_hand_empty(scene):
    duel = scene(hand=["barbarian"], theirs=["paladin"])
    duel.play("barbarian")
    assert duel.card(1, "soldier", 0).stunned
    assert duel.stage == "turn"


def test_warlock_hits_the_castle_behind_soldiers(scene):
    duel = scene(mine=["warlock", "squire"], theirs=["paladin"])
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 135
    assert duel.refusal(moves.Attack(own("soldier", 1), foe("castle", 0))) == "bad-target"


def test_centaur_takes_a_mage_and_lets_its_owners_mages_attack_at_any_level(scene):
    duel = scene(mine=["squire", "light", "shaman", "storm"], hand=["centaur"], deck=["glory"])
    assert duel.refusal(moves.Attack(own("mage", 1), foe("castle", 0))) == "level-too-low"
    duel.play("centaur", 0, [own("soldier", 0), own("mage", 0), own("trickster", 0)])
    duel.take("glory")
    duel.attack(("mage", 1), ("castle", 0))
    assert duel.health(1) == 125


def test_centaur_of_the_enemy_helps_nobody_else(scene):
    duel = scene(mine=["storm"], theirs=["centaur"])
    assert duel.refusal(moves.Attack(own("mage", 0), foe("soldier", 0))) == "level-too-low"


def test_warrior_fetches_a_card_of_the_type_it_has_destroyed(scene):
    duel = scene(mine=["warrior"], theirs=["storm"], deck=["squire", "glory", "fate"])
    duel.attack(("soldier", 0), ("mage", 0))
    duel.yes()
    assert duel.takes() == ["glory"]
    duel.take("glory")
    assert duel.hand() == ["glory"]


def test_warrior_gains_nothing_by_a_draw_or_in_the_enemys_turn(scene):
    duel = scene(mine=["warrior"], theirs=["archer"])
    duel.attack(("soldier", 0), ("soldier", 0))
    assert (duel.field(), duel.field(1), duel.stage) == ([], [], "turn")
    duel = scene(mine=["squire"], theirs=["warrior"])
    duel.attack(("soldier", 0), ("soldier", 0))
    assert (duel.pile(), duel.stage) == (["squire"], "turn")


def test_warrior_costs_a_mage(scene):
    duel = scene(mine=["storm"], hand=["warrior"])
    duel.play("warrior", 1, [own("mage", 0)])
    assert duel.field() == ["warrior"]


def test_mages_partner_takes_a_mage_each_turn(scene):
    duel = scene(mine=["mages_partner"], deck=["squire", "glory"])
    duel.use("soldier", 0, 0)
    duel.take("glory")
    assert duel.hand() == ["glory"]


def test_mages_partner_keeps_mages_from_attacks_and_abilities(scene):
    duel = scene(
        mine=["archer", "squire"], hand=["rampant_giant"], theirs=["mages_partner", "storm"]
    )
    assert duel.refusal(moves.Attack(own("soldier", 0), foe("mage", 0))) == "bad-target"
    duel.play("rampant_giant", 1, [own("soldier", 1)])
    assert duel.field(1) == ["storm"]  # the mage could not be picked, so there was one target only
