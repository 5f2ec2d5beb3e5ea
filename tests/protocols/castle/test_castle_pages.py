"""Castle Wars in the browser: what a seat's table is drawn from, and that all that may be done can be pressed."""

from __future__ import annotations

from random import Random

import pytest

from gamecore.fairness import Deal
from gamecore.games.castle import RULES, SAMPLE_DECKS, CastleOptions
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot
from gamecore.rules import Seat
from protocols.castle.pages.pages import PAGES
from tests.gamecore.games.castle.conftest import Scene
from tests.protocols.web.sights import see

NAMES = ("wren", "robin")


def begin(seed="0a", **options):
    heard = []
    seats = [Seat(name, SAMPLE_DECKS["classic"]) for name in NAMES]
    settings = CastleOptions(begins="first-seat", **options)
    return RULES.begin(seats, settings, Deal(seed * 32), heard.append, 0.0), heard


def look(viewer=0, before=None, **given):
    """Give what a seat sees of a duel that is set up: ``mine`` are the cards of seat 0."""
    scene = Scene(**given)
    for came, piece in enumerate(scene.core.sides[0].hand):
        piece.held_since = came
    if before is not None:
        scene.do(before)
    return see(PAGES, scene.position, viewer, NAMES)


def pressed(facts):
    """List every move that has a button, and what it says."""
    menus = [press for menu in facts["menus"] for press in menu.presses]
    places = [
        *facts["castles"],
        *facts["held"],
        *(each for lane in facts["lanes"] for each in lane),
    ]
    rings = [hit.press for place in places for hit in place.hits if hit.pick is None]
    return [*facts["plain"], *menus, *rings, *(offer.press for offer in facts["offers"])]


def ids(facts):
    places = [
        *facts["castles"],
        *facts["held"],
        *(each for lane in facts["lanes"] for each in lane),
    ]
    rings = [hit.press for place in places for hit in place.hits if hit.pick is not None]
    drawn = [*pressed(facts), *rings]
    return [press.id for press in drawn] + [place.id for place in places]


@pytest.mark.parametrize("seed", range(8))
def test_whatever_may_be_done_in_a_game_has_one_button_that_says_what_it_does(seed):
    """A game of random moves, with the page of both seats and of a watcher drawn at every step."""
    chance = Random(seed)
    position, _ = begin(f"{seed:02x}")
    for _ in range(250):
        if position.outcome is not None:
            break
        for seat in (0, 1, None):
            facts = see(PAGES, position, seat, NAMES)
            legal = [] if seat is None else list(position.legal_moves(seat))
            buttons = pressed(facts)
            assert sorted(map(repr, (each.move for each in buttons))) == sorted(map(repr, legal))
            assert len(set(ids(facts))) == len(ids(facts))
            assert bool(facts["ask"]) == bool(legal)
            for group in (facts["plain"], *(menu.presses for menu in facts["menus"])):
                said = [press.words for press in group]
                assert len(set(said)) == len(said) and all(said)
        seat = min(position.to_move())
        legal = position.legal_moves(seat)
        going_on = [move for move in legal if not isinstance(move, castle_moves.EndTurn)]
        position.play(
            seat, chance.choice(going_on if going_on and chance.random() < 0.9 else legal), 0.0
        )


def test_a_hand_is_kept_or_shuffled_back_before_castles_are_shown():
    position, _ = begin()
    facts = see(PAGES, position, 0, NAMES)
    assert [each.words for each in facts["plain"]] == [
        "Keep this hand",
        "Shuffle it back, and draw one card fewer",
    ]
    assert [each.health for each in facts["keeps"]] == [facts["keeps"][0].full, None]
    assert facts["keeps"][1].face.name == "castle face down"
    assert len(facts["held"]) == 6 and all(each.face.abilities for each in facts["held"])


def test_a_card_of_the_hand_shows_its_menu_and_the_places_it_may_go_to():
    facts = look(mine=("squire",), hand=("cavalry", "warlock"))
    warlock = facts["held"][1]
    (menu,) = [each for each in facts["menus"] if each.number == warlock.number]
    assert menu.face.facts == "soldier, 5 points"
    assert [each.words for each in menu.presses] == ["Play it as soldier 2"]
    free = {each.id: [hit.pick for hit in each.hits] for each in facts["lanes"][2]}
    assert free == {
        "a0m0": [],
        "a0s0-11": [],
        "a0s1": [warlock.number],
        "a0m1": [],
    }


def test_what_a_card_costs_is_said_with_what_is_given_up_for_it():
    facts = look(mine=("squire", "seeker", "glory", "storm"), hand=("cavalry",))
    (cavalry,) = facts["held"]
    (menu,) = [each for each in facts["menus"] if each.number == cavalry.number]
    assert menu.presses == () or not menu.presses, "both places of soldiers are taken"
    facts = look(mine=("squire", "glory", "storm"), hand=("cavalry",))
    (cavalry,) = facts["held"]
    assert cavalry.face.cost == "a mage"
    (menu,) = [each for each in facts["menus"] if each.number == cavalry.number]
    assert [each.words for each in menu.presses] == [
        "Play it as soldier 2, giving up Glory (mage 1)",
        "Play it as soldier 2, giving up Storm (mage 2)",
    ]


def test_whom_a_card_may_attack_is_ringed_when_it_is_picked():
    facts = look(mine=("squire",), theirs=("seeker", "glory"))
    squire = next(each for each in facts["lanes"][2] if each.id == "a0s0-11")
    ringed = {
        each.id: [hit.press.words for hit in each.hits if hit.pick == squire.number]
        for each in (*facts["lanes"][1], facts["castles"][1])
        if each.hits
    }
    assert ringed == {
        "a1s0-15": ["Attack Seeker (soldier 1)"],
        "a1m0-49": ["Attack Glory (mage 1)"],
    }
    facts = look(mine=("squire",))
    assert [hit.press.words for hit in facts["castles"][1].hits] == ["Attack the enemy castle"]


def test_a_card_shows_its_points_its_level_and_what_holds_it_up():
    facts = look(mine=("glory@3",), castle="chateau_du_draguizon")
    glory = next(each.face for each in facts["lanes"][2] if each.id == "a0m0-49")
    assert (glory.points, glory.level, glory.kind) == (15, 3, "mage")


def test_the_trickster_of_the_enemy_is_face_down_and_ones_own_can_be_read():
    facts = look(mine=("plague",), theirs=("plague",))
    theirs, own = (facts["lanes"][each][1].face for each in (0, 3))
    assert (theirs.name, theirs.kind, theirs.abilities) == ("face down", "trickster", ())
    assert own.name == "Plague" and own.marks == ["face down"]


def test_an_attack_stands_in_the_middle_until_it_is_answered():
    facts = look(
        mine=("squire",),
        theirs=("plague",),
        viewer=1,
        before=castle_moves.Attack(Spot(0, "soldier", 0), Spot(1, "castle", 0)),
    )
    assert [each.words for each in facts["acts"]] == [
        "wren attacks the castle of robin with Squire."
    ]
    assert facts["under_way"] and facts["ask"] == "Answer, or let it happen."
    assert [each.words for each in facts["plain"]] == ["Let it happen"]
    assert facts["castles"][1].aim and facts["lanes"][1][1].source
    trickster = facts["lanes"][3][1]
    (menu,) = [each for each in facts["menus"] if each.number == trickster.number]
    assert [each.words for each in menu.presses] == ["Turn it up"]


def test_a_card_of_the_deck_is_offered_face_up():
    facts = look(
        hand=("squire",), deck=("cavalry", "glory"), before=castle_moves.PlayCard(0, 0, ())
    )
    assert facts["ask"] == "For Squire: take a card out of your deck."
    (offer,) = facts["offers"]
    assert (offer.face.name, offer.press.words) == ("Cavalry", "Take Cavalry")
