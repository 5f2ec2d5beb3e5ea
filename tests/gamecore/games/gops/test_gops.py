"""GOPS: the table of its specification, section 1, line by line."""

from __future__ import annotations

from random import Random

import attrs
import pytest

from gamecore.codec import plain
from gamecore.errors import Refused
from gamecore.events import EVERYONE, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.gops import (
    RULES,
    Bid,
    Forfeited,
    GopsOptions,
    GopsView,
    Laid,
    PrizeTurned,
    Revealed,
)
from gamecore.games.gops.round import Round, RoundMachine
from gamecore.record import build
from gamecore.rules import NextRound, Outcome, Seat

PEOPLE = [Seat("north"), Seat("south")]


def begin(now=0.0, seed="00" * 32, **options):
    """Begin a game; give its position and the list that grows with what happens."""
    heard = []
    settings = GopsOptions(**options)
    return RULES.begin(PEOPLE, settings, Deal(seed), heard.append, now), heard


def rising(cards, ties="carry", bids=()):
    """Begin a game whose prizes rise from the ace, and lay pairs of cards in it."""
    position, heard = begin(cards=cards, order="ascending", ties=ties)
    for pair in bids:
        for seat, card in enumerate(pair):
            position.play(seat, Bid(card), 0.0)
    return position, heard


def revealed(heard):
    return [each for each in heard if isinstance(each, Revealed)]


def refusal(position, seat, move):
    """Give the key of a refusal that has changed nothing."""
    views = [position.seen_by(each) for each in (0, 1, None)]
    with pytest.raises(Refused) as refused:
        position.play(seat, move, 5.0)
    assert [position.seen_by(each) for each in (0, 1, None)] == views
    return refused.value.key


# -- the rules ------------------------------------------------------------------------


def test_a_game_begins_with_both_suits_whole_and_one_prize_turned():
    position, heard = begin()
    suit = tuple(range(1, 14))
    prize = heard[1].prize
    assert heard == [RoundBegan(1), PrizeTurned(1, prize, (prize,), (suit, suit), (0, 0))]
    assert position.to_move() == {0, 1}
    assert position.outcome is None
    for seat in (0, 1, None):
        assert position.seen_by(seat) == GopsView(
            options=GopsOptions(),
            seat=seat,
            number=1,
            pot=(prize,),
            hands=(suit, suit),
            scores=(0, 0),
            laid=(),
            own=None,
            shown=(),
            forfeit=None,
            since=0.0,
            over=False,
        )


def test_the_prizes_follow_from_the_seed_and_the_words_alone():
    orders = set()
    for seed in ("00" * 32, "00" * 32, "11" * 32):
        position, heard = begin(seed=seed)
        for card in range(1, 14):
            position.play(0, Bid(card), 0.0)
            position.play(1, Bid(card), 0.0)
        orders.add(tuple(each.prize for each in revealed(heard)))
    assert len(orders) == 2
    assert all(sorted(order) == list(range(1, 14)) for order in orders)


@pytest.mark.parametrize(("order", "first", "last"), [("ascending", 1, 13), ("descending", 13, 1)])
def test_the_prizes_may_come_in_a_fixed_order(order, first, last):
    position, heard = begin(order=order)
    for card in range(1, 14):
        position.play(0, Bid(card), 0.0)
        position.play(1, Bid(card), 0.0)
    prizes = [each.prize for each in revealed(heard)]
    assert (prizes[0], prizes[-1], len(prizes)) == (first, last, 13)


def test_both_may_choose_in_any_order_and_nothing_is_told_of_the_first_choice_but_that_it_is_made():
    endings = []
    for seats in ((0, 1), (1, 0)):
        position, heard = rising(3)
        first, second = seats
        position.play(first, Bid(first + 1), 0.0)
        assert heard[2:] == [Laid(first)]
        assert position.to_move() == {second}
        position.play(second, Bid(second + 1), 0.0)
        assert heard[3] == Laid(second)
        endings.append(heard[4:])
    assert endings[0] == endings[1]
    assert endings[0] == [
        Revealed(1, 1, (1,), (1, 2), 1, (0, 1), ()),
        RoundOver(1),
        RoundBegan(2),
        PrizeTurned(2, 2, (2,), ((2, 3), (1, 3)), (0, 1)),
    ]


def test_the_higher_card_takes_everything_after_any_number_of_ties():
    _, heard = rising(4, bids=[(1, 1), (2, 2), (4, 3)])
    assert [(each.pot, each.winner, each.left) for each in revealed(heard)] == [
        ((1,), None, (1,)),
        ((1, 2), None, (1, 2)),
        ((1, 2, 3), 0, ()),
    ]
    assert heard[-1] == PrizeTurned(4, 4, (4,), ((3,), (4,)), (6, 0))


def test_a_tie_in_the_last_round_gives_the_prizes_to_nobody():
    position, heard = rising(3, bids=[(2, 1), (1, 2), (3, 3)])
    assert heard[-2:] == [Revealed(3, 3, (3,), (3, 3), None, (1, 2), (3,)), RoundOver(3)]
    assert position.outcome == Outcome((2, 1), (1, 2), "points")


def test_a_game_of_ties_is_drawn_at_nothing():
    position, _ = rising(13, bids=[(card, card) for card in range(1, 14)])
    assert position.outcome == Outcome((1, 1), (0, 0), "points")
    assert position.seen_by(None).pot == tuple(range(1, 14))


def test_equal_points_are_a_drawn_game():
    position, _ = rising(3, bids=[(2, 1), (3, 2), (1, 3)])
    assert position.outcome == Outcome((1, 1), (3, 3), "points")


def test_discarded_ties_put_the_prize_away():
    position, heard = rising(3, "discard", bids=[(1, 1), (2, 2), (3, 3)])
    assert [(each.pot, each.left) for each in revealed(heard)] == [
        ((1,), ()),
        ((2,), ()),
        ((3,), ()),
    ]
    assert position.outcome.scores == (0, 0)


# -- what is refused ------------------------------------------------------------------


def test_the_first_choice_stands():
    position, _ = rising(3)
    position.play(0, Bid(1), 0.0)
    assert refusal(position, 0, Bid(2)) == "already-laid"
    assert refusal(position, 0, Bid(1)) == "already-laid"
    assert position.seen_by(0).own == 1


@pytest.mark.parametrize("card", [-1, 0, 4, 14])
def test_a_card_that_is_not_in_the_suit_is_refused(card):
    assert refusal(rising(3)[0], 1, Bid(card)) == "no-such-card"


def test_a_card_is_gone_once_it_was_played_even_to_a_tie():
    position, _ = rising(3, bids=[(2, 2)])
    assert refusal(position, 0, Bid(2)) == "card-played"
    assert refusal(position, 1, Bid(2)) == "card-played"


def test_a_move_of_another_game_is_refused():
    assert refusal(rising(3)[0], 0, NextRound()) == "no-such-move"


def test_nothing_is_played_after_the_end():
    position, _ = rising(2, bids=[(1, 2), (2, 1)])
    assert refusal(position, 0, Bid(1)) == "game-over"
    assert (position.to_move(), position.due()) == (frozenset(), {})
    assert [position.legal_moves(seat) for seat in (0, 1)] == [(), ()]


@pytest.mark.parametrize(
    "odd", [{"cards": 1}, {"cards": 14}, {"ties": "share"}, {"order": "x"}, {"seconds": 0}]
)
def test_settings_demand_a_game_that_can_be_played(odd):
    with pytest.raises(Refused):
        GopsOptions(**odd)


# -- time and going -------------------------------------------------------------------


def test_both_have_the_same_time_and_one_choice_does_not_prolong_the_others():
    position, _ = begin(now=7.0, seconds=60)
    assert position.due() == {0: 67.0, 1: 67.0}
    position.play(1, Bid(1), 60.0)
    assert position.due() == {0: 67.0}
    position.play(0, Bid(1), 66.0)
    assert position.due() == {0: 126.0, 1: 126.0}


def test_whoever_is_idle_forfeits():
    position, heard = begin(seconds=60)
    position.play(0, Bid(9), 1.0)
    position.time_up(1, 60.0)
    assert heard[-2:] == [Forfeited((1,), "time", (0, 0)), RoundOver(1)]
    assert position.outcome == Outcome((1, 2), (0, 0), "time")


def test_nobody_wins_if_both_are_idle():
    position, heard = begin(seconds=60)
    position.time_up(0, 60.0)
    assert heard[-2] == Forfeited((0, 1), "time", (0, 0))
    assert position.outcome == Outcome((1, 1), (0, 0), "time")


@pytest.mark.parametrize("why", ["left", "disconnected", "absent"])
@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_leaves_has_lost_whatever_the_points(seat, why):
    position, heard = rising(5, bids=[(2, 1) if seat == 0 else (1, 2)])
    position.leave(seat, why, 3.0)
    scores = (1, 0) if seat == 0 else (0, 1)
    assert heard[-2:] == [Forfeited((seat,), why, scores), RoundOver(2)]
    assert position.outcome.winners == (1 - seat,)
    assert (position.outcome.scores, position.outcome.reason) == (scores, why)


def test_a_reason_for_going_that_sounds_like_something_else_is_not_taken_over():
    position, heard = begin()
    position.leave(0, "time", 1.0)
    assert heard[-2].why == "left"


def test_leaving_after_the_end_changes_nothing():
    position, heard = rising(2, bids=[(1, 2), (2, 1)])
    before = list(heard), position.seen_by(None), position.outcome
    position.leave(0, "left", 5.0)
    position.time_up(1, 5.0)
    assert (heard, position.seen_by(None), position.outcome) == before


# -- secrets --------------------------------------------------------------------------


def test_a_laid_card_is_seen_by_its_owner_and_by_nobody_else():
    views = {}
    for card in (1, 13):
        position, heard = begin()
        position.play(0, Bid(card), 0.0)
        views[card] = [position.seen_by(seat) for seat in (0, 1, None)], heard
        assert position.seen_by(0).own == card
    assert views[1][0][1:] == views[13][0][1:]
    assert views[1][1] == views[13][1]


def test_every_event_is_for_everyone():
    assert all(event.audience is EVERYONE for event in RULES.events)


def test_prizes_to_come_are_in_no_view_and_in_no_event():
    position, heard = begin(seed="22" * 32)
    for card in range(1, 7):
        position.play(0, Bid(card), 0.0)
        position.play(1, Bid(card), 0.0)
    guess = position.guess(0, Random(3))
    assert guess.seen_by(0) == position.seen_by(0)
    assert guess._core.prizes != position._core.prizes
    assert sorted(guess._core.prizes) == sorted(position._core.prizes)
    assert max(each.number for each in heard if isinstance(each, PrizeTurned)) == 7


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("laid", [(), (0,), (1,)])
@pytest.mark.parametrize("rounds", [0, 5, 12, 13])
def test_a_guess_shows_the_same_and_can_be_played_on_to_the_end(viewer, laid, rounds):
    position, heard = begin(seed="33" * 32)
    for number in range(1, rounds + 1):
        position.play(0, Bid(number), float(number))
        position.play(1, Bid(14 - number), float(number))
    if rounds < 13:
        for seat in laid:
            position.play(seat, position.legal_moves(seat)[0], 20.0)
    before = [position.seen_by(seat) for seat in (0, 1, None)], len(heard)
    guess = position.guess(viewer, Random(1))
    assert guess.seen_by(viewer) == position.seen_by(viewer)
    for seat in (0, 1):
        assert guess.legal_moves(seat) == position.legal_moves(seat)
    assert (guess.to_move(), guess.due()) == (position.to_move(), position.due())
    while guess.to_move():
        seat = min(guess.to_move())
        guess.play(seat, guess.legal_moves(seat)[-1], 99.0)
    assert len(guess.seen_by(None).shown) == 13
    assert ([position.seen_by(seat) for seat in (0, 1, None)], len(heard)) == before


def test_a_guess_draws_a_card_laid_by_another_from_the_hand_and_keeps_ones_own():
    position, _ = rising(3, bids=[(2, 2)])
    position.play(0, Bid(3), 0.0)
    guesses = [position.guess(1, Random(seed)) for seed in range(30)]
    assert {each.seen_by(0).own for each in guesses} == {1, 3}
    assert {position.guess(0, Random(seed)).seen_by(0).own for seed in range(9)} == {3}


def test_a_guess_of_a_forfeited_game_is_over_too():
    position, _ = begin()
    position.leave(1, "left", 1.0)
    guess = position.guess(0, Random(1))
    assert guess.outcome == position.outcome
    assert guess.seen_by(0) == position.seen_by(0)


# -- the record -----------------------------------------------------------------------


def test_moves_and_events_can_be_written_down_and_read_again():
    position, heard = rising(3, bids=[(2, 2)])
    position.play(0, Bid(1), 0.0)
    position.leave(0, "left", 0.0)
    kinds = {kind for event in heard for kind in [type(event)]}
    assert kinds == set(RULES.events)
    for thing in (*heard, Bid(4)):
        assert build(type(thing), plain(thing)) == thing
        assert attrs.fields(type(thing)) is not None


def test_every_open_pair_is_open_on_purpose(unanswered):
    assert unanswered(RoundMachine, Round) == {
        *(("revealed", each) for each in ("bid", "last_bid", "forfeit")),
        *(("over", each) for each in ("open", "bid", "last_bid", "forfeit")),
        ("collecting", "open"),
    }
