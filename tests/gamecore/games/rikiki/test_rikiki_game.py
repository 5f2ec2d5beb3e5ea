"""Whole games of Rikiki, from the first bid to the last trick."""

from __future__ import annotations

from random import Random

import pytest

from gamecore.cards import Card, in_order
from gamecore.errors import Refused
from gamecore.events import AllBut, Only, RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.rikiki import (
    RULES,
    Asked,
    Awaited,
    Bid,
    BidPlaced,
    CardPlayed,
    Dealt,
    HandDealt,
    Laid,
    PlayCard,
    Result,
    RikikiView,
    RoundScored,
    Trick,
    TrickTaken,
    TrumpTurned,
)
from gamecore.games.rikiki.round import Round, RoundMachine
from gamecore.rules import Move, NextRound, Outcome

# The example of the line protocol: three people, two cards and then one.
ROUND_1 = "AH 7S 10H 2S 3H KD 5S"
ROUND_2 = "9C AD 4C QC"


@pytest.fixture
def example(game):
    return game(3, ROUND_1, ROUND_2, first=2)


def asked(text, hand):
    return tuple(in_order(hand(text)))


def test_a_game_begins_with_a_deal_and_the_first_seat_is_asked_for_a_bid(example, hand):
    assert example.heard == [
        RoundBegan(1),
        Dealt(1, 2, 2, (0, 1, 2)),
        HandDealt(0, hand("7S AH")),
        HandDealt(1, hand("2S 10H")),
        HandDealt(2, hand("KD 3H")),
        TrumpTurned(Card("5", "S")),
        Awaited(0, "bid"),
        Asked(0, (0, 1, 2), ()),
    ]


def test_nobody_hears_of_cards_that_are_not_their_own():
    assert HandDealt(1, ()).audience == Asked(1, (), ()).audience == Only(1)
    assert Awaited(1, "bid").audience == AllBut(1)


def test_bids_are_heard_in_order_and_the_first_bidder_leads(example, hand):
    example.fresh()
    example.bid(1, 0, 0)
    assert example.heard == [
        BidPlaced(0, 1, "", 1, 2),
        Awaited(1, "bid"),
        Asked(1, (0, 1, 2), ()),
        BidPlaced(1, 0, "", 1, 2),
        Awaited(2, "bid"),
        Asked(2, (0, 1, 2), ()),
        BidPlaced(2, 0, "", 1, 2),
        Awaited(0, "play"),
        Asked(0, (), hand("7S AH")),
    ]


def test_a_trick_goes_to_its_winner_who_leads_next_and_it_stays_on_the_table(example, hand):
    example.bid(1, 0, 0)
    example.fresh()
    example.lay("AH 10H 3H")
    assert example.heard == [
        CardPlayed(0, Card("A", "H"), "", True),
        Awaited(1, "play"),
        Asked(1, (), hand("10H")),
        CardPlayed(1, Card("10", "H"), "", False),
        Awaited(2, "play"),
        Asked(2, (), hand("3H")),
        CardPlayed(2, Card("3", "H"), "", False),
        TrickTaken(0, Card("A", "H"), 1),
        Awaited(0, "play"),
        Asked(0, (), hand("7S")),
    ]
    view = example.view
    assert (view.phase, [laid.card for laid in view.table]) == (
        "between-tricks",
        [*hand("AH 10H 3H")],
    )
    example.lay("7S")
    assert (example.view.phase, example.view.table) == ("playing", (Laid(0, Card("7", "S")),))


def test_the_end_of_a_round_tells_the_results_and_everybody_may_begin_the_next(example):
    example.bid(1, 0, 0)
    example.lay("AH 10H 3H 7S 2S")
    example.fresh()
    example.lay("KD")
    results = (Result(0, 1, 2, 2, 2), Result(1, 0, 0, 10, 10), Result(2, 0, 0, 10, 10))
    assert example.heard[1:] == [
        TrickTaken(0, Card("7", "S"), 2),
        RoundScored(1, 2, results),
        RoundOver(1),
    ]
    assert example.position.to_move() == {0, 1, 2}
    assert [example.position.legal_moves(seat) for seat in range(3)] == [[NextRound()]] * 3
    view = example.view
    assert (view.phase, view.turn, len(view.table), len(view.tricks)) == ("done", None, 3, 2)


def test_the_next_round_has_a_card_less_and_begins_one_seat_on(example):
    example.play_round()
    example.fresh()
    example.do(2, NextRound())
    assert example.heard[:2] == [RoundBegan(2), Dealt(2, 2, 1, (1, 2, 0))]
    assert example.heard[-3] == TrumpTurned(Card("Q", "C"))
    assert example.heard[-2:] == [Awaited(1, "bid"), Asked(1, (0, 1), ())]
    assert example.view.bids == (None, None, None)
    assert example.view.won == (0, 0, 0)


def test_the_last_round_ends_the_game_with_the_totals(example):
    example.bid(1, 0, 0)
    example.lay("AH 10H 3H 7S 2S KD")
    example.do(0, NextRound())
    example.bid(1, 0, 0)
    example.lay("9C AD")
    assert example.position.outcome is None
    example.lay("4C")
    assert example.position.outcome == Outcome((3, 1, 2), (12, 21, 20))
    assert example.heard[-1] == RoundOver(2)
    assert example.position.to_move() == frozenset()
    assert not example.position.due()
    assert example.refusal(0, NextRound()) == "wrong-state"


def test_all_leaders_win(game):
    table = game(3, "2C 3D 4H 5S", first=1)
    table.bid(1, 0, 1)
    table.lay("2C 3D 4H")
    assert table.position.outcome == Outcome((1, 2, 3), (11, 10, 0))
    table = game(3, "2C 3D 4H 5S", first=1)
    table.bid(0, 0, 0)
    table.lay("2C 3D 4H")
    assert table.position.outcome == Outcome((3, 1, 1), (1, 10, 10))
    assert table.position.outcome.winners == (1, 2)


def test_without_points_nobody_loses(game):
    table = game(2, first=1, scoring="none")
    table.play_round()
    assert table.position.outcome == Outcome((1, 1), None)


def test_a_watcher_sees_what_everybody_sees_and_a_seat_its_own_hand_besides(example, hand):
    example.bid(1, 0, 0)
    example.lay("AH 10H 3H 7S")
    expected = RikikiView(
        options=example.view.options,
        seat=None,
        number=1,
        rounds=2,
        cards=2,
        order=(0, 1, 2),
        turned=Card("5", "S"),
        phase="playing",
        turn=1,
        since=0.0,
        hand=(),
        bids=(1, 0, 0),
        won=(1, 0, 0),
        held=(0, 1, 1),
        table=(Laid(0, Card("7", "S")),),
        tricks=(Trick(tuple(map(Laid, range(3), hand("AH 10H 3H"))), 0),),
        totals=(0, 0, 0),
        results=(),
        gone=(),
        over=False,
    )
    assert example.view == expected
    assert (expected.trump, expected.led) == ("S", Card("7", "S"))
    assert example.position.seen_by(1).hand == hand("2S")
    assert example.position.seen_by(1).seat == 1


# -- what is refused ------------------------------------------------------------------


def test_only_the_current_player_bids_and_only_once(example):
    assert example.refusal(1, Bid(0)) == "not-your-turn"
    example.bid(1)
    assert example.refusal(0, Bid(2)) == "not-your-turn"
    assert example.view.bids == (1, None, None)


@pytest.mark.parametrize("tricks", [-1, 3, 10**30])
def test_a_bid_is_between_nothing_and_all(example, tricks):
    assert example.refusal(0, Bid(tricks)) == "bid-range"


@pytest.mark.parametrize("tricks", [True, 1.0, "1", None])
def test_a_bid_is_a_whole_number(example, tricks):
    assert example.refusal(0, Bid(tricks)) == "not-a-number"


def test_the_hook_refuses_the_last_bidder_alone(game):
    table = game(3, first=2, hook="last")
    table.bid(2, 0)
    assert table.refusal(2, Bid(0)) == "bid-hook"
    assert table.position.legal_moves(2) == [Bid(1), Bid(2)]


def test_no_card_is_played_while_bids_are_awaited_and_no_bid_after(example, hand):
    (card,) = hand("AH")
    assert example.refusal(0, PlayCard(card)) == "wrong-state"
    example.bid(1, 0, 0)
    assert example.refusal(0, Bid(1)) == "wrong-state"
    example.lay("AH 10H 3H")
    assert example.refusal(0, Bid(1)) == "wrong-state"


def test_only_the_current_player_plays_a_card_that_is_held_and_follows(example, hand):
    ace, ten, two, three = hand("AH 10H 2S 3H")
    example.bid(1, 0, 0)
    assert example.refusal(1, PlayCard(ten)) == "not-your-turn"
    assert example.refusal(0, PlayCard(three)) == "not-your-card"
    example.lay("AH")
    assert example.refusal(1, PlayCard(two)) == "follow-suit"
    assert example.refusal(2, PlayCard(three)) == "not-your-turn"
    assert example.refusal(1, PlayCard(ace)) == "not-your-card"
    example.lay("10H 3H")
    assert example.refusal(1, PlayCard(two)) == "not-your-turn"
    assert len(example.view.table) == 3


def test_whoever_must_follow_hears_what_was_led_and_what_they_hold(example, hand):
    example.bid(1, 0, 0)
    example.lay("AH")
    with pytest.raises(Refused) as refused:
        example.do(1, PlayCard(hand("2S")[0]))
    led, held = hand("AH 10H")
    assert refused.value.facts == {"led": led, "held": held}


def test_the_next_round_is_not_begun_before_the_end_of_this_one(example):
    assert example.refusal(0, NextRound()) == "wrong-state"
    example.bid(1, 0, 0)
    assert example.refusal(0, NextRound()) == "wrong-state"
    example.play_round()
    example.do(1, NextRound())
    assert example.refusal(2, NextRound()) == "wrong-state"


def test_a_move_of_another_game_is_refused(example):
    assert example.refusal(0, Move()) == "no-such-move"


def test_the_opener_alone_may_begin_the_next_round_where_the_table_says_so(game):
    table = game(3, first=2, next="opener")
    table.play_round()
    assert table.position.to_move() == {0}
    assert table.refusal(1, NextRound()) == "not-your-turn"
    table.position.leave(0, "left", 0.0)
    assert table.position.to_move() == {1}
    table.do(1, NextRound())
    assert table.view.number == 2


# -- time -----------------------------------------------------------------------------


def test_each_decision_has_its_seconds_and_the_pause_its_own(game):
    table = game(2, first=2, seconds=10, pause=20)
    assert table.position.due() == {0: 10.0}
    table.now = 4.0
    table.bid(0)
    assert table.position.due() == {1: 14.0}
    table.play_round()
    assert table.position.due() == {0: 24.0, 1: 24.0}


def test_whoever_is_late_bids_the_least_and_plays_the_first_card_and_it_is_said(game, hand):
    table = game(2, "KS 5H 2S 3S 4C", first=2, hook="last")
    table.position.time_up(0, 9.0)
    assert BidPlaced(0, 0, "time", 0, 2) in table.heard
    assert table.position.due() == {1: 129.0}
    table.bid(0)
    table.position.time_up(0, 130.0)
    assert table.heard[-3] == CardPlayed(0, Card("K", "S"), "time", True)
    assert table.view.table == (Laid(0, Card("K", "S"), "time"),)


def test_a_pause_ends_by_itself_once(game):
    table = game(2, first=2)
    table.play_round()
    table.position.time_up(1, 60.0)
    assert (table.view.number, table.view.turn) == (2, 1)
    before = table.state()
    table.position.time_up(0, 60.0)  # as was due in the pause
    assert table.state() == before


# -- leaving --------------------------------------------------------------------------


def test_the_house_plays_on_for_one_who_left_and_nobody_waits_for_it(game):
    table = game(3, first=3)
    table.now = 5.0
    table.position.leave(1, "left", 5.0)
    assert table.view.turn == 0
    assert table.position.due() == {0: 120.0}
    table.bid(1)
    assert table.view.bids == (1, 0, None)
    assert BidPlaced(1, 0, "left", 1, 3) in table.heard
    assert table.view.turn == 2
    assert not any(each in table.heard for each in (Awaited(1, "bid"), Awaited(1, "play")))
    table.play_round()
    assert all(
        laid.forced == "left"
        for trick in table.view.tricks
        for laid in trick.cards
        if laid.seat == 1
    )


def test_whoever_leaves_in_turn_decides_at_once(game):
    table = game(3, first=2)
    table.position.leave(0, "left", 3.0)
    assert table.view.bids == (0, None, None)
    assert table.position.due() == {1: 123.0}
    assert table.view.gone == (0,)


def test_whoever_left_is_behind_all_who_did_not(game):
    table = game(3, "2C 3D 4H 5S", first=1)
    table.bid(1, 0)
    table.position.leave(0, "left", 0.0)
    table.play_round()
    assert table.position.outcome == Outcome((3, 1, 1), (11, 10, 10))


@pytest.mark.parametrize("bids", [(), (0,), (0, 0)])
def test_the_last_who_has_not_left_wins(game, bids):
    table = game(2, first=2)
    table.bid(*bids)
    table.position.leave(0, "left", 0.0)
    assert table.position.outcome == Outcome((2, 1), (0, 0), "left")
    assert table.heard[-1] == RoundOver(1)
    assert table.position.to_move() == frozenset()
    assert table.view.over
    before = table.state()
    table.position.leave(1, "left", 0.0)
    assert table.state() == before


def test_a_game_may_end_in_a_pause_without_a_round_ending_twice(game):
    table = game(2, first=2)
    table.play_round()
    table.position.leave(1, "left", 0.0)
    assert table.position.outcome.winners == (0,)
    assert [each for each in table.heard if isinstance(each, RoundOver)] == [RoundOver(1)]


# -- whole games ----------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 7, 26])
@pytest.mark.parametrize("schedule", ["down", "down-up"])
def test_a_whole_game_adds_up(game, players, schedule):
    chance = Random(players)
    table = game(players, deal=Deal("5a" * 32), schedule=schedule)
    numbers = []
    while table.position.outcome is None:
        seat = chance.choice(sorted(table.position.to_move()))
        table.do(seat, chance.choice(table.position.legal_moves(seat)))
        if table.view.phase == "done" and table.view.number not in numbers:
            numbers.append(table.view.number)
            assert sum(table.view.won) == table.view.cards
            assert table.view.held == (0,) * players
    assert numbers == list(range(1, table.view.rounds + 1))
    totals = [0] * players
    for result in (each for round in table.view.results for each in round):
        totals[result.seat] += result.won + 10 * (result.won == result.bid)
        assert result.total == totals[result.seat]
    assert table.position.outcome.scores == tuple(totals)


def test_rules_say_what_they_know():
    assert (RULES.kind, RULES.seats, RULES.brings) == ("rikiki", range(2, 27), None)


def test_inputs_without_an_answer_are_those_that_cannot_come(unanswered):
    playing_cards = ["card", "card_ends_trick", "card_ends_round"]
    assert unanswered(RoundMachine, Round) == {
        *(("bidding", each) for each in playing_cards),
        *(("playing", each) for each in ("bid", "last_bid")),
        *(("between_tricks", each) for each in ("bid", "last_bid", *playing_cards[1:])),
        *(("done", each) for each in ("bid", "last_bid", "break_off", *playing_cards)),
    }
