"""Expanding Nim: the tables of its specification, sections 1.1 to 1.4, line by line."""

from __future__ import annotations

from math import inf, nextafter
from random import Random

import pytest

from gamecore.errors import Refused
from gamecore.events import RoundBegan, RoundOver
from gamecore.fairness import Deal
from gamecore.games.nim import (
    RULES,
    Board,
    Faulted,
    NimOptions,
    NimView,
    PileSet,
    Take,
    Taken,
)
from gamecore.games.nim.round import Round, RoundMachine
from gamecore.rules import NextRound, Outcome, Seat

NOBODY_HURRIES = {"seconds": 1000}
PEOPLE = [Seat("north"), Seat("south")]


def begin(now=0.0, **options):
    """Begin a game; give its position and the list that grows with what happens."""
    heard = []
    settings = NimOptions(**{**NOBODY_HURRIES, **options})
    position = RULES.begin(PEOPLE, settings, Deal("00" * 32), heard.append, now)
    return position, heard


def limits(position, heard, moves, now=0.0):
    """Play moves in turn and list the maximum after each."""
    for number, move in enumerate(moves):
        position.play(number % 2, move, now)
    return [each.board.limit for each in heard if isinstance(each, Taken)]


def refusal(position, seat, move, now=0.0):
    """Give the key of a refusal that has changed nothing."""
    before = position.seen_by(None), position.to_move(), position.due()
    with pytest.raises(Refused) as refused:
        position.play(seat, move, now)
    assert (position.seen_by(None), position.to_move(), position.due()) == before
    return refused.value.key


def test_a_game_begins_with_its_pile_and_seat_0():
    position, heard = begin(stones=20)
    assert heard == [RoundBegan(1), PileSet(NimOptions(20, seconds=1000))]
    board = Board(20, 3, (4, 4), (0, 0))
    assert position.seen_by(0) == NimView(NimOptions(20, seconds=1000), board, 0, 0.0, None, None)
    assert position.to_move() == {0}
    assert position.outcome is None


def test_the_view_tells_what_comes_back_after_a_reset_and_since_when_the_mover_thinks():
    position, _ = begin(stones=20)
    position.play(0, Take(3, True), 1.5)
    view = position.seen_by(None)
    assert (view.board.limit, view.stored, view.since, view.mover) == (3, 4, 1.5, 1)


def test_whoever_goes_is_not_taken_for_one_who_played_wrong():
    position, heard = begin(stones=20)
    position.leave(0, "turn", 1.0)
    assert heard[-2].fault == "left"


# -- 1.1: the maximum -----------------------------------------------------------------


def test_the_worked_line_of_the_specification():
    position, heard = begin(stones=40, resets=2)
    line = [Take(3), Take(4), Take(5, True), Take(3), Take(6, True)]
    line += [Take(2, True), Take(3), Take(7, True), Take(3), Take(4)]
    assert limits(position, heard, line) == [4, 5, 3, 6, 3, 3, 7, 3, 8, 8]
    assert position.outcome == Outcome((2, 1), reason="last-stone")
    assert heard[-2:] == [Taken(1, 4, False, Board(0, 8, (0, 0), (0, 0)), won=True), RoundOver(1)]


def test_a_take_below_the_maximum_does_not_raise_it_and_nothing_shrinks_it():
    assert limits(*begin(), [Take(1), Take(2), Take(3), Take(1)]) == [3, 3, 4, 4]


def test_a_chain_of_resets_forgets_nothing_however_long():
    line = [Take(3), Take(4), Take(5), Take(6), *[Take(1, True)] * 6, Take(1)]
    assert limits(*begin(), line) == [4, 5, 6, 7, *[3] * 6, 7]


def test_the_take_after_a_reset_may_raise_the_restored_maximum():
    assert limits(*begin(), [Take(3, True), Take(3), Take(4)]) == [3, 4, 5]


def test_a_reset_is_checked_against_the_maximum_before_it():
    position, heard = begin(maximum=2)
    position.play(0, Take(2), 0.0)
    position.play(1, Take(3, True), 0.0)
    assert heard[-1] == Taken(1, 3, True, Board(95, 2, (4, 3), (0, 0)), won=False)
    position.play(0, Take(3), 0.0)
    assert heard[-2] == Faulted(0, "take", 3, False, Board(95, 2, (4, 3), (0, 0)))


# -- 1.2: the order of checks ---------------------------------------------------------


def test_1_a_move_after_the_end_is_refused():
    position, _ = begin(stones=1)
    position.play(0, Take(1), 0.0)
    assert refusal(position, 1, Take(1)) == "game-over"
    assert refusal(position, 0, Take(0)) == "game-over"


def test_2_time_comes_before_an_illegal_take_and_takes_no_stones():
    position, heard = begin(stones=20, seconds=10)
    position.play(0, Take(99, True), 10.5)
    late = Faulted(0, "time", 99, True, Board(20, 3, (4, 4), (10.5, 0)))
    assert heard[2:] == [late, RoundOver(1)]
    assert position.outcome == Outcome((2, 1), reason="time")


def test_3_a_move_out_of_turn_loses_even_if_it_is_illegal_too():
    position, heard = begin(stones=20)
    position.play(1, Take(99), 0.0)
    assert heard[2:] == [Faulted(1, "turn", 99, False, Board(20, 3, (4, 4), (0, 0))), RoundOver(1)]
    assert position.outcome == Outcome((1, 2), reason="turn")


@pytest.mark.parametrize("stones", [4, 1000, 0, -1, -1000])
def test_4_a_take_below_1_or_above_the_maximum_loses_and_moves_no_stone(stones):
    position, heard = begin(stones=20, resets=0)
    position.play(0, Take(stones, True), 0.0)  # the reset is wrong as well, and looked at later
    assert heard[2:] == [
        Faulted(0, "take", stones, True, Board(20, 3, (0, 0), (0, 0))),
        RoundOver(1),
    ]


def test_5_a_reset_with_none_left_loses_though_its_stones_are_gone():
    position, heard = begin(stones=20, resets=0)
    position.play(0, Take(3, True), 0.0)
    assert heard[2:] == [Faulted(0, "reset", 3, True, Board(17, 4, (0, 0), (0, 0))), RoundOver(1)]
    assert position.outcome == Outcome((2, 1), reason="reset")


def test_6_the_last_stone_wins():
    position, heard = begin(stones=2)
    position.play(0, Take(2), 1.0)
    assert heard[2:] == [Taken(0, 2, False, Board(0, 3, (4, 4), (1.0, 0)), won=True), RoundOver(1)]
    assert position.outcome == Outcome((1, 2), reason="last-stone")


def test_7_otherwise_the_turn_passes():
    position, heard = begin(stones=20)
    position.play(0, Take(2), 1.0)
    assert heard[2:] == [Taken(0, 2, False, Board(18, 3, (4, 4), (1.0, 0)), won=False)]
    assert position.to_move() == {1}
    assert position.seen_by(1).last == heard[-1]


def test_a_move_of_another_game_is_refused():
    position, _ = begin()
    assert refusal(position, 0, NextRound()) == "no-such-move"
    assert refusal(position, 1, NextRound()) == "no-such-move"


# -- 1.3: edge cases ------------------------------------------------------------------


def test_a_take_within_the_maximum_of_more_than_is_left_wins_with_the_number_asked_for():
    position, heard = begin(stones=5, resets=0)
    position.play(0, Take(3), 0.0)
    position.play(1, Take(4), 0.0)
    assert heard[-2] == Taken(1, 4, False, Board(0, 5, (0, 0), (0, 0)), won=True)


def test_the_last_stone_with_a_legal_reset_wins_and_shows_the_first_maximum():
    position, heard = begin(stones=6, resets=1)
    position.play(0, Take(3), 0.0)
    position.play(1, Take(3, True), 0.0)
    assert heard[-2] == Taken(1, 3, True, Board(0, 3, (1, 0), (0, 0)), won=True)


def test_the_last_stone_with_a_reset_too_many_loses_with_nothing_left():
    position, heard = begin(stones=3, resets=0)
    position.play(0, Take(3, True), 0.0)
    assert heard[2:] == [Faulted(0, "reset", 3, True, Board(0, 4, (0, 0), (0, 0))), RoundOver(1)]


def test_a_late_move_that_would_win_loses_on_time():
    position, heard = begin(stones=3, seconds=1)
    position.play(0, Take(3), 1.5)
    assert heard[-2] == Faulted(0, "time", 3, False, Board(3, 3, (4, 4), (1.5, 0)))


@pytest.mark.parametrize(
    "odd", [{"stones": 0}, {"maximum": 0}, {"resets": -1}, {"seconds": 0}, {"lag": -1}]
)
def test_settings_demand_a_game_that_can_be_played(odd):
    with pytest.raises(Refused):
        NimOptions(**odd)


# -- 1.4: clocks ----------------------------------------------------------------------


def test_the_clocks_run_only_for_the_mover_and_add_up():
    position, heard = begin(now=100.0)
    for seat, now in [(0, 101.5), (1, 103.5), (0, 107.5), (1, 107.5)]:
        position.play(seat, Take(1), now)
    assert [each.board.used for each in heard[2:]] == [(1.5, 0), (1.5, 2), (5.5, 2), (5.5, 2)]


def test_exactly_the_time_allowed_is_fine_and_strictly_more_loses():
    for late, outcome in [(10.0, None), (nextafter(10.0, inf), Outcome((2, 1), reason="time"))]:
        position, _ = begin(seconds=10)
        position.play(0, Take(1), late)
        assert position.outcome == outcome


def test_the_time_allowed_is_for_the_whole_game():
    position, heard = begin(seconds=10)
    position.play(0, Take(1), 6.0)
    position.play(1, Take(1), 16.0)  # to the last instant
    assert position.due() == {0: nextafter(20.0, inf)}
    position.play(0, Take(1), 20.25)
    assert heard[-2] == Faulted(0, "time", 1, False, Board(98, 3, (4, 4), (10.25, 10.0)))


def test_a_seat_is_due_at_the_first_instant_that_is_too_late():
    position, heard = begin(now=5.0, seconds=10)
    assert position.due() == {0: nextafter(15.0, inf)}
    position.time_up(0, position.due()[0])
    used = (nextafter(15.0, inf) - 5.0, 0)
    assert heard[2:] == [Faulted(0, "time", 0, False, Board(100, 3, (4, 4), used)), RoundOver(1)]
    assert used[0] > 10


def test_slow_sending_is_forgiven_to_each_think():
    position, heard = begin(seconds=10, lag=0.5)
    position.play(0, Take(1), 0.25)
    position.play(1, Take(1), 1.25)
    position.play(0, Take(1), 2.25)
    assert [each.board.used for each in heard[2:]] == [(0, 0), (0, 0.5), (0.5, 0.5)]
    assert position.due() == {1: nextafter(2.25 + 0.5 + 9.5, inf)}
    position.play(1, Take(1), 12.25)
    assert position.outcome is None
    position.play(0, Take(1), nextafter(12.25 + 0.5 + 9.5, inf))
    assert position.outcome == Outcome((2, 1), reason="time")


def test_a_lazy_clock_is_looked_at_only_when_a_move_arrives():
    position, heard = begin(seconds=1, lazy_clock=True)
    assert position.due() == {}
    position.play(0, Take(2), 99.0)
    assert heard[-2] == Faulted(0, "time", 2, False, Board(100, 3, (4, 4), (99.0, 0)))


def test_an_early_move_may_be_told_to_wait():
    position, heard = begin(early_moves="keep")
    assert refusal(position, 1, Take(1)) == "not-your-turn"
    assert refusal(position, 1, Take(99)) == "not-your-turn"
    position.play(0, Take(1), 3.0)
    position.play(1, Take(1), 3.0)
    assert heard[-1] == Taken(1, 1, False, Board(98, 3, (4, 4), (3.0, 0)), won=False)


def test_an_early_move_that_waits_re_arms_no_clock():
    position, _ = begin(early_moves="keep", seconds=10)
    assert refusal(position, 1, Take(1), now=9.0) == "not-your-turn"
    assert position.due() == {0: nextafter(10.0, inf)}


# -- leaving, and the end -------------------------------------------------------------


@pytest.mark.parametrize(("seat", "used"), [(0, (2.0, 0)), (1, (2.0, 0))])
def test_whoever_leaves_has_lost_whosever_turn_it_is(seat, used):
    position, heard = begin()
    position.leave(seat, "disconnected", 2.0)
    board = Board(100, 3, (4, 4), used)
    assert heard[2:] == [Faulted(seat, "disconnected", 0, False, board), RoundOver(1)]
    assert position.outcome.winners == (1 - seat,)
    assert position.outcome.reason == "disconnected"


def test_leaving_after_the_end_changes_nothing():
    position, heard = begin(stones=1)
    position.play(0, Take(1), 0.0)
    before = list(heard), position.seen_by(None), position.outcome
    for seat in (0, 1):
        position.leave(seat, "left", 5.0)
    assert (heard, position.seen_by(None), position.outcome) == before


@pytest.mark.parametrize("end", [Take(1), Take(2), Take(1, True)])
def test_nobody_is_waited_for_once_it_is_over(end):
    position, _ = begin(stones=1, maximum=1, resets=0)
    position.play(0, end, 0.0)
    assert position.to_move() == frozenset()
    assert position.due() == {}
    assert [position.legal_moves(seat) for seat in (0, 1)] == [(), ()]
    assert position.seen_by(0).mover is None


# -- what a seat may know and do ------------------------------------------------------


def test_legal_moves_are_small_takes_first_and_then_the_same_with_a_reset():
    position, _ = begin(resets=1)
    plain = [Take(1), Take(2), Take(3)]
    assert list(position.legal_moves(0)) == [*plain, Take(1, True), Take(2, True), Take(3, True)]
    assert position.legal_moves(1) == ()
    position.play(0, Take(1, True), 0.0)
    position.play(1, Take(1), 0.0)
    assert list(position.legal_moves(0)) == plain


def test_legal_moves_never_ask_for_more_than_is_left():
    position, _ = begin(stones=2, resets=0)
    assert list(position.legal_moves(0)) == [Take(1), Take(2)]


def test_nothing_is_hidden_in_nim():
    position, _ = begin()
    position.play(0, Take(2, True), 1.0)
    assert position.seen_by(0) == position.seen_by(1) == position.seen_by(None)


@pytest.mark.parametrize("moves", [[], [Take(3)], [Take(2, True)], [Take(9)], [Take(3), Take(3)]])
def test_a_guess_shows_the_same_and_lives_its_own_life(moves):
    position, heard = begin(stones=6, seconds=50)
    for number, move in enumerate(moves):
        position.play(number, move, 1.0)
    before = position.seen_by(None), len(heard), position.due()
    guess = position.guess(0, Random(1))
    for seat in (0, 1, None):
        assert guess.seen_by(seat) == position.seen_by(seat)
    for seat in (0, 1):
        assert guess.legal_moves(seat) == position.legal_moves(seat)
    same = (position.to_move(), position.due(), position.outcome)
    assert (guess.to_move(), guess.due(), guess.outcome) == same
    for mover in guess.to_move():
        guess.play(mover, Take(1, True), 2.0)
        assert guess.seen_by(None) != position.seen_by(None)
    assert (position.seen_by(None), len(heard), position.due()) == before


def test_every_open_pair_is_open_on_purpose(unanswered):
    assert unanswered(RoundMachine, Round) == {
        ("over", "take"),
        ("over", "take_last"),
        ("over", "fault"),
    }
