"""1-2-3 Pass in the browser: what a seat's table is drawn from."""

from __future__ import annotations

import pytest

from gamecore.cards import read_card
from gamecore.games.pass123 import (
    Finish,
    Finished,
    Pass,
    Passed,
    PassOptions,
    PassPosition,
    Tap,
    begin_with,
)
from protocols.pass123.pages.pages import PAGES
from tests.protocols.web.sights import see

NAMES = ("wren", "robin", "finch")
HANDS = ("QH QS QD 4C", "4H 4S 4D 7C", "7H 7S 7D QC")
NAMED = ("4C", "7C", "QC")


def cards(text):
    return tuple(map(read_card, text.split()))


def playing(direction="up"):
    heard = []
    hands = tuple(map(cards, HANDS))
    core = begin_with(hands, PassOptions(3, direction), heard.append, 0.0)
    return PassPosition(core), heard


def named(*seats, direction="up"):
    position, heard = playing(direction)
    for seat in seats:
        position.play(seat, Pass(read_card(NAMED[seat])), 0.0)
    return position, heard


def held(facts):
    return [str(each.card) for each in facts["hand"]]


@pytest.mark.parametrize(("direction", "takers"), [("up", [1, 2, 0]), ("down", [2, 0, 1])])
def test_arrows_say_who_passes_to_whom(direction, takers):
    facts = see(PAGES, playing(direction)[0], 1, NAMES)
    assert [each.taker for each in facts["ways"]] == takers
    assert [each.place for each in facts["ways"]] == [2, 0, 1], "the viewer's own is the first"
    assert {each.back for each in facts["ways"]} == {direction == "down"}
    assert facts["ask"] == f"Choose a card to pass to {NAMES[takers[1]]}."


def test_a_card_of_the_hand_is_pressed_to_pass_it():
    facts = see(PAGES, playing()[0], 0, NAMES)
    assert held(facts) == HANDS[0].split()
    assert [each.move for each in facts["hand"]] == [Pass(card) for card in cards(HANDS[0])]
    assert facts["tap"] is facts["finish"] is None and not facts["urgent"]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_card_that_is_named_lies_face_down_for_all_but_its_owner(viewer):
    position, _ = named(0)
    facts = see(PAGES, position, viewer, NAMES)
    (laid,) = facts["laid"]
    assert (laid.seat, laid.taker) == (0, 1)
    assert (laid.card is not None) == (viewer == 0)
    assert facts["standing"] == ["ready", "choosing…", "choosing…"]
    if viewer == 0:
        assert held(facts) == ["QH", "QS", "QD"]
        assert [each.move for each in facts["hand"]] == [None] * 3


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_the_moment_before_all_cards_move_shows_them_all_and_the_hand_as_it_was(viewer):
    position, heard = named(0, 1, 2)
    (moved,) = [each for each in heard if isinstance(each, Passed)]
    before = see(PAGES, position, viewer, NAMES, moved)
    after = see(PAGES, position, viewer, NAMES)
    assert PAGES.rest(moved) > 0
    assert [each.seat for each in before["laid"]] == [0, 1, 2]
    shown = {each.seat: str(each.card) for each in before["laid"] if each.card}
    assert shown == {viewer: NAMED[viewer]}
    assert before["standing"] == ["ready"] * 3
    assert held(before) == HANDS[viewer].split()[:3]
    assert after["laid"] == []
    assert held(after) == [*HANDS[viewer].split()[:3], NAMED[viewer - 1]]
    assert [each.giver for each in after["hand"]] == [None] * 3 + [(viewer - 1) % 3]


def test_a_set_is_laid_down_and_all_others_are_called_to_tap_at_once():
    position, heard = named(0, 1, 2)
    facts = see(PAGES, position, 0, NAMES)
    assert facts["finish"] == Finish()
    assert facts["ask"].startswith("You have a set: lay it down!")
    position.play(0, Finish(), 1.0)
    own, other, watcher = (see(PAGES, position, seat, NAMES) for seat in (0, 1, None))
    assert own["urgent"] and other["urgent"] and watcher["urgent"]
    assert [str(card) for card in watcher["shown"]] == ["QH", "QS", "QD", "QC"]
    assert own["tap"] is None and other["tap"] == Tap() and watcher["tap"] is None
    assert held(own) == [], "its cards lie on the table"
    assert other["ask"] == "wren has a set: hand on the table!"
    assert [each.move for each in other["hand"]] == [None] * 4
    finished = next(each for each in heard if isinstance(each, Finished))
    assert PAGES.rest(finished) == 0, "nothing holds up the race"
    position.play(2, Tap(), 1.0)
    assert see(PAGES, position, 1, NAMES)["standing"] == ["a set!", "to tap", "place 2"]


def test_of_a_game_that_is_void_it_is_shown_who_has_gone():
    position, _ = playing()
    position.leave(2, "left", 1.0)
    assert see(PAGES, position, 0, NAMES)["standing"] == ["", "", "has gone"]
