"""Whatever happens in a game of Rikiki, nobody learns more than they may, and a guess fits all they learned."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.cards import PACK
from gamecore.codec import plain
from gamecore.errors import Refused
from gamecore.events import EVERYONE, heard_by
from gamecore.fairness import Deal
from gamecore.games.rikiki import (
    RULES,
    Asked,
    Bid,
    BidPlaced,
    CardPlayed,
    Dealt,
    HandDealt,
    PlayCard,
    RoundScored,
    TrickTaken,
    TrumpTurned,
)
from gamecore.record import build
from gamecore.rules import NextRound

CHOICES = {
    "first": st.integers(1, 6),
    "schedule": st.sampled_from(["down", "down-up"]),
    "top_trump": st.sampled_from(["if-left", "never"]),
    "hook": st.sampled_from(["off", "last", "last-over"]),
    "next": st.sampled_from(["anyone", "opener"]),
}


def step(table, chance):
    """Do one thing at random: a move nearly always, else let time run out or somebody leave."""
    position = table.position
    table.now += 1.0
    seat = chance.choice(sorted(position.to_move()))
    fate = chance.random()
    if fate < 0.1:
        table.now = position.due()[seat]
        position.time_up(seat, table.now)
    elif fate < 0.12:
        position.leave(chance.randrange(len(table.view.totals)), "left", table.now)
    else:
        table.do(seat, chance.choice(position.legal_moves(seat)))


@st.composite
def games(draw):
    """Draw options, and chance to play a part of a game with."""
    options = {name: draw(choice) for name, choice in CHOICES.items()}
    chance = Random(draw(st.integers(0, 2**32)))
    return draw(st.integers(2, 6)), options, chance, draw(st.integers(0, 60))


def played(game, drawn):
    players, options, chance, steps = drawn
    table = game(players, deal=Deal(chance.randbytes(32).hex()), **options)
    while steps and table.position.outcome is None:
        step(table, chance)
        steps -= 1
    return table, chance


def seats_of(table):
    return [None, *range(len(table.view.totals))]


def shown(position, seat):
    """Give all that follows from what a seat may know."""
    moves = [] if seat is None else list(position.legal_moves(seat))
    return position.seen_by(seat), moves, position.to_move(), dict(position.due())


def hands_of(position):
    """Look at all the hands."""
    return [position.seen_by(seat).hand for seat in range(len(position.seen_by(None).totals))]


def finish(position, chance):
    """Play a position to its end."""
    now = position.seen_by(None).since
    while position.outcome is None:
        seat = chance.choice(sorted(position.to_move()))
        position.play(seat, chance.choice(position.legal_moves(seat)), now)


@given(games())
def test_a_guess_shows_its_seat_the_same_and_can_be_played_to_the_end(game, drawn):
    table, chance = played(game, drawn)
    heard = list(table.heard)
    for seat in seats_of(table):
        guess = table.position.guess(seat, chance)
        assert shown(guess, seat) == shown(table.position, seat)
        held = [card for hand in hands_of(guess) for card in hand]
        assert len(set(held)) == len(held)
        finish(guess, chance)
    assert table.heard == heard


@given(games())
def test_a_guess_gives_nobody_a_suit_they_are_known_not_to_have(game, drawn):
    table, chance = played(game, drawn)
    view = table.view
    tricks = [each.cards for each in view.tricks]
    tricks += [view.table] if view.phase == "playing" else []
    lacking = {
        (laid.seat, trick[0].card.suit)
        for trick in tricks
        for laid in trick
        if laid.card.suit != trick[0].card.suit
    }
    for seat in seats_of(table):
        hands = hands_of(table.position.guess(seat, chance))
        assert not lacking & {(each, card.suit) for each, hand in enumerate(hands) for card in hand}


def heard_in(position, seat, mover, move):
    """Play a move in a guess, and give what a seat hears and sees, or why it was refused."""
    said = []
    position._game.emit = position._core.emit = said.append
    try:
        position.play(mover, move, 1000.0)
    except Refused as refusal:
        return refusal.key, refusal.facts
    return heard_by(seat, said), shown(position, seat)


@given(games())
def test_what_others_hold_changes_nothing_that_a_seat_hears(game, drawn):
    table, chance = played(game, drawn)
    mover = table.view.turn
    if mover is None or table.view.gone:  # the house would show a card of another's
        return
    for seat in seats_of(table):
        one, other = (table.position.guess(seat, chance) for _ in range(2))
        common = [each for each in one.legal_moves(mover) if each in other.legal_moves(mover)]
        if common:
            move = chance.choice(common)
            assert heard_in(one, seat, mover, move) == heard_in(other, seat, mover, move)


@given(games())
def test_why_a_move_is_refused_says_nothing_of_other_hands(game, drawn):
    table, chance = played(game, drawn)
    moves = [NextRound(), Bid(2), Bid(99), *map(PlayCard, chance.sample(PACK, 4))]
    for seat in range(len(table.view.totals)):
        pair = None
        for move in moves:
            pair = pair or [table.position.guess(seat, chance) for _ in range(2)]
            first, again = (heard_in(each, seat, seat, move) for each in pair)
            if isinstance(first[0], str):
                assert first == again
            else:
                assert not isinstance(again[0], str)
                pair = None  # they have gone on


@given(games())
def test_what_a_seat_has_heard_tells_all_that_it_can_see(game, drawn):
    table, _ = played(game, drawn)
    for seat in seats_of(table):
        view = table.position.seen_by(seat)
        hand, bids, laid, tricks = set(), {}, [], 0
        won, held, totals = Counter(), Counter(), Counter()
        for event in heard_by(seat, table.heard):
            match event:
                case Dealt():
                    dealt, bids, won, tricks = event, {}, Counter(), 0
                    held = Counter(dict.fromkeys(event.order, event.cards))
                case TrumpTurned():
                    turned = event.card
                case HandDealt():
                    assert event.seat == seat
                    hand = set(event.cards)
                case Asked():
                    assert event.seat == seat
                    asked = event
                case BidPlaced():
                    bids[event.seat] = event.tricks
                    assert event.total == sum(bids.values())
                case CardPlayed():
                    held[event.seat] -= 1
                    hand.discard(event.card)
                    laid = [] if event.leads else laid
                    laid.append((event.seat, event.card))
                case TrickTaken():
                    won[event.seat] += 1
                    tricks += 1
                    assert won[event.seat] == event.won
                case RoundScored():
                    totals = Counter({each.seat: each.total for each in event.results})
        assert (dealt.number, dealt.cards, turned) == (view.number, view.cards, view.turned)
        assert hand == set(view.hand)
        seats = range(len(view.totals))
        assert [bids.get(each) for each in seats] == list(view.bids)
        assert [won[each] for each in seats] == list(view.won)
        assert [held[each] for each in seats] == list(view.held)
        assert [totals[each] for each in seats] == list(view.totals)
        if tricks or view.table:
            assert laid == [(each.seat, each.card) for each in view.table]
        if seat is not None and view.turn == seat:
            moves = table.position.legal_moves(seat)
            cards = [each.card for each in moves if isinstance(each, PlayCard)]
            assert list(asked.cards) == cards
            assert list(asked.bids) == [each.tricks for each in moves if not cards]


@given(games())
@settings(max_examples=30)
def test_every_event_and_view_can_be_written_down_and_read_again(game, drawn):
    table, _ = played(game, drawn)
    for event in table.heard:
        assert build(type(event), plain(event)) == event
    for seat in seats_of(table):
        view = table.position.seen_by(seat)
        assert build(type(view), plain(view)) == view
    assert {type(each) for each in table.heard} <= set(RULES.events)


def test_guesses_differ_in_the_hands_and_in_the_deals_to_come(game):
    table = game(3, first=4)
    table.bid(1, 1)
    guesses = [table.position.guess(0, Random(seed)) for seed in range(8)]
    assert len({hands_of(each)[1] for each in guesses}) == 8
    for guess in guesses:
        finish(guess, Random(1))
    assert len({guess.seen_by(None).turned for guess in guesses}) > 1


def test_each_unseen_card_is_as_likely_in_each_hand(game):
    table = game(2, first=13)
    chance = Random(7)
    found = Counter()
    for _ in range(2000):
        found.update(hands_of(table.position.guess(0, chance))[1])
    unseen = set(PACK) - set(table.position.seen_by(0).hand) - {table.view.turned}
    assert set(found) == unseen
    assert all(abs(count - 2000 * 13 / 38) < 120 for count in found.values())


def test_where_only_one_deal_fits_it_is_the_guess(game, hand):
    """Four suits, two players, all cards dealt: what follows from many voids is found, however tight."""
    table = game(2, deal=Deal("33" * 32))
    table.bid(0, 0)
    chance = Random(2)
    while table.view.held[0] > 3:
        seat = table.view.turn
        table.do(seat, chance.choice(table.position.legal_moves(seat)))
    real = hands_of(table.position)
    for seat in (0, 1):
        assert hands_of(table.position.guess(seat, chance)) == real


@pytest.mark.parametrize("seat", [None, 1])
def test_a_card_that_the_clock_chose_rules_out_all_that_came_before_it(game, hand, seat):
    table = game(2, "KS 5H 2S 3S 4C", first=2)
    table.bid(0, 0)
    table.position.time_up(0, 200.0)  # the king of spades: the first of the hand
    spades = set(hand("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS"))
    for number in range(200):
        guessed = hands_of(table.position.guess(seat, Random(number)))
        assert not spades & set(guessed[0])


def test_only_hands_and_questions_are_for_one_seat_alone(game):
    table = game(3)
    table.bid(1)
    private = {type(each).__name__ for each in table.heard if each.audience is not EVERYONE}
    assert private == {"HandDealt", "Asked", "Awaited"}
