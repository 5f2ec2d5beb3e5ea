from __future__ import annotations

from functools import cache
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.bots import bots_of, find_bot
from gamecore.bots.nim import (
    AT_ONCE,
    LEVELS,
    MOST_POSITIONS,
    NimBot,
    Tablebase,
    highest_maximum,
    tablebase_of,
)
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.games.nim import RULES, NimOptions, Take
from gamecore.rules import Seat

PERFECT = LEVELS["perfect"]
small = st.builds(
    NimOptions,
    stones=st.integers(1, 24),
    resets=st.integers(0, 2),
    maximum=st.integers(1, 5),
)


def begin(options):
    seats = [Seat("north"), Seat("south")]
    return RULES.begin(seats, options, Deal("ab" * 32, []), tell_nobody, 0.0)


@cache
def lost(first, left, limit, stored, own, other):
    """Say by the rules alone whether who is to move has lost: tries every take."""
    if left <= limit:
        return False
    for stones in range(1, limit + 1):
        for reset in (False, True)[: 1 + (own > 0)]:
            maximum = max(limit if stored is None else stored, stones + 1)
            now, kept = (first, maximum) if reset else (maximum, None)
            if lost(first, left - stones, now, kept, other, own - reset):
                return False
    return True


def lost_in(position, options):
    view = position.seen_by(None)
    board, mover = view.board, view.mover
    own, other = board.resets[mover], board.resets[1 - mover]
    return lost(options.maximum, board.left, board.limit, view.stored, own, other)


def play(position, players, chance, now=0.0):
    """Play to the end, and give the seat that won."""
    while position.outcome is None:
        (seat,) = position.to_move()
        moves = position.legal_moves(seat)
        position.play(seat, players[seat].choose(position.seen_by(seat), moves, chance), now)
    return position.outcome.winners[0]


@given(options=small, seed=st.integers(0, 999))
def test_the_book_agrees_with_trying_every_take(options, seed):
    chance, position = Random(seed), begin(options)
    tablebase = Tablebase(options.maximum, highest_maximum(options), options.resets)
    assert tablebase.extend(options.stones)
    while position.outcome is None:
        view = position.seen_by(None)
        board, mover = view.board, view.mover
        maximum = board.limit if view.stored is None else view.stored
        resets = board.resets[mover], board.resets[1 - mover]
        told = tablebase.lost(board.left, maximum, view.stored is not None, *resets)
        assert told == lost_in(position, options)
        position.play(mover, chance.choice(position.legal_moves(mover)), 0.0)


@given(options=small, seed=st.integers(0, 999))
def test_the_perfect_bot_wins_every_game_that_can_be_won(options, seed):
    chance, position = Random(seed), begin(options)
    better = int(lost_in(position, options))  # the seat that has it in hand
    players = {better: PERFECT, 1 - better: NimBot(mistakes=1.0)}
    assert play(position, players, chance) == better


@settings(max_examples=40)
@given(options=small, seed=st.integers(0, 999))
def test_a_mistake_against_the_perfect_bot_is_the_last(options, seed):
    chance, position = Random(seed), begin(options)
    was_lost = False
    while position.outcome is None:
        (seat,) = position.to_move()
        if seat == 0:
            was_lost = was_lost or lost_in(position, options)
            bot = NimBot(mistakes=1.0)
        else:
            was_lost = was_lost or not lost_in(position, options)
            bot = PERFECT
        position.play(
            seat, bot.choose(position.seen_by(seat), position.legal_moves(seat), chance), 0
        )
    assert position.outcome.winners == ((1,) if was_lost else (0,))


def test_nobody_beats_the_perfect_bot_twice_in_seat_and_turn_about():
    options = NimOptions(stones=40)
    for seed in range(10):
        chance = Random(seed)
        winners = [
            play(begin(options), seats, chance)
            for seats in ([PERFECT, PERFECT], [PERFECT, LEVELS["easy"]], [LEVELS["easy"], PERFECT])
        ]
        best = winners[0]
        assert winners[1 + best] == best


def test_the_easy_bot_can_be_beaten():
    options = NimOptions(stones=30, resets=1)
    best = play(begin(options), [PERFECT, PERFECT], Random(1))
    seats = [PERFECT, PERFECT]
    seats[best] = LEVELS["easy"]
    won = sum(play(begin(options), seats, Random(seed)) != best for seed in range(30))
    assert 5 < won <= 30


def test_a_usual_game_is_known_from_its_first_move():
    tablebase = tablebase_of(NimOptions())
    assert tablebase.extend(100)


def test_a_book_grows_by_little_at_a_time_and_has_an_end():
    options = NimOptions(stones=1000)
    tablebase = Tablebase(options.maximum, highest_maximum(options), 4)
    row = (highest_maximum(options) - options.maximum + 1) * 50
    pages = 0
    while tablebase.rows < tablebase.longest:
        before = tablebase.rows
        assert not tablebase.extend(1000)
        assert 0 < (tablebase.rows - before) * row <= max(AT_ONCE, row)
        pages += 1
    assert pages > 2
    assert tablebase.longest * row <= MOST_POSITIONS
    assert not tablebase.extend(1000)


def test_too_big_a_game_has_no_book_and_is_played_all_the_same():
    options = NimOptions(stones=1_000_000, resets=1000, maximum=1000)
    assert tablebase_of(options) is None
    position = begin(options)
    take = PERFECT.choose(position.seen_by(0), position.legal_moves(0), Random(1))
    assert take.stones < 1000
    assert not take.reset


def test_where_the_book_does_not_reach_the_maximum_is_left_alone():
    options = NimOptions(stones=5000, resets=9)
    position, chance = begin(options), Random(3)
    for _ in range(10):
        (seat,) = position.to_move()
        take = PERFECT.choose(position.seen_by(seat), position.legal_moves(seat), chance)
        position.play(seat, take, 0.0)
    view = position.seen_by(None)
    assert (view.board.limit, view.board.resets) == (3, (9, 9))


def test_the_last_stones_are_taken_even_by_the_easy_bot():
    position = begin(NimOptions(stones=3))
    for seed in range(20):
        take = LEVELS["easy"].choose(position.seen_by(0), position.legal_moves(0), Random(seed))
        assert take == Take(3)


def test_a_lost_game_is_made_long():
    position = begin(NimOptions(stones=4, resets=0))
    assert lost_in(position, NimOptions(stones=4, resets=0))
    take = PERFECT.choose(position.seen_by(0), position.legal_moves(0), Random(1))
    assert take == Take(1)


@pytest.mark.parametrize("level", LEVELS)
def test_the_levels_are_installed(level):
    assert find_bot("nim", level) is bots_of("nim")[level]


def test_the_highest_maximum_is_never_passed():
    for stones in range(1, 40):
        for first in range(1, 6):
            options = NimOptions(stones=stones, maximum=first, resets=0)
            position = begin(options)
            while position.outcome is None:
                (seat,) = position.to_move()
                position.play(seat, position.legal_moves(seat)[-1], 0.0)
            assert position.seen_by(None).board.limit <= highest_maximum(options)


def test_options_that_differ_only_in_time_share_a_book():
    options = NimOptions()
    assert tablebase_of(options) is tablebase_of(evolve(options, seconds=5))
