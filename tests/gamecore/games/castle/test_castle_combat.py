"""Who may attack what, and what comes of it (specification 1.7, line by line)."""

from __future__ import annotations

from functools import partial

import pytest

from gamecore.games.castle import moves
from gamecore.games.castle.card_events import CastleChanged, Fought

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)


@pytest.mark.parametrize(
    ("attacker", "target", "own_left", "enemy_left", "result"),
    [
        ("paladin", "squire", ["paladin"], [], "win"),
        ("squire", "paladin", [], ["paladin"], "lose"),
        ("squire", "support", [], [], "both"),
    ],
)
def test_higher_points_win_and_equal_points_fall_together(
    scene, attacker, target, own_left, enemy_left, result
):
    duel = scene(mine=[attacker], theirs=[target])
    heard = duel.attack(("soldier", 0), ("soldier", 0))
    assert (duel.field(), duel.field(1)) == (own_left, enemy_left)
    assert [event.result for event in heard if isinstance(event, Fought)] == [result]
    assert (duel.health(), duel.health(1)) == (140, 140)


def test_a_castle_is_open_only_where_no_soldier_stands(scene):
    duel = scene(mine=["squire", "archer"], theirs=["light", "fate", "decree_speed_up"])
    heard = duel.attack(("soldier", 0), ("castle", 0))
    heard = duel.allow()
    assert CastleChanged(1, 125, -15, "attack", own("soldier", 0)) in heard
    assert duel.field() == ["squire", "archer"]
    closed = scene(mine=["squire"], theirs=["seeker"])
    assert closed.refusal(moves.Attack(own("soldier", 0), foe("castle", 0))) == "bad-target"


def test_soldiers_and_mages_may_be_attacked_tricksters_and_decrees_never(scene):
    duel = scene(mine=["squire"], theirs=["seeker", "light", "fate", "decree_speed_up"])
    targets = [move.target for move in duel.moves() if isinstance(move, moves.Attack)]
    assert targets == [foe("soldier", 0), foe("mage", 0)]


def test_mages_attack_at_level_3_only(scene):
    for level, key in ((1, "level-too-low"), (2, "level-too-low")):
        duel = scene(mine=[f"storm@{level}"])
        assert duel.refusal(moves.Attack(own("mage", 0), foe("castle", 0))) == key
    duel = scene(mine=["storm@3"])
    duel.attack(("mage", 0), ("castle", 0))
    assert duel.health(1) == 125


def test_each_card_attacks_once_a_turn(scene):
    duel = scene(mine=["squire"])
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.refusal(moves.Attack(own("soldier", 0), foe("castle", 0))) == "already-attacked"
    duel.round()
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 110


def test_a_soldier_attacks_in_the_turn_it_arrives(scene):
    duel = scene(hand=["warlock"])
    duel.play("warlock")
    duel.attack(("soldier", 0), ("castle", 0))
    assert duel.health(1) == 135


def test_points_are_never_below_0(scene):
    duel = scene(mine=["castle_knight"], theirs=["castle_knight"])
    duel.core.on_field(own("soldier", 0)).boost = -5
    assert duel.card(0, "soldier", 0).points == 0
    duel.attack(("soldier", 0), ("soldier", 0))
    assert (duel.field(), duel.field(1)) == ([], [])


def test_bonuses_count_in_a_battle(scene):
    duel = scene(mine=["storm@3"], castle="chateau_du_draguizon", theirs=["squire"])
    duel.attack(("mage", 0), ("soldier", 0))
    assert (duel.field(), duel.field(1)) == (["storm"], [])


def test_what_was_changed_is_forgotten_off_the_field(scene):
    duel = scene(mine=["squire"], theirs=["paladin"])
    piece = duel.core.on_field(own("soldier", 0))
    piece.boost = 5
    duel.attack(("soldier", 0), ("soldier", 0))
    assert (piece.boost, piece.attacks) == (0, 0)
