"""Whole games at random: the invariants of specification 9.3 hold after every command, and every game ends."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.codec import plain
from gamecore.errors import Refused
from gamecore.fairness import Deal
from gamecore.games.castle import RULES, SAMPLE_DECKS, CastleOptions, moves
from gamecore.games.castle.legal_moves import REASONS
from gamecore.record import build
from gamecore.rules import Seat
from tests.simulation import castle_random
from tests.simulation.castle_checks import check, check_guess

BOUNDED = settings(max_examples=12)
SEEDS = st.integers(0, 2**32)


@BOUNDED
@given(SEEDS)
def test_the_invariants_hold_after_every_command_of_a_random_game(seed):
    tally = Counter()
    castle_random.play(seed, quick=False, tally=tally)
    assert tally["games"] == 1


@BOUNDED
@given(SEEDS)
def test_moves_and_events_survive_the_record(seed):
    events = []
    position, _, chance = castle_random.begin(seed, events)
    for number in range(150):
        for seat in position.to_move():
            for move in position.legal_moves(seat):
                assert build(type(move), plain(move)) == move
                assert type(move) in RULES.moves
        if position.outcome is None:
            castle_random.command(position, chance, float(number))
    for event in events:
        assert type(event) in RULES.events
        assert build(type(event), plain(event)) == event


@BOUNDED
@given(SEEDS, st.integers(1, 200))
def test_what_is_not_listed_is_refused_and_changes_nothing(seed, commands):
    events = []
    position, decks, chance = castle_random.begin(seed, events)
    for number in range(commands):
        if position.outcome is None:
            castle_random.command(position, chance, float(number))
    spots = [
        moves.Spot(seat, zone, slot)
        for seat in (0, 1)
        for zone in ("soldier", "mage")
        for slot in (0, 1)
    ]
    wild = [
        moves.Keep(),
        moves.Mulligan(),
        moves.DrawCard(),
        moves.EndTurn(),
        moves.AllowAction(),
        moves.Accept(),
        moves.Decline(),
    ]
    wild += [moves.PlayCard(at, slot) for at in range(7) for slot in (0, 1)]
    wild += [moves.Attack(one, two) for one in spots for two in spots]
    wild += [moves.UseAbility(spot, at) for spot in spots for at in (0, 1, 2)]
    wild += [
        moves.LevelMage(0),
        moves.LevelMage(1),
        moves.ActivateTrickster(0),
        moves.TakeCard(12),
        moves.Choose(spots[0]),
    ]
    before = [position.seen_by(seat) for seat in (0, 1, None)]
    for seat in (0, 1):
        legal = set(position.legal_moves(seat))
        for move in wild:
            if move not in legal:
                with pytest.raises(Refused) as refused:
                    position.play(seat, move, 1e6)
                assert refused.value.key in REASONS
    assert [position.seen_by(seat) for seat in (0, 1, None)] == before
    check(position, decks)


# -- guesses --------------------------------------------------------------------------


@BOUNDED
@given(SEEDS, st.integers(0, 250), st.sampled_from([0, 1, None]))
def test_a_guess_shows_the_same_and_plays_to_its_end(seed, commands, viewer):
    position, _, chance = castle_random.begin(seed, [])
    for number in range(commands):
        if position.outcome is None:
            castle_random.command(position, chance, float(number))
    twin = check_guess(position, viewer, chance)
    for number in range(castle_random.MOST_MOVES):
        if twin.outcome is not None:
            break
        castle_random.command(twin, chance, 1e6 + number)
    assert twin.outcome is not None


def some_game(commands=60):
    events = []
    seats = [Seat(name, SAMPLE_DECKS["classic"]) for name in ("north", "south")]
    position = RULES.begin(seats, CastleOptions(), Deal("11" * 32), events.append, 0.0)
    chance = Random(4)
    for number in range(commands):
        castle_random.command(position, chance, float(number))
    assert position.outcome is None
    return position, events


def test_a_guess_draws_the_enemys_hand_and_deck_and_the_order_of_ones_own_anew():
    position, events = some_game()
    told = len(events)
    real = position._core.sides
    hands, orders, pools = set(), set(), set()
    for number in range(20):
        core = position.guess(0, Random(number))._core
        hands.add(tuple(piece.card for piece in core.sides[1].hand))
        pools.add(tuple(sorted(piece.card for piece in core.sides[1].deck)))
        orders.add(tuple(piece.card for piece in core.sides[0].deck))
        assert [piece.card for piece in core.sides[0].hand] == [p.card for p in real[0].hand]
        assert sorted(p.card for p in core.sides[0].deck) == sorted(p.card for p in real[0].deck)
    assert len(hands) > 10 and len(orders) > 10 and len(pools) > 10
    assert len(events) == told


def test_a_guess_at_the_mulligan_may_give_the_enemy_another_castle(scene):
    seats = [Seat(name, SAMPLE_DECKS["classic"]) for name in ("north", "south")]
    position = RULES.begin(seats, CastleOptions(), Deal("11" * 32), lambda e: None, 0.0)
    castles = {position.guess(0, Random(n))._core.sides[1].castle.card for n in range(40)}
    assert len(castles) > 3
    kept = {position.guess(0, Random(n))._core.sides[0].castle.card for n in range(40)}
    assert kept == {1}


def test_a_guess_keeps_what_was_shown(scene):
    duel = scene(mine=["oracle"], hand=["fate", "fate"], their_hand=["storm", "glory", "light"])
    duel.do(moves.LevelMage(0))
    duel.choose(0, "hand", 0)
    duel.choose(0, "hand", 0)
    duel.choose(1, "hand", 0)
    for number in range(10):
        core = duel.position.guess(0, Random(number))._core
        assert [piece.card for piece in core.sides[1].hand] == [49, 54]
        other = duel.position.guess(None, Random(number))._core
        assert len(other.sides[1].hand) == 2


def test_a_guess_respects_the_type_a_card_is_known_to_be_of(scene):
    duel = scene(hand=["squire"], deck=["paladin", "archer"])
    duel.play("squire")
    duel.take("paladin")
    for number in range(10):
        core = duel.position.guess(1, Random(number))._core
        assert core.sides[0].hand[0].definition.type == "soldier"


def test_a_guess_gives_an_enemy_who_is_asked_something_to_choose(scene):
    duel = scene(hand=["castle_knight", "squire"])
    duel.play("castle_knight")
    for number in range(30):
        twin = duel.position.guess(1, Random(number))
        assert twin.legal_moves(0)


def test_a_guess_leaves_cards_that_are_being_looked_at_on_top(scene):
    duel = scene(hand=["oracle"], deck=["fate", "squire", "light", "glory", *["storm"] * 9])
    duel.play("oracle")
    tops, orders = set(), set()
    for number in range(20):
        twin = duel.position.guess(0, Random(number))
        assert twin.seen_by(0).question.looked == (38, 11, 54, 49)
        other = duel.position.guess(1, Random(number))._core.sides[0].deck
        tops.add(tuple(piece.card for piece in other[-4:]))
        orders.add(tuple(piece.card for piece in other))
    assert len(tops) > 10


def test_a_guess_forgets_where_cards_lay_that_were_shuffled_since(scene):
    duel = scene(hand=["oracle"], deck=["fate", "squire", "light", "glory", "storm", "plague"])
    duel.play("oracle")
    duel.take("fate")
    duel.take("squire")
    orders = {
        tuple(piece.card for piece in duel.position.guess(0, Random(number))._core.sides[0].deck)
        for number in range(300)
    }
    assert len(orders) == 24
