"""Who may answer what, in which order, and what becomes of the stack (specification 1.8)."""

from __future__ import annotations

from functools import partial

import pytest

from gamecore.games.castle import moves
from gamecore.games.castle.events import ActionOver, Allowed, Announced, AnswerAwaited, Answered

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


def awaited_in(heard):
    return [event.seat for event in heard if isinstance(event, AnswerAwaited)]


def test_no_window_opens_where_nothing_is_set(scene):
    duel = scene(mine=["squire"], theirs=["seeker", "protector"])
    heard = duel.attack(("soldier", 0), ("soldier", 0))
    assert awaited_in(heard) == []


def test_a_face_down_card_opens_a_window_whatever_it_is(scene):
    for trickster in ("jesters_jester", "shaman"):
        duel = scene(hand=["warlock"], theirs=[trickster])
        heard = duel.play("warlock")
        assert awaited_in(heard) == [1]
        assert duel.waiting == {1}
        assert duel.refusal(moves.EndTurn()) == "enemy-answers"
        assert duel.refusal(moves.EndTurn(), seat=1) == "answer-first"


def test_the_action_is_held_until_it_is_allowed(scene):
    duel = scene(hand=["warlock"], theirs=["shaman"])
    heard = duel.play("warlock")
    assert Announced(1, 0, "play", 24, own("hand", 0), own("soldier", 0)) in heard
    assert (duel.hand(), duel.field()) == ([], [])
    view = duel.position.seen_by(1)
    assert [card.card for card in view.sides[0].coming] == [24]
    heard = duel.allow()
    assert heard[0] == Allowed(1, 1)
    assert duel.field() == ["warlock"]
    assert heard[-1] == ActionOver(1, 0, "done")


def test_a_trickster_being_set_stays_hidden_while_it_is_held(scene):
    duel = scene(hand=["plague"], theirs=["shaman"])
    duel.play("plague")
    seen = [duel.position.seen_by(seat) for seat in (0, 1, None)]
    assert [view.sides[0].coming[0].card for view in seen] == [41, None, None]
    assert [view.action.card for view in seen] == [41, None, None]


@pytest.mark.parametrize("action", ["draw", "play", "level", "ability", "attack"])
def test_every_action_opens_a_window(scene, action):
    duel = scene(
        mine=["cannonmen", "protector"], hand=["warlock"], theirs=["shaman"], deck=["fate"] * 3
    )
    duel.core.to_draw = action == "draw"
    doing = {
        "draw": moves.DrawCard(),
        "play": moves.PlayCard(0, 1),
        "level": moves.LevelMage(0),
        "ability": moves.UseAbility(own("soldier", 0), 1),
        "attack": moves.Attack(own("soldier", 0), foe("castle", 0)),
    }
    assert awaited_in(duel.do(doing[action])) == [1]


def test_the_end_of_a_turn_is_no_action(scene):
    duel = scene(theirs=["shaman"])
    assert awaited_in(duel.end()) == []


def test_after_an_answer_the_other_seat_is_asked_and_after_its_pass_the_answerer_again(scene):
    duel = scene(mine=["jesters_jester"], hand=["warlock"], theirs=["shaman", "disciple"])
    asked = awaited_in(duel.play("warlock"))
    asked += awaited_in(duel.answer(0))
    asked += awaited_in(duel.allow(0))
    asked += awaited_in(duel.answer(1))
    asked += awaited_in(duel.allow(0))
    assert asked == [1, 0, 1, 0]
    assert duel.stage == "turn"  # seat 1 has nothing left to turn up


def test_two_tricksters_may_answer_one_action_and_resolve_last_in_first_out(scene):
    duel = scene(hand=["warlock"], theirs=["shaman", "plague"])
    duel.play("warlock")
    duel.answer(0)
    heard = duel.answer(1)
    order = [event.number for event in heard if isinstance(event, ActionOver)]
    assert order == [3, 2, 1]
    assert duel.pile(1) == ["plague", "shaman"]


def test_a_cancel_is_aimed_at_the_latest_trickster(scene):
    duel = scene(mine=["seeker"], hand=["fate"], theirs=["shaman", "disciple"])
    duel.play("fate")
    duel.answer(0)
    duel.allow(0)
    duel.answer(1)
    heard = duel.use("soldier", 0, 1)
    assert [event.answers for event in heard if isinstance(event, Answered)] == [3]


def test_the_active_player_only_cancels(scene):
    duel = scene(mine=["shaman", "jesters_jester"], hand=["warlock"], theirs=["disciple"])
    duel.play("warlock")
    duel.answer(0)
    assert duel.moves() == [moves.ActivateTrickster(1), moves.AllowAction()]


def test_nobody_is_asked_for_a_jester_when_both_lie_on_the_discard_pile(scene):
    duel = scene(mine=["shaman"], hand=["warlock"], theirs=["disciple", "plague"])
    duel.core.sides[0].discard += [duel._piece(0, "jesters_jester") for _ in range(2)]
    duel.play("warlock")
    assert awaited_in(duel.answer(0)) == [1]


def test_an_answered_attack_is_void_and_may_be_made_again(scene):
    duel = scene(mine=["squire"], theirs=["shaman"])
    duel.attack(("soldier", 0), ("castle", 0))
    heard = duel.answer(0)
    assert heard[-1] == ActionOver(1, 0, "void")
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 125


def test_a_play_that_is_answered_happens_all_the_same(scene):
    duel = scene(hand=["pawn_warrior"], theirs=["shaman"])
    duel.play("pawn_warrior")
    duel.answer(0)
    assert (duel.field(), len(duel.hand())) == (["pawn_warrior"], 2)


def test_an_ability_resolves_although_its_card_has_gone(scene):
    duel = scene(mine=["tribute@3"], theirs=["anti_mage", "squire", "light"])
    duel.use("mage", 0, 2)
    duel.answer(0)
    assert duel.pile() == ["tribute"]
    duel.choose(1, "soldier", 0)
    duel.no()
    assert duel.pile(1) == ["anti_mage", "squire"]


def test_a_mage_that_was_destroyed_in_answer_does_not_rise_but_its_ability_happens(scene):
    duel = scene(mine=["the_undead"], theirs=["anti_mage"])
    duel.do(moves.LevelMage(0))
    duel.answer(0)
    assert (duel.field(), len(duel.hand())) == ([], 3)


def test_a_cancelled_entry_ability_leaves_the_card(scene):
    duel = scene(hand=["squire"], theirs=["ice_handler"], their_deck=["warlock"])
    duel.play("squire")
    heard = duel.answer(0)
    assert duel.field() == ["squire"]
    assert heard[-1] == ActionOver(1, 0, "cancelled")


def test_a_trickster_on_the_stack_cannot_be_picked_or_given_up(scene):
    duel = scene(mine=["squire"], theirs=["plague", "fate"], hand=["warlock"])
    duel.play("warlock", 1)
    assert moves.ActivateTrickster(1) in duel.moves(1)  # Fate would destroy Plague
    duel.answer(0)
    assert duel.moves(1) == [moves.AllowAction()]  # which is no longer there for it


def test_a_stolen_soldier_does_not_return_into_a_slot_that_is_being_taken(scene):
    duel = scene(mine=["archer"], hand=["warlock"], theirs=["seductress@3", "fate"])
    duel.core.sides[0].field["soldier"][0], stolen = None, duel.core.on_field(own("soldier", 0))
    duel.core.sides[1].field["soldier"][0] = stolen
    stolen.held_by, stolen.home = duel.core.on_field(foe("mage", 0)).uid, 0
    duel.core.sides[0].field["soldier"][1] = duel._piece(0, "squire")
    duel.play("warlock", 0)
    duel.answer(0)
    duel.choose(1, "mage", 0, seat=1)
    assert duel.pile()[0] == "archer"
    assert "warlock" in duel.field()
