"""The computer opponents play by the rules, and the better ones win."""

from __future__ import annotations

from random import Random

import pytest

from gamecore.bots import ANY_GAME
from gamecore.bots.castle import LEVELS
from gamecore.bots.castle.perspective import Perspective, worth_of
from gamecore.fairness import Deal
from gamecore.games.castle import CARDS, RULES, SAMPLE_DECKS, CastleOptions
from gamecore.games.castle import moves as castle_moves
from gamecore.rules import Seat

BOTS = {**ANY_GAME, **LEVELS}
own, foe = (lambda *at: castle_moves.Spot(0, *at)), (lambda *at: castle_moves.Spot(1, *at))


def play(levels, seed, deck):
    """Let two levels play a whole game; every choice must be a legal one."""
    chance = Random(seed)
    seats = [Seat(name, SAMPLE_DECKS[deck]) for name in levels]
    deal = Deal(chance.randbytes(32).hex())
    position = RULES.begin(seats, CastleOptions(), deal, lambda event: None, 0.0)
    for number in range(5000):
        if position.outcome is not None:
            return position.outcome
        seat = min(position.to_move())
        moves = position.legal_moves(seat)
        view = position.seen_by(seat)
        move = BOTS[levels[seat]].choose(view, moves, chance)
        assert move in moves
        assert BOTS[levels[seat]].hesitate(view, moves, chance) == 0
        position.play(seat, move, float(number))
    raise AssertionError("the game does not end")


def wins(level, other, games):
    """Count how often one level beats another, from both seats and with every sample deck."""
    count = 0
    for number in range(games):
        deck = [*SAMPLE_DECKS][number // 2 % len(SAMPLE_DECKS)]
        seat = number % 2
        levels = (level, other) if seat == 0 else (other, level)
        count += play(levels, number, deck).winners == (seat,)
    return count


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_beats_chance(level):
    assert wins(level, "random", 16) >= 10


def test_the_policies_beat_the_scripts():
    assert wins("normal", "easy", 16) >= 10
    assert wins("hard", "easy", 16) >= 10


def test_there_are_three_levels():
    assert list(LEVELS) == ["easy", "normal", "hard"]


def choose(duel, level="normal", seat=0, chance=None):
    position = duel.position
    moves = position.legal_moves(seat)
    return LEVELS[level].choose(position.seen_by(seat), moves, chance or Random(1))


def test_it_draws_first(scene):
    duel = scene()
    duel.core.to_draw = True
    assert choose(duel) == castle_moves.DrawCard()


def test_it_plays_the_costliest_soldier_it_may(scene):
    duel = scene(mine=["seeker"], hand=["warlock", "cannonmen"])
    assert choose(duel) == castle_moves.PlayCard(1, 0, (own("soldier", 0),))


def test_it_never_pays_with_a_better_card(scene):
    duel = scene(mine=["paladin", "paladin"], hand=["cannonmen"])
    assert not isinstance(choose(duel), castle_moves.PlayCard)


def test_it_kills_with_the_smallest_attacker_that_can(scene):
    duel = scene(mine=["paladin", "archer"], theirs=["squire"])
    assert choose(duel) == castle_moves.Attack(own("soldier", 1), foe("soldier", 0))


def test_hard_leaves_its_strongest_for_the_castle_that_a_kill_lays_open(scene):
    duel = scene(mine=["archer", "paladin"], theirs=["squire"])
    assert choose(duel, "hard") == castle_moves.Attack(own("soldier", 0), foe("soldier", 0))


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_never_attacks_upwards(scene, level):
    duel = scene(mine=["squire"], theirs=["paladin"])
    assert choose(duel, level) == castle_moves.EndTurn()


def test_hard_takes_the_castle_when_it_can(scene):
    duel = scene(mine=["warlock", "paladin"], theirs=["squire"])
    duel.core.sides[1].health = 5
    assert choose(duel, "hard") == castle_moves.Attack(own("soldier", 0), foe("castle", 0))


def test_it_answers_a_hard_hit_on_the_castle(scene):
    duel = scene(mine=["archer"], theirs=["shaman"])
    duel.attack(("soldier", 0), ("castle", 0))
    assert choose(duel, seat=1) == castle_moves.ActivateTrickster(0)
    duel = scene(mine=["warlock"], theirs=["shaman"])
    duel.attack(("soldier", 0), ("castle", 0))
    assert choose(duel, seat=1) == castle_moves.AllowAction()


def test_it_picks_the_enemys_best_card_and_its_own_least(scene):
    duel = scene(mine=["seeker", "storm"], hand=["decree_destroy"], theirs=["paladin", "squire"])
    duel.play("decree_destroy")
    duel.use("decree", 0, 0)
    assert choose(duel) == castle_moves.Choose(own("soldier", 0))
    duel.do(choose(duel))
    assert choose(duel) == castle_moves.Choose(foe("soldier", 0))


def test_it_redraws_a_hand_with_nothing_to_play_once(scene):
    seats = [Seat(name, SAMPLE_DECKS["mages"]) for name in ("north", "south")]
    options = CastleOptions()
    position = RULES.begin(seats, options, Deal("22" * 32), lambda event: None, 0.0)
    key = {face.key: face.id for face in CARDS}
    for piece in position._core.sides[0].hand:
        piece.card = key["storm"]
    bot = LEVELS["normal"]
    assert (
        bot.choose(position.seen_by(0), position.legal_moves(0), Random(1))
        == castle_moves.Mulligan()
    )
    position.play(0, castle_moves.Mulligan(), 0.0)
    for piece in position._core.sides[0].hand:
        piece.card = key["storm"]
    assert (
        bot.choose(position.seen_by(0), position.legal_moves(0), Random(1)) == castle_moves.Keep()
    )


def test_what_it_does_not_know_is_worth_what_it_may_be(scene):
    duel = scene(theirs=["fate"], their_hand=["paladin"])
    perspective = Perspective.of(duel.position.seen_by(0))
    assert perspective.worth_at(foe("hand", 0)) == perspective.worth_at(foe("trickster", 0)) == 12
    assert worth_of(CARDS[14]) == 30
