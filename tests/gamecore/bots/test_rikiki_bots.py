"""The counting bot at Rikiki: single decisions that can be checked by eye, and many games against chance."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from gamecore.bots import RandomBot
from gamecore.bots.rikiki import LEVELS
from gamecore.cards import read_card
from gamecore.fairness import Deal
from gamecore.games.rikiki import RULES, Bid, PlayCard, RikikiOptions
from gamecore.rules import NextRound, Seat, View

COUNTING = LEVELS["counting"]
RANDOM = RandomBot()


class Stacked(Deal):
    """A deal whose first cards are given."""

    __slots__ = ("top",)

    def __init__(self, text):
        super().__init__("00" * 32)
        self.top = [read_card(word) for word in text.split()]

    def shuffle(self, label, pack):
        return [*self.top, *(card for card in pack if card not in self.top)]


def ignore(event):
    pass


def begin(players, cards, **options):
    seats = [Seat(f"player {seat}") for seat in range(players)]
    return RULES.begin(seats, RikikiOptions(**options), Stacked(cards), ignore, 0.0)


def choice(position):
    """Let the bot choose for whoever is next."""
    seat = position.seen_by(None).turn
    return COUNTING.choose(position.seen_by(seat), position.legal_moves(seat), Random(1))


def lay(position, text):
    for word in text.split():
        position.play(position.seen_by(None).turn, PlayCard(read_card(word)), 0.0)


def bid(position, *bids):
    for tricks in bids:
        position.play(position.seen_by(None).turn, Bid(tricks), 0.0)


@pytest.mark.parametrize(
    ("cards", "tricks"),
    [
        ("AS KS QS 2H 3H 4H 5D 6D 7D 2S", 3),  # the three highest trumps
        ("2C 3C 2D 3H 4H 5H 5D 6D 7D AS", 0),
        ("AS KS 2C 2H 3H 4H 5D 6D 7D 3S", 2),
    ],
)
def test_it_bids_what_it_can_count_on(cards, tricks):
    assert choice(begin(3, cards, first=3)) == Bid(tricks)


def test_it_never_bids_what_the_hook_bars():
    position = begin(3, "2H 3H 4H 5D 6D 7D AS KS QS 2S", first=3, hook="last")
    bid(position, 0, 0)
    assert choice(position) == Bid(2)


@pytest.mark.parametrize(
    ("cards", "first", "seat_bids", "lays"),
    [
        pytest.param("9H 2C 10H AH 3S", 2, (0, 1), "10H", id="wins as cheaply as it can"),
        pytest.param("9H 2C 5D 8H 2H AH 3S", 3, (0, 0), "8H", id="ducks with its highest loser"),
        pytest.param("9H 2C 5D 10H JH AH 3S", 3, (0, 0), "AH", id="takes with its highest"),
        pytest.param("9H 2C 5D 10D AC 2D 3S", 3, (0, 0), "AC", id="throws an ace away"),
    ],
)
def test_it_takes_a_trick_that_it_needs_and_no_other_where_it_can(cards, first, seat_bids, lays):
    position = begin(2, cards, first=first)
    bid(position, *seat_bids)
    lay(position, "9H")
    assert choice(position) == PlayCard(read_card(lays))


def test_it_trumps_for_a_trick_it_needs():
    position = begin(2, "AH 2C 5D 2S 3C 4D 3S", first=3)
    bid(position, 1, 1)
    lay(position, "AH")
    assert choice(position) == PlayCard(read_card("2S"))


def test_it_goes_on_to_the_next_round_and_knows_only_rikiki():
    position = begin(2, "AH 2C 5D", first=2)
    moves = [NextRound()]
    assert COUNTING.choose(position.seen_by(0), moves, Random(1)) == NextRound()
    assert COUNTING.choose(View(), moves, Random(1)) == NextRound()


def play(bots, seed, **options):
    """Play a whole game by bots and give its outcome; all that they choose is legal."""
    chance = Random(seed)
    seats = [Seat(f"player {seat}") for seat in range(len(bots))]
    deal = Deal.by_chance(chance)
    position = RULES.begin(seats, RikikiOptions(**options), deal, ignore, 0.0)
    while position.outcome is None:
        seat = min(position.to_move())
        moves = position.legal_moves(seat)
        move = bots[seat].choose(position.seen_by(seat), moves, chance)
        assert move in moves
        position.play(seat, move, 0.0)
    return position.outcome


@pytest.mark.parametrize("players", [2, 3, 4, 7, 26])
def test_whole_games_of_bots_come_to_an_end(players):
    outcome = play([COUNTING] * players, players, schedule="down-up", hook="last")
    assert len(outcome.places) == players
    assert outcome.winners


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_is_better_than_chance(players):
    points = Counter()
    for seed in range(12):
        bots = [RANDOM] * players
        bots[seed % players] = COUNTING
        for seat, score in enumerate(play(bots, seed, max=10).scores):
            points[bots[seat]] += score / bots.count(bots[seat])
    assert points[COUNTING] > 1.3 * points[RANDOM]
