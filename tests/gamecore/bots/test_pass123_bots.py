"""Bots play 1-2-3 Pass to its end at tables of every size, and nothing is lost on the way."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from attrs import evolve

from gamecore.bots import RandomBot
from gamecore.bots.pass123 import LEVELS
from gamecore.cards import Card, read_card
from gamecore.events import RoundOver
from gamecore.fairness import Deal
from gamecore.games.pass123 import (
    RULES,
    Away,
    Finish,
    Finished,
    Pass,
    Passed,
    PassOptions,
    PassPosition,
    Tap,
    begin_with,
)
from gamecore.games.pass123.round import is_set
from gamecore.rules import Seat

COLLECTOR = LEVELS["collector"]


def cards(text):
    return tuple(map(read_card, text.split()))


def playing(*hands):
    core = begin_with(tuple(map(cards, hands)), PassOptions(), lambda event: None, 0.0)
    return PassPosition(core)


def choice(position, seat, chance):
    return COLLECTOR.choose(position.seen_by(seat), position.legal_moves(seat), chance)


def play_out(players, bots, chance, direction="up"):
    """Let bots move in whatever order chance gives them; check the cards after each pass."""
    heard = []
    seats = [Seat(f"p{seat}") for seat in range(players)]
    options = PassOptions(direction=direction)
    position = RULES.begin(seats, options, Deal.by_chance(chance), heard.append, 0.0)
    pack = {card for seat in range(players) for card in position.seen_by(seat).hand}
    assert len(pack) == 4 * players
    moves = 0
    while position.outcome is None:
        for seat in chance.sample(sorted(position.to_move()), len(position.to_move())):
            legal = position.legal_moves(seat)
            if legal:
                position.play(seat, bots[seat].choose(position.seen_by(seat), legal, chance), 0.0)
                moves += 1
        hands = [position.seen_by(seat).hand for seat in range(players)]
        assert [len(hand) for hand in hands] == [4] * players
        assert {card for hand in hands for card in hand} == pack
        assert moves < 100_000
    check_end(position, heard, players)
    return position, heard


def check_end(position, heard, players):
    finished = [event for event in heard if isinstance(event, Finished)]
    assert len(finished) == 1 and is_set(finished[0].cards)
    places = position.outcome.places
    assert sorted(places) == list(range(1, players + 1))  # exactly one of them has lost
    assert places[finished[0].seat] == 1
    assert heard[-1] == RoundOver(1)
    assert position.to_move() == set()


@pytest.mark.parametrize(
    ("players", "games"), [(2, 100), (3, 80), (4, 80), (5, 20), (8, 25), (13, 10)]
)
def test_collectors_play_to_the_end(players, games):
    longest = 0
    for number in range(games):
        chance = Random(1000 * players + number)
        direction = "up" if number % 2 else "down"
        _, heard = play_out(players, [COLLECTOR] * players, chance, direction)
        longest = max(longest, sum(isinstance(event, Passed) for event in heard))
    assert longest < 300


def test_every_place_is_reached_from_every_seat():
    reached = Counter()
    for number in range(60):
        position, _ = play_out(3, [COLLECTOR] * 3, Random(number))
        reached.update(enumerate(position.outcome.places))
    assert len(reached) == 9


def test_a_collector_is_better_than_chance():
    wins = 0
    for number in range(60):
        bots = [RandomBot(), RandomBot(), COLLECTOR]
        position, _ = play_out(3, bots, Random(number))
        wins += position.outcome.winners == (2,)
    assert wins > 50


def test_a_collector_finishes_at_once_and_taps_when_that_is_all():
    position = playing("QH QS QD QC", "4H 4S 4D 4C")
    assert choice(position, 0, Random(1)) == Finish()
    position.play(0, Finish(), 0.0)
    assert choice(position, 1, Random(1)) == Tap()


def test_a_collector_never_breaks_up_what_it_has_most_of():
    position = playing("QH QS QD 4C", "4H 4S 4D QC")
    for number in range(50):
        assert choice(position, 0, Random(number)) == Pass(Card("4", "C"))


def test_a_collector_passes_a_rank_on_that_it_has_passed_on_before():
    position = playing("QH QS 4D 7C", "4H 4S 4C QC", "7H 7S 7D QD")
    view, moves = position.seen_by(0), position.legal_moves(0)
    for gone, left in (("4C", "4D"), ("7D", "7C")):
        knowing = evolve(view, away=(Away(read_card(gone), 1),))
        passed = [COLLECTOR.choose(knowing, moves, Random(number)) for number in range(60)]
        assert passed.count(Pass(read_card(left))) > 50
        assert {move.card.rank for move in passed} <= {"4", "7"}


def test_hesitation_has_bounds_and_is_shorter_in_a_race():
    position = playing("QH QS QD QC", "4H 4S 4D 7C")
    chance = Random(1)
    view, moves = position.seen_by(1), position.legal_moves(1)
    slow = [COLLECTOR.hesitate(view, moves, chance) for _ in range(300)]
    quick = [COLLECTOR.hesitate(view, (Tap(),), chance) for _ in range(300)]
    assert all(0.3 < each <= 6 for each in slow + quick)
    assert sum(quick) < 0.7 * sum(slow)
    assert len(set(quick)) > 100
