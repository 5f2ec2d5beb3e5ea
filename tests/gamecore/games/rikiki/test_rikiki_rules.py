"""Rikiki by its parts: hands, trump, following, who takes a trick, bids and points."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest

from gamecore.cards import PACK, RANKS, SUITS, Card
from gamecore.errors import Refused
from gamecore.games.rikiki import RikikiOptions, hand_sizes, turns_trump
from gamecore.games.rikiki.round import RoundCore, begin_round
from gamecore.games.rikiki.scoring import SCORINGS, points
from gamecore.games.rikiki.tricks import allowed_bids, best, playable

# -- hands ----------------------------------------------------------------------------

LARGEST = {2: 26, 3: 17, 4: 13, 5: 10, 6: 8, 7: 7, 8: 6, 9: 5, 10: 5, 13: 4, 17: 3, 26: 2}


@pytest.mark.parametrize(("players", "cards"), list(LARGEST.items()))
def test_the_first_hand_is_the_largest_that_the_pack_allows(players, cards):
    assert hand_sizes(players, RikikiOptions()) == tuple(range(cards, 0, -1))


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        ({"first": 3}, (3, 2, 1)),
        ({"max": 3}, (3, 2, 1)),
        ({"first": 9, "max": 3}, (3, 2, 1)),
        ({"first": 2, "max": 3}, (2, 1)),
        ({"first": 20}, tuple(range(13, 0, -1))),
        ({"first": 3, "schedule": "down-up"}, (3, 2, 1, 2, 3)),
        ({"first": 1, "schedule": "down-up"}, (1,)),
    ],
)
def test_a_table_may_choose_smaller_hands(given, sizes):
    assert hand_sizes(4, RikikiOptions(**given)) == sizes


@pytest.mark.parametrize(
    ("players", "cards", "given", "turned"),
    [
        (3, 17, {}, True),
        (4, 13, {}, False),
        (4, 12, {}, True),
        (26, 2, {}, False),
        (3, 17, {"top_trump": "never"}, False),
        (3, 16, {"top_trump": "never"}, True),
        (3, 5, {"top_trump": "never", "first": 5}, False),
        (5, 10, {"top_trump": "never"}, False),
        (6, 8, {"top_trump": "never"}, False),
    ],
)
def test_a_card_is_turned_where_one_is_left_and_the_table_wants_it(players, cards, given, turned):
    assert turns_trump(cards, players, RikikiOptions(**given)) is turned


@pytest.mark.parametrize(
    ("players", "cards"), [(1, 5), (0, 5), (2, 0), (2, -1), (2, 27), (4, 14), (27, 2)]
)
def test_what_cannot_be_dealt_is_an_error(players, cards):
    with pytest.raises(ValueError, match="cannot be dealt"):
        begin_round(PACK, range(players), cards, False, print)


def test_a_full_deal_leaves_no_card_to_turn():
    with pytest.raises(ValueError, match="cannot be dealt"):
        begin_round(PACK, range(4), 13, True, print)


def test_unequal_hands_are_an_error():
    with pytest.raises(ValueError, match="same number"):
        RoundCore((0, 1), 2, None, {0: list(PACK[:2]), 1: [PACK[2]]}, print)


@pytest.mark.parametrize(("players", "cards"), [(2, 26), (3, 17), (7, 4), (26, 1)])
def test_each_gets_a_block_of_cards_all_different_and_the_next_is_turned(players, cards):
    trump = players * cards < 52
    order = [*range(1, players), 0]
    core = begin_round(PACK, order, cards, trump, print)
    dealt = [card for seat in order for card in core.hands[seat]]
    assert dealt == list(PACK[: players * cards])
    assert core.turned == (PACK[players * cards] if trump else None)
    assert core.turn == 1


# -- tricks ---------------------------------------------------------------------------


@pytest.mark.parametrize("suit", SUITS)
def test_without_trump_each_rank_beats_the_one_below(suit):
    for low, high in pairwise(RANKS):
        pair = [Card(low, suit), Card(high, suit)]
        assert best(pair, None) == 1
        assert best(pair[::-1], None) == 0


@pytest.mark.parametrize(("led", "other"), list(permutations(SUITS, 2)))
def test_a_higher_card_of_another_suit_does_not_beat_the_suit_that_was_led(led, other):
    pair = [Card("2", led), Card("A", other)]
    assert best(pair, None) == best(pair, led) == 0
    assert best(pair, other) == 1


def test_trumps_beat_each_other_by_rank_and_an_unused_trump_changes_nothing(hand):
    assert best(hand("AH 3S 2S KH"), "S") == 1
    assert best(hand("AH 2S 10S 9S"), "S") == 2
    assert best(hand("10H 2D JH AC"), "S") == best(hand("10H 2D JH AC"), None) == 2


def test_on_an_empty_table_any_card_may_be_played_else_the_suit_is_followed_if_held(hand):
    held = hand("2S 9S KD")
    assert playable(held, None) == list(held)
    assert playable(held, Card("A", "S")) == list(hand("2S 9S"))
    assert playable(held, Card("A", "H")) == list(held)


# -- bids -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "bids", "given", "allowed"),
    [
        (3, [1, 1], {}, [0, 1, 2, 3]),
        (3, [1, 1], {"hook": "last"}, [0, 2, 3]),
        (3, [1], {"hook": "last"}, [0, 1, 2, 3]),
        (3, [2, 2], {"hook": "last"}, [0, 1, 2, 3]),
        (1, [0, 0], {"hook": "last"}, [0]),
        (3, [1, 1], {"hook": "last-over"}, [0, 1, 2, 3]),
        (4, [1, 1], {"hook": "last-over"}, [0, 1, 3, 4]),
        (3, [1, 1], {"hook": "last-over", "hook_over": 2}, [0, 2, 3]),
    ],
)
def test_the_hook_bars_the_bid_that_would_make_the_sum_come_out(cards, bids, given, allowed):
    assert allowed_bids(cards, bids, 3, RikikiOptions(**given)) == allowed


# -- points ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "exact", "over", "under"),
    [
        ("none", 0, 0, 0),
        ("tricks10", 13, 5, 1),
        ("exact10", 13, 0, 0),
        ("penalty", 13, -2, -2),
        ("ascenseur", 5, -2, -2),
        ("tricks5", 8, 5, 1),
        ("square", 19, -4, -4),
    ],
)
def test_a_bid_of_three_brings_points_for_three_five_and_one(way, exact, over, under):
    assert [points(way, 3, won) for won in (3, 5, 1)] == [exact, over, under]


def test_each_way_of_scoring_is_an_option():
    assert [RikikiOptions(scoring=way).scoring for way in SCORINGS] == list(SCORINGS)
    with pytest.raises(Refused):
        RikikiOptions(scoring="golf")
