"""Each trickster does what its card says, and only in answer to what its card names."""

from __future__ import annotations

from functools import partial

import pytest

from gamecore.games.castle import moves
from gamecore.games.castle.card_events import Fought, Redirected, Revealed, Spent
from gamecore.games.castle.events import ActionOver

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


def attacked(scene, tricksters, **more):
    """Seat 0 attacks the castle of seat 1, which has tricksters set."""
    duel = scene(**{"mine": ["archer"], "theirs": tricksters, **more})
    duel.attack(("soldier", 0), ("castle", 0))
    return duel


def tricksters_of(duel, seat=1):
    return [move.slot for move in duel.moves(seat) if isinstance(move, moves.ActivateTrickster)]


def test_the_jesters_jester_cancels_a_trickster(scene):
    duel = attacked(scene, ["shaman"], mine=["archer", "jesters_jester"])
    duel.answer(0)
    assert duel.moves() == [moves.ActivateTrickster(0), moves.AllowAction()]
    heard = duel.answer(0, seat=0)
    assert (duel.hand(1), duel.pile(1), duel.pile()) == ([], ["shaman"], ["jesters_jester"])
    assert [event.result for event in heard if isinstance(event, ActionOver)] == [
        "done",
        "cancelled",
        "void",
    ]


def test_the_jesters_jester_answers_no_ordinary_action(scene):
    duel = attacked(scene, ["jesters_jester"])
    assert duel.moves(1) == [moves.AllowAction()]


def test_a_jester_may_be_cancelled_by_a_jester(scene):
    duel = attacked(scene, ["shaman", "jesters_jester"], mine=["archer", "jesters_jester"])
    duel.answer(0)
    duel.answer(0, seat=0)
    duel.answer(1)
    assert duel.hand(1) == ["warlock", "warlock"]


def test_reinforcements_destroy_the_attacker_and_take_a_card_of_its_type(scene):
    duel = attacked(scene, ["reinforcements"], their_deck=["glory", "squire", "fate"])
    duel.answer(0)
    assert duel.pile() == ["archer"]
    assert duel.takes(1) == ["squire"]
    heard = duel.take("squire", seat=1)
    assert duel.hand(1) == ["squire"]
    assert not any(isinstance(event, Fought) for event in heard)
    assert duel.health(1) == 140


def test_reinforcements_answer_attacks_only(scene):
    duel = scene(hand=["warlock"], theirs=["reinforcements"])
    duel.play("warlock")
    assert duel.moves(1) == [moves.AllowAction()]


def test_reinforcements_do_not_void_the_attack_of_a_card_that_is_saved(scene):
    duel = attacked(scene, ["reinforcements"], mine=["archer", "protector"], their_deck=["fate"])
    duel.answer(0)
    duel.yes()
    assert duel.health(1) == 120


def test_anti_mage_destroys_a_mage_and_voids_the_attack(scene):
    duel = attacked(scene, ["anti_mage"], mine=["archer", "storm", "light"])
    duel.answer(0)
    duel.choose(0, "mage", 1, seat=1)
    assert duel.pile() == ["light"]
    assert duel.health(1) == 140
    assert moves.Attack(own("soldier", 0), foe("castle", 0)) in duel.moves()


def test_anti_mage_needs_a_mage(scene):
    assert tricksters_of(attacked(scene, ["anti_mage"])) == []


def test_the_wanderer_looks_at_all_tricksters_and_destroys_one(scene):
    duel = attacked(scene, ["the_wanderer"], mine=["archer", "fate", "plague"])
    duel.answer(0)
    heard = duel.allow(0)
    assert Revealed(1, (own("trickster", 0), own("trickster", 1)), (38, 41)) in heard
    duel.choose(0, "trickster", 0, seat=1)
    assert duel.pile() == ["fate"]
    view = duel.position.seen_by(1)
    assert [card.card for card in view.sides[0].field if card.spot.zone == "trickster"] == [41]
    watcher = duel.position.seen_by(None)
    assert [c.card for c in watcher.sides[0].field if c.spot.zone == "trickster"] == [None]


def test_opportunist_cancels_an_ability_and_destroys_its_card(scene):
    duel = scene(mine=["mages_partner"], theirs=["opportunist"], deck=["glory"])
    duel.use("soldier", 0, 0)
    duel.answer(0)
    assert (duel.field(), duel.pile(), duel.hand()) == ([], ["mages_partner"], [])


def test_opportunist_answers_a_level_but_the_level_rises(scene):
    duel = scene(mine=["storm"], theirs=["opportunist", "squire"])
    duel.do(moves.LevelMage(0))
    heard = duel.answer(0)
    assert duel.pile() == ["storm"]
    assert not duel.core.on_field(foe("soldier", 0)).stunned
    assert [event.result for event in heard if isinstance(event, ActionOver)] == [
        "done",
        "cancelled",
    ]


def test_opportunist_answers_no_entry(scene):
    duel = scene(hand=["squire"], theirs=["opportunist"])
    duel.play("squire")
    assert tricksters_of(duel) == []


def test_shaman_draws_two(scene):
    duel = attacked(scene, ["shaman"], their_deck=["fate", "light", "glory"])
    duel.answer(0)
    assert duel.hand(1) == ["fate", "light"]
    assert duel.pile(1) == ["shaman"]


def test_fire_handler_draws_instead(scene):
    duel = scene(hand=["pawn_warrior"], theirs=["fire_handler"], their_deck=["fate", "light"])
    duel.play("pawn_warrior")
    duel.answer(0)
    assert (duel.hand(), duel.hand(1)) == ([], ["fate", "light"])
    assert duel.field() == ["pawn_warrior"]


def test_fire_handler_fetches_instead_by_the_same_words(scene):
    duel = scene(hand=["squire"], theirs=["fire_handler"], their_deck=["fate", "paladin"])
    duel.play("squire")
    duel.answer(0)
    assert duel.takes(1) == ["paladin"]


def test_fire_handler_answers_no_draw_of_a_turn(scene):
    duel = scene(theirs=["fire_handler"])
    duel.core.to_draw = True
    duel.draw()
    assert tricksters_of(duel) == []


@pytest.mark.parametrize("card", ["barbarian", "castle_knight"])
def test_fire_handler_answers_no_ability_that_draws_nothing(scene, card):
    duel = scene(hand=[card], theirs=["fire_handler"])
    duel.play(card)
    assert tricksters_of(duel) == []


def test_ice_handler_cancels_an_ability_and_takes_a_trickster(scene):
    duel = scene(hand=["barbarian"], theirs=["ice_handler", "squire"], their_deck=["light", "fate"])
    duel.play("barbarian")
    duel.answer(0)
    duel.take("fate", seat=1)
    assert duel.hand(1) == ["fate"]
    assert duel.field() == ["barbarian"]
    assert not duel.core.on_field(foe("soldier", 0)).stunned


def test_ice_handler_answers_a_decree(scene):
    duel = scene(mine=["squire"], hand=["decree_sacrifice"], theirs=["ice_handler"])
    duel.play("decree_sacrifice")
    assert tricksters_of(duel) == [0]


def test_slayer_plays_a_soldier_in_silence(scene):
    duel = attacked(scene, ["slayer"], their_deck=["squire", "cannonmen"])
    duel.answer(0)
    assert duel.puts(1) == ["squire"]  # nothing to pay Cannonmen with
    duel.put("squire", seat=1)
    assert duel.field(1) == ["squire"]
    assert duel.stage == "turn"


def test_slayer_cannot_pay_with_itself(scene):
    duel = attacked(scene, ["slayer"], their_deck=["archer"])
    duel.answer(0)
    assert duel.field(1) == []
    assert duel.pile(1) == ["slayer"]


def test_disciple_draws_for_each_level_of_the_enemys_mages(scene):
    duel = attacked(scene, ["disciple"], mine=["archer", "storm@3", "light@1"])
    duel.answer(0)
    assert len(duel.hand(1)) == 4


def test_fate_destroys_a_card_of_each_side(scene):
    duel = attacked(scene, ["fate", "plague", "glory"], mine=["archer", "paladin", "storm"])
    duel.answer(0)
    duel.allow(1)
    assert duel.moves(1) == [moves.Choose(foe("mage", 0)), moves.Choose(foe("trickster", 1))]
    duel.choose(1, "trickster", 1, seat=1)
    duel.choose(0, "soldier", 1, seat=1)
    assert (duel.pile(), duel.pile(1)) == (["paladin"], ["plague", "fate"])


def test_fate_needs_a_card_of_ones_own_beside_itself(scene):
    assert tricksters_of(attacked(scene, ["fate"])) == []
    assert tricksters_of(attacked(scene, ["fate", "glory"])) == [0]


def test_swap_lets_each_player_pick_a_soldier_and_exchanges_them(scene):
    duel = scene(mine=["paladin", "squire"], theirs=["swap", "warlock", "seeker"], hand=["fate"])
    duel.play("fate")
    duel.answer(0)
    duel.choose(1, "soldier", 1, seat=1)
    assert duel.moves() == [moves.Choose(own("soldier", 0)), moves.Choose(own("soldier", 1))]
    duel.choose(0, "soldier", 0)
    assert duel.field()[:2] == ["seeker", "squire"]
    assert duel.field(1)[:2] == ["warlock", "paladin"]
    duel.attack(("soldier", 1), ("soldier", 1))
    assert "squire" in duel.pile()


def test_a_swapped_soldier_goes_to_its_owners_discard_pile(scene):
    duel = scene(mine=["squire", "archer"], theirs=["swap", "warlock"], hand=["fate"])
    duel.play("fate")
    duel.answer(0)
    duel.choose(0, "soldier", 0)
    duel.attack(("soldier", 1), ("soldier", 0))
    assert duel.pile() == ["squire"]


def test_mirage_points_an_attack_at_another_card_of_the_attackers_side(scene):
    duel = attacked(scene, ["mirage"], mine=["archer", "squire", "storm"])
    heard = duel.answer(0)
    assert duel.moves(1) == [moves.Choose(own("soldier", 1)), moves.Choose(own("mage", 0))]
    heard = duel.choose(0, "mage", 0, seat=1)
    assert any(isinstance(event, Redirected) for event in heard)
    assert (duel.field(), duel.health(1)) == (["archer", "squire"], 140)


def test_mirage_answers_soldiers_only_and_needs_another_card(scene):
    duel = scene(mine=["storm@3", "squire"], theirs=["mirage"])
    duel.attack(("mage", 0), ("castle", 0))
    assert tricksters_of(duel) == []
    assert tricksters_of(attacked(scene, ["mirage"])) == []


def test_plague_stuns_a_soldier_or_mage_of_either_side(scene):
    duel = attacked(scene, ["plague", "squire"], mine=["warlock", "storm"])
    heard = duel.answer(0)
    assert len(duel.moves(1)) == 3
    heard = duel.choose(0, "soldier", 0, seat=1)
    assert Spent(foe("trickster", 0), 41, 0) in heard
    assert duel.refusal(moves.Attack(own("soldier", 0), foe("castle", 0))) == "card-stunned"
    duel.round()
    duel.attack(("soldier", 0), ("castle", 0))
