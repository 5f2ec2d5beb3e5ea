"""Where the sources disagree, the rules follow the specification's table 1.11; each test is one of its rows."""

from __future__ import annotations

from functools import partial

import pytest

from gamecore.errors import Refused
from gamecore.games.castle import CARDS, SAMPLE_DECKS, CastleOptions, Deck, moves
from gamecore.games.castle.decks import DECK_RULES

own, foe = partial(moves.Spot, 0), partial(moves.Spot, 1)
BY_KEY = {face.key: face for face in CARDS}
LETTERS = {"soldier": "S", "mage": "M", "trickster": "T"}


def written(face):
    """Write a cost as the specification's card list does."""
    ways = []
    for way in face.cost:
        parts = []
        for item in way:
            if item.pay == "castle_health":
                parts.append(f"{item.amount} HP")
                continue
            name = "Squire" if item.card_id == 11 else LETTERS[item.card_type]
            level = f" lvl {item.min_level}+" if item.min_level else ""
            parts.append(f"{item.count if item.count > 1 else ''}{name}{level}")
        ways.append("+".join(parts))
    return " / ".join(ways)


@pytest.mark.parametrize(
    ("key", "points", "cost"),
    [
        ("pawn_warrior", 10, ""),
        ("squire", 15, ""),
        ("rampant_giant", 25, "15 HP+S"),
        ("support", 15, ""),
        ("paladin", 30, "S+M+T"),
        ("seeker", 10, ""),
        ("archer", 20, "T"),
        ("cavalry", 25, "M"),
        ("cannonmen", 25, "S"),
        ("siege", 10, ""),
        ("sacrifice", 15, ""),
        ("castle_knight", 0, ""),
        ("knight", 25, "Squire"),
        ("barbarian", 10, ""),
        ("warlock", 5, ""),
        ("centaur", 25, "S+T+M"),
        ("warrior", 20, "M"),
        ("mages_partner", 15, ""),
        ("sorcerer", 10, ""),
        ("apprentice", 10, ""),
        ("attacker", 15, ""),
        ("defender", 15, ""),
        ("death", 20, "S"),
        ("soldiers_partner", 15, "T / M"),
        ("wizard", 20, "T+S+M lvl 2+"),
        ("glory", 10, ""),
        ("tribute", 10, ""),
        ("seductress", 20, "2T"),
        ("the_undead", 10, ""),
        ("mut", 25, "M+T"),
        ("light", 15, "T"),
        ("storm", 15, "T"),
        ("oracle", 10, ""),
        ("demon", 20, "M"),
        ("protector", 10, ""),
    ],
)
def test_points_and_costs_are_those_of_the_card_list(key, points, cost):
    assert (BY_KEY[key].points, written(BY_KEY[key])) == (points, cost)


@pytest.mark.parametrize(
    ("key", "health"),
    [
        ("windshire_hold", 60),
        ("calterburry_fortress", 80),
        ("wareton_ridge", 90),
        ("stonehill_keep", 140),
        ("tortmain_fortress", 75),
        ("chateau_du_draguizon", 50),
    ],
)
def test_castles_have_their_printed_health(key, health):
    assert BY_KEY[key].health == health


def test_the_defender_is_card_45():
    assert CARDS[45].key == "defender"


def test_the_hand_limit_is_10_and_the_first_turn_is_rolled_for():
    assert (CastleOptions().hand_limit, CastleOptions().begins) == (10, "random")


def test_a_mage_enters_at_level_1(scene):
    duel = scene(hand=["protector"])
    duel.play("protector")
    assert duel.card(0, "mage", 0).level == 1


@pytest.mark.parametrize(("key", "ability"), [("sacrifice", 0), ("mages_partner", 0)])
def test_sacrifice_and_mages_partner_act_by_choice_and_not_on_entry(key, ability):
    assert BY_KEY[key].abilities[ability].trigger == "in_play"


def test_windshire_hold_may_draw_once_a_turn():
    ability = BY_KEY["windshire_hold"].abilities[0]
    assert (ability.optional, ability.uses, ability.when.during) == (True, "own_turn", "own_turn")


def test_two_tricksters_may_answer_one_action(scene):
    duel = scene(hand=["warlock"], theirs=["shaman", "disciple"])
    duel.play("warlock")
    duel.answer(0)
    duel.answer(1)
    assert len(duel.pile(1)) == 2


def test_a_deck_is_50_cards_and_a_castle():
    assert (DECK_RULES.cards, DECK_RULES.castles, DECK_RULES.decrees) == (50, 1, 5)
    with pytest.raises(Refused, match="deck-size"):
        Deck(SAMPLE_DECKS["classic"].cards[:-1], 1)


def test_one_of_each_decree_is_allowed():
    assert all(face.limit == 1 for face in CARDS if face.type == "decree")
    assert all(face.limit == 2 for face in CARDS if face.type in LETTERS)
