"""Random games of GOPS agree with open_spiel's goofspiel, and with fifteen lines written for nothing else."""

from __future__ import annotations

import os
from random import Random

import pytest

from gamecore.fairness import Deal
from gamecore.games.gops import RULES, Bid, GopsOptions
from gamecore.rules import Seat

GAMES = int(os.environ.get("ORACLE", "1000"))  # make oracle: 10000
ORDERS = ("shuffled", "ascending", "descending")


class Stacked(Deal):
    """A deal of a fixed order, which costs no hashing."""

    __slots__ = ("cards",)

    def __init__(self, cards):
        self.cards = cards

    def shuffle(self, label, pack):
        return list(self.cards)


def ignore(event):
    pass


def drawn_games(seed):
    """Draw the options, the prizes in their order and both hands' orders, again and again."""
    chance = Random(seed)
    for _ in range(GAMES):
        cards = chance.randint(2, 13)
        suit = list(range(1, cards + 1))
        order = chance.choice(ORDERS)
        prizes = {"shuffled": chance.sample(suit, cards), "descending": suit[::-1]}.get(order, suit)
        yield order, prizes, chance.sample(suit, cards), chance.sample(suit, cards)


def play(order, prizes, first, second, ties):
    """Play a whole game and give the points by seat."""
    options = GopsOptions(len(prizes), ties, order)
    position = RULES.begin([Seat("a"), Seat("b")], options, Stacked(prizes), ignore, 0.0)
    for bids in zip(first, second, strict=True):
        for seat, card in enumerate(bids):
            position.play(seat, Bid(card), 0.0)
    view, total = position.seen_by(None), sum(prizes)
    unawarded = sum(sum(each.pot) - sum(each.left) for each in view.shown if each.winner is None)
    assert sum(view.scores) + sum(view.pot) + unawarded == total
    return position.outcome.scores


def carried(prizes, first, second):
    """Say what the points are where the prizes stay after a tie."""
    points, pot = [0, 0], 0
    for prize, one, other in zip(prizes, first, second, strict=True):
        pot += prize
        if one != other:
            points[one < other] += pot
            pot = 0
    return tuple(points)


def test_many_games_with_carried_ties_agree_with_the_model():
    for order, prizes, first, second in drawn_games(1):
        scores = play(order, prizes, first, second, "carry")
        assert scores == carried(prizes, first, second), (prizes, first, second)


def test_many_games_with_discarded_ties_agree_with_open_spiel():
    pyspiel = pytest.importorskip(
        "pyspiel", reason="the oracle is open_spiel: pip install open_spiel --no-deps"
    )
    games = {
        cards: pyspiel.load_game(
            "goofspiel",
            {"num_cards": cards, "points_order": "random", "returns_type": "total_points"},
        )
        for cards in range(2, 14)
    }
    ties = 0
    for order, prizes, first, second in drawn_games(2):
        state = games[len(prizes)].new_initial_state()
        for prize, one, other in zip(prizes, first, second, strict=True):
            if state.is_terminal():  # the library plays the last card by itself
                break
            state.apply_action(prize - 1)
            if not state.is_terminal():
                state.apply_actions([one - 1, other - 1])
        ties += any(one == other for one, other in zip(first, second, strict=True))
        scores = play(order, prizes, first, second, "discard")
        assert list(scores) == state.returns(), (prizes, first, second)
    assert ties > GAMES / 3
