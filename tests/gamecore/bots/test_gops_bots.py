"""Opponents at GOPS: legal, sensible, and without a fault in the last cards."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.bots import RandomBot
from gamecore.bots.gops import LEVELS, Endgame, _Solver, best_mixture, prizes_to_come, solve
from gamecore.fairness import Deal
from gamecore.games.gops import RULES, Bid, GopsOptions
from gamecore.rules import Seat

NUMBERS = st.floats(-3, 3, allow_nan=False).map(lambda each: round(each, 2))
MATRICES = st.integers(1, 4).flatmap(
    lambda rows: st.integers(1, 4).flatmap(
        lambda columns: st.lists(
            st.lists(NUMBERS, min_size=columns, max_size=columns), min_size=rows, max_size=rows
        )
    )
)


def begin(seed=0, **options):
    deal = Deal.by_chance(Random(seed))
    return RULES.begin([Seat("a"), Seat("b")], GopsOptions(**options), deal, lambda event: None, 0)


def play(bots, seed, **options):
    """Let two bots play a game; gives its outcome."""
    position, chance = begin(seed, **options), Random(seed)
    while position.to_move():
        for seat in sorted(position.to_move()):
            moves = position.legal_moves(seat)
            move = bots[seat].choose(position.seen_by(seat), moves, chance)
            assert move in moves
            position.play(seat, move, 0.0)
    return position.outcome


@pytest.mark.parametrize("level", ["value", "endgame"])
@pytest.mark.parametrize("ties", ["carry", "discard"])
@pytest.mark.parametrize("order", ["shuffled", "ascending", "descending"])
@pytest.mark.parametrize("cards", [2, 5, 13])
def test_a_bot_plays_to_the_end_by_any_rules(level, ties, order, cards):
    bots = (LEVELS[level], RandomBot())
    assert play(bots, 1, cards=cards, ties=ties, order=order) is not None
    assert play(bots[::-1], 2, cards=cards, ties=ties, order=order) is not None


@pytest.mark.parametrize("level", ["value", "endgame"])
def test_a_bot_beats_one_that_plays_at_random(level):
    won = 0
    for seed in range(40):
        outcome = play((LEVELS[level], RandomBot()), seed)
        won += (outcome.places[0] == 1) - (outcome.places[1] == 1)
    assert won > 20


def test_a_bot_bids_its_best_for_the_best_prize_and_its_worst_for_the_worst():
    for order, low, high in (("descending", 12, 13), ("ascending", 1, 2)):
        position = begin(order=order)
        moves = position.legal_moves(0)
        chosen = {
            LEVELS["value"].choose(position.seen_by(0), moves, Random(seed)).card
            for seed in range(40)
        }
        assert chosen == {low, high}


def test_the_prizes_to_come_are_those_not_seen_yet():
    position = begin(cards=5, order="descending")
    for seat in (0, 1):
        position.play(seat, Bid(2), 0.0)
    assert prizes_to_come(position.seen_by(1)) == (1, 2, 3)


# -- matrices -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("matrix", "value", "mixture"),
    [
        ([[1, -1], [-1, 1]], 0, [0.5, 0.5]),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3),
        ([[3, 2], [1, 0]], 2, [1, 0]),
        ([[5]], 5, [1]),
        ([[2, 0], [0, 1]], 2 / 3, [1 / 3, 2 / 3]),
        ([[0, 0], [0, 0]], 0, None),
    ],
)
def test_small_games_that_everybody_knows_are_solved(matrix, value, mixture):
    found, mixed = solve(matrix)
    assert found == pytest.approx(value)
    assert sum(mixed) == pytest.approx(1)
    if mixture is not None:
        assert mixed == pytest.approx(mixture)


@given(MATRICES)
def test_neither_side_can_do_better_than_the_value(matrix):
    """The mixture guarantees the value, and the other side's guarantees that there is no more to have."""
    value, mixed = solve(matrix)
    turned = [[-row[at] for row in matrix] for at in range(len(matrix[0]))]
    lost, other = solve(turned)
    assert lost == pytest.approx(-value, abs=1e-6)
    for mixture, payoffs, worth in ((mixed, matrix, value), (other, turned, lost)):
        assert sum(mixture) == pytest.approx(1)
        for column in zip(*payoffs, strict=True):
            assert sum(map(lambda a, b: a * b, mixture, column)) >= worth - 1e-6


# -- the last cards -------------------------------------------------------------------


def test_what_cannot_be_lost_is_won():
    solver = _Solver(carries=True, order="shuffled")
    endgame = Endgame(mine=(3, 4), theirs=(1, 2), prizes=(1,), stake=2, lead=0)
    assert solver.value(endgame) == pytest.approx(1.003)


def test_equal_hands_and_equal_points_are_worth_nothing_to_either():
    for order in ("shuffled", "ascending", "descending"):
        for carries in (False, True):
            endgame = Endgame((1, 2, 5), (1, 2, 5), (3, 4), 6, 0)
            assert _Solver(carries, order).value(endgame) == pytest.approx(0, abs=1e-9)


def test_what_one_side_wins_the_other_loses():
    chance = Random(5)
    for _ in range(20):
        mine, theirs, prizes = (tuple(chance.sample(range(1, 14), 3)) for _ in range(3))
        lead, solver = chance.randint(-9, 9), _Solver(True, "shuffled")
        value = solver.value(Endgame(mine, theirs, prizes[1:], prizes[0], lead))
        other = solver.value(Endgame(theirs, mine, prizes[1:], prizes[0], -lead))
        assert value == pytest.approx(-other, abs=1e-9)


def test_two_cards_are_played_as_a_calculation_by_hand_says():
    """Hands of 1 and 2, a 2 at stake and a 1 to come: only the 2 never loses."""
    position = begin(cards=2, order="descending")
    mixture = best_mixture(position.seen_by(0), (1, 2))
    assert mixture == pytest.approx([0, 1])


def test_a_whole_game_of_four_cards_is_fair_and_no_fixed_card_beats_it():
    position = begin(cards=4, order="shuffled", seed=3)
    view = position.seen_by(0)
    mixture = best_mixture(view, view.hands[0])
    solver = _Solver(True, "shuffled")
    endgame = Endgame(view.hands[0], view.hands[1], prizes_to_come(view), sum(view.pot), 0)
    for theirs in range(4):
        column = [row[theirs] for row in solver._matrix(endgame)]
        assert sum(map(lambda a, b: a * b, mixture, column)) >= -1e-9


def test_only_so_many_positions_are_looked_at():
    endgame = Endgame((10, 11, 12, 13), (1, 5, 9, 13), (2, 3, 4), 7, 0)
    solver = _Solver(True, "shuffled")
    solver.mixture(endgame)
    assert len(solver._known) < 5000
