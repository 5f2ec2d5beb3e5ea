"""1-2-3 Pass: the tables of its specification, section 1 and 5, line by line."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from gamecore.cards import Card, read_card
from gamecore.errors import Refused
from gamecore.events import Only, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.pass123 import (
    RULES,
    Away,
    Begun,
    Dealt,
    Finish,
    Finished,
    Named,
    Pass,
    Passed,
    PassOptions,
    PassPosition,
    Ready,
    Received,
    TakenBack,
    Tap,
    Tapped,
    Voided,
    begin_with,
)
from gamecore.games.pass123.round import Round, RoundMachine, is_set, spare_card, taker
from gamecore.rules import NextRound, Outcome, Seat

SEED = "5e" * 32
THREE = ("QH QS QD 4C", "4H 4S 4D 7C", "7H 7S 7D QC")  # up: nobody has a set before the pass


def cards(text):
    return tuple(map(read_card, text.split()))


def card(text):
    return read_card(text)


def begin(*hands, now=0.0, **options):
    """Begin with known hands; give the position and the list that grows with what happens."""
    heard = []
    core = begin_with(tuple(map(cards, hands)), PassOptions(**options), heard.append, now)
    return PassPosition(core), heard


def deal(players, seed=SEED, **options):
    heard = []
    seats = [Seat(f"p{seat}") for seat in range(players)]
    return RULES.begin(seats, PassOptions(**options), Deal(seed), heard.append, 0.0), heard


def refusal(position, seat, move):
    """Give the key of a refusal that has changed nothing."""
    seats = [None, *range(len(position.seen_by(None).places))]
    before = [position.seen_by(each) for each in seats], position.to_move(), position.due()
    with pytest.raises(Refused) as refused:
        position.play(seat, move, 0.0)
    after = [position.seen_by(each) for each in seats], position.to_move(), position.due()
    assert before == after
    return refused.value.key


def pass_all(position, *names, now=0.0):
    for seat, name in enumerate(names):
        position.play(seat, Pass(card(name)), now)


# -- the deal -------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 8, 13])
def test_there_are_as_many_ranks_as_players_and_all_four_suits_of_each(players):
    position, heard = deal(players)
    hands = [position.seen_by(seat).hand for seat in range(players)]
    ranks = Counter(each.rank for hand in hands for each in hand)
    assert list(ranks.values()) == [4] * players
    assert len({each for hand in hands for each in hand}) == 4 * players
    assert heard[:2] == [RoundBegan(1), Begun(players, PassOptions())]
    assert heard[2:] == [Dealt(seat, hand, players) for seat, hand in enumerate(hands)]
    assert all(event.audience == Only(event.seat) for event in heard[2:])


def test_the_deal_follows_from_its_seed():
    assert deal(4)[1] == deal(4)[1]
    assert deal(4)[1] != deal(4, "5f" * 32)[1]


def test_the_ranks_in_play_change_from_deal_to_deal():
    seen = {
        frozenset(each.rank for each in event.hand)
        for number in range(20)
        for event in deal(2, f"{number:02x}" * 32)[1]
        if isinstance(event, Dealt)
    }
    assert len(frozenset.union(*seen)) > 8


# -- a pass ---------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_nobody_gets_a_card_before_all_have_named_one_in_whatever_order(order):
    position, heard = begin(*THREE)
    named = {0: card("4C"), 1: card("7C"), 2: card("QC")}
    for count, seat in enumerate(order, 1):
        position.play(seat, Pass(named[seat]), 1.0)
        if count < 3:
            assert position.to_move() == set(order[count:])
            assert position.seen_by(seat).hand == cards(THREE[seat])[:3]
            assert position.seen_by(seat).named == named[seat]
            assert not any(isinstance(each, Passed | Received) for each in heard)
    chosen = [
        event
        for seat in order
        for event in (Named(seat, named[seat], cards(THREE[seat])[:3], False), Ready(seat, False))
    ]
    got = [(1, "4C", 0), (2, "7C", 1), (0, "QC", 2)]
    received = [
        Received(seat, card(name), giver, (*cards(THREE[seat])[:3], card(name)))
        for seat, name, giver in got
    ]
    assert heard == [*chosen, Passed(1), *received]
    assert position.to_move() == {0, 1, 2}
    assert [is_set(position.seen_by(seat).hand) for seat in range(3)] == [True] * 3


def test_which_card_was_named_is_told_to_nobody_else():
    position, heard = begin(*THREE)
    position.play(0, Pass(card("4C")), 0.0)
    named, ready = heard
    assert named.audience == Only(0) and ready == Ready(0, False)
    assert position.seen_by(1).ready == (0,)
    assert position.seen_by(1).named is None and position.seen_by(None).named is None
    pass_all_but_first = [(1, "7C"), (2, "QC")]
    for seat, name in pass_all_but_first:
        position.play(seat, Pass(card(name)), 0.0)
    assert [each.audience for each in heard if isinstance(each, Received)] == [
        Only(1),
        Only(2),
        Only(0),
    ]


def test_up_goes_to_the_next_player_and_down_to_the_one_before():
    assert [taker(seat, 4, "up") for seat in range(4)] == [1, 2, 3, 0]
    assert [taker(seat, 4, "down") for seat in range(4)] == [3, 0, 1, 2]
    assert [taker(seat, 2, "up") for seat in range(2)] == [taker(s, 2, "down") for s in range(2)]


def test_down_moves_the_cards_the_other_way():
    position, _ = begin(*THREE, direction="down")
    pass_all(position, "4C", "7C", "QC")
    assert position.seen_by(2).hand == cards("7H 7S 7D 4C")
    assert position.seen_by(0).hand == cards("QH QS QD 7C")


def test_what_is_passed_is_taken_out_where_it_was_and_what_comes_is_put_at_the_end():
    position, _ = begin(*THREE)
    pass_all(position, "QS", "4H", "7D")
    assert position.seen_by(0).hand == cards("QH QD 4C 7D")
    assert position.seen_by(1).hand == cards("4S 4D 7C QS")


def test_a_seat_remembers_what_it_has_passed_on_until_it_comes_back():
    position, _ = begin(*THREE)
    pass_all(position, "4C", "7C", "QC")
    assert position.seen_by(0).away == (Away(card("4C"), 1),)
    pass_all(position, "QH", "4C", "7H")
    assert position.seen_by(0).away == (Away(card("4C"), 1), Away(card("QH"), 2))
    pass_all(position, "QS", "4H", "4C")
    assert position.seen_by(0).away == (Away(card("QH"), 2), Away(card("QS"), 3))
    assert position.seen_by(None).away == ()


# -- edge cases -----------------------------------------------------------------------


def test_a_second_card_and_a_finish_are_refused_after_the_first():
    position, _ = begin(*THREE)
    position.play(0, Pass(card("4C")), 0.0)
    assert refusal(position, 0, Pass(card("QH"))) == "already-named"
    assert refusal(position, 0, Finish()) == "already-named"
    assert position.legal_moves(0) == ()


@pytest.mark.parametrize(
    ("move", "key"),
    [
        (Pass(Card("A", "S")), "not-held"),
        (Pass(Card("4", "H")), "not-held"),
        (Finish(), "no-set"),
        (Tap(), "nobody-finished"),
        (NextRound(), "no-such-move"),
    ],
)
def test_what_the_rules_do_not_allow_before_a_finish_is_refused(move, key):
    position, _ = begin(*THREE)
    assert refusal(position, 0, move) == key


def finished(*hands, **options):
    position, heard = begin(*hands or ("QH QS QD QC", *THREE[1:]), **options)
    position.play(0, Finish(), 7.0)
    return position, heard


def test_a_dealt_set_may_be_laid_down_before_any_pass():
    position, heard = finished()
    assert heard == [Finished(0, cards("QH QS QD QC"), (1, 0, 0))]
    assert position.to_move() == {1, 2}
    assert position.seen_by(None).shown == cards("QH QS QD QC")


@pytest.mark.parametrize(
    ("seat", "move", "key"),
    [
        (1, Pass(Card("4", "H")), "somebody-finished"),
        (1, Finish(), "somebody-finished"),
        (0, Tap(), "already-tapped"),
        (0, Finish(), "somebody-finished"),
    ],
)
def test_after_a_finish_there_is_nothing_but_to_tap_once(seat, move, key):
    position, _ = finished()
    assert refusal(position, seat, move) == key


def test_of_two_sets_the_first_to_be_laid_down_wins():
    position, _ = finished("QH QS QD QC", "4H 4S 4D 4C")
    assert refusal(position, 1, Finish()) == "somebody-finished"
    position.play(1, Tap(), 8.0)
    assert position.outcome == Outcome((1, 2), reason="set")


def test_a_finish_gives_the_cards_back_that_were_named():
    position, heard = begin("QH QS QD QC", *THREE[1:])
    position.play(2, Pass(card("7S")), 1.0)
    position.play(1, Pass(card("4H")), 2.0)
    heard.clear()
    position.play(0, Finish(), 3.0)
    back = [
        TakenBack(1, card("4H"), cards("4S 4D 7C 4H")),
        TakenBack(2, card("7S"), cards("7H 7D QC 7S")),
    ]
    assert heard == [Finished(0, cards("QH QS QD QC"), (1, 0, 0)), *back]
    assert position.seen_by(2).hand == cards("7H 7D QC 7S")
    assert position.seen_by(2).named is None and position.seen_by(0).ready == ()
    assert [position.legal_moves(seat) for seat in range(3)] == [(), (Tap(),), (Tap(),)]


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_places_are_the_order_of_the_taps_and_the_last_loses(order):
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C", "7H 7S 7D 7C", "AH AS AD AC")
    places = [1, 0, 0, 0]
    for place, seat in enumerate(order, 2):
        assert position.outcome is None
        position.play(seat, Tap(), 8.0)
        places[seat] = place
        assert Tapped(seat, place, "tap", tuple(places)) in heard
        if place < 4:
            assert refusal(position, seat, Tap()) == "already-tapped"
    assert heard[-1] == RoundOver(1)
    assert position.outcome == Outcome(tuple(places), reason="set")
    assert position.to_move() == set() and position.due() == {}
    assert refusal(position, 1, Tap()) == "game-over"


def test_legal_moves_name_a_finish_first_and_then_the_hand_from_the_left():
    position, _ = begin("QH QS QD QC", "4H 4S 4D 4C")
    hand = [Pass(each) for each in cards("QH QS QD QC")]
    assert list(position.legal_moves(0)) == [Finish(), *hand]
    position, _ = begin(*THREE)
    assert list(position.legal_moves(0)) == [Pass(each) for each in cards(THREE[0])]


# -- the clock ------------------------------------------------------------------------


def test_all_have_the_same_time_from_one_pass_to_the_next():
    position, _ = begin(*THREE, now=5.0, seconds=30)
    assert position.due() == {0: 35.0, 1: 35.0, 2: 35.0}
    position.play(1, Pass(card("7C")), 20.0)
    assert position.due() == {0: 35.0, 2: 35.0}
    assert refusal(position, 0, Tap()) == "nobody-finished"
    position.play(0, Pass(card("4C")), 21.0)
    position.play(2, Pass(card("QC")), 22.0)
    assert position.due() == {0: 52.0, 1: 52.0, 2: 52.0}
    position.play(0, Finish(), 30.0)
    assert position.due() == {1: 60.0, 2: 60.0}


@pytest.mark.parametrize(
    ("hand", "spare"),
    [
        ("QH QS QD 4C", "4C"),
        ("4C QH QS QD", "4C"),
        ("QH 4C 4S QS", "QS"),
        ("QH 4C 7S KD", "KD"),
        ("QH QS 7S KD", "KD"),
        ("7S KD QH QS", "KD"),
        ("QH QS QD QC", "QC"),
    ],
)
def test_the_clock_passes_the_newest_card_of_the_rank_there_is_least_of(hand, spare):
    assert spare_card(cards(hand)) == card(spare)


def test_the_clock_names_a_card_and_it_is_said_that_the_clock_did():
    position, heard = begin(*THREE, seconds=30)
    position.time_up(1, 30.0)
    assert heard == [Named(1, card("7C"), cards("4H 4S 4D"), True), Ready(1, True)]
    position.play(0, Pass(card("4C")), 30.0)
    position.time_up(2, 30.0)
    assert heard[-4] == Passed(1)
    assert position.due() == {0: 60.0, 1: 60.0, 2: 60.0}


def test_who_does_not_tap_in_time_has_the_worst_place_there_is():
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C", "7H 7S 7D 7C", "AH AS AD AC")
    position.time_up(2, 400.0)
    assert heard[-1] == Tapped(2, 4, "time", (1, 0, 4, 0))
    position.play(3, Tap(), 400.0)
    position.time_up(1, 400.0)
    assert position.outcome == Outcome((1, 3, 4, 2), reason="set")


def test_a_clock_that_rings_for_one_who_has_moved_does_nothing():
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C")
    count = len(heard)
    position.time_up(0, 400.0)
    assert len(heard) == count


# -- leaving --------------------------------------------------------------------------


@pytest.mark.parametrize("ready", [False, True])
def test_who_leaves_before_a_finish_voids_the_game_and_has_lost_it(ready):
    position, heard = begin(*THREE)
    if ready:
        position.play(1, Pass(card("7C")), 0.0)
    position.leave(1, "disconnected", 2.0)
    assert heard[-2:] == [Voided(1, "disconnected"), RoundOver(1)]
    assert position.outcome == Outcome((1, 3, 1), reason="disconnected")
    assert position.to_move() == set()
    assert position.seen_by(None).voided == Voided(1, "disconnected")
    position.leave(0, "left", 3.0)  # it changes nothing any more
    assert position.outcome == Outcome((1, 3, 1), reason="disconnected")
    assert refusal(position, 0, Pass(card("QH"))) == "game-over"


def test_who_leaves_without_a_tap_has_the_worst_place_there_is():
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C", "7H 7S 7D 7C", "AH AS AD AC")
    position.leave(2, "left", 8.0)
    assert heard[-1] == Tapped(2, 4, "left", (1, 0, 4, 0))
    position.leave(1, "absent", 8.0)
    assert heard[-1] == Tapped(1, 3, "absent", (1, 3, 4, 0))
    position.play(3, Tap(), 9.0)
    assert position.outcome == Outcome((1, 3, 4, 2), reason="set")


def test_when_the_last_without_a_place_leaves_the_game_is_over():
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C")
    position.leave(1, "left", 8.0)
    assert heard[-2:] == [Tapped(1, 2, "left", (1, 2)), RoundOver(1)]
    assert position.outcome == Outcome((1, 2), reason="set")


def test_who_has_a_place_keeps_it():
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C", "7H 7S 7D 7C")
    position.play(1, Tap(), 8.0)
    count = len(heard)
    position.leave(0, "left", 8.0)
    position.leave(1, "left", 8.0)
    assert len(heard) == count
    position.play(2, Tap(), 9.0)
    assert position.outcome == Outcome((1, 2, 3), reason="set")


def test_whoever_goes_is_not_taken_for_one_who_tapped():
    position, heard = finished("QH QS QD QC", "4H 4S 4D 4C")
    position.leave(1, "tap", 8.0)
    assert heard[-2].how == "left"


# -- the machine ----------------------------------------------------------------------


def test_what_the_round_has_no_answer_to_is_left_out_on_purpose(unanswered):
    every = {"choose", "last_choice", "finish", "tap", "last_tap", "void"}
    taps = {"tap", "last_tap"}
    wanted = {("over", name) for name in every}
    wanted |= {("tapping", name) for name in every - taps}
    wanted |= {("choosing", name) for name in taps}
    assert unanswered(RoundMachine, Round) == wanted
