"""Thinking ahead by a tree: what a search may know, what it finds, and when it ends."""

from __future__ import annotations

from itertools import count
from pickle import PicklingError
from random import Random

import pytest

from gamecore.bots import Bot, Thinker, bots_of
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.games.nim import Take
from gamecore.parcel import pack, unpack
from gamecore.rules import AnyRules, Outcome, Position, Seat, installed_rules, sample
from gamecore.search import Budget, Search, shares_of
from gamecore.search.playout import Depth, Playout
from gamecore.settings import choose_settings

GAMES = installed_rules()
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda each: each.kind)


def never() -> float:
    raise AssertionError("a budget of playouts asks no clock")


def begin(rules: AnyRules, seed: int = 1, **given: object) -> Position:
    options = choose_settings(rules.options, given)
    seats = [Seat(f"player {seat}", sample(rules)) for seat in range(min(rules.seats))]
    return rules.begin(seats, options, Deal(f"{seed:064x}"), tell_nobody, 0.0)


def find(kind: str) -> AnyRules:
    return next(each for each in GAMES if each.kind == kind)


def play_some(position: Position, moves: int, chance: Random) -> None:
    for _ in range(moves):
        if not position.to_move():
            return
        seat = min(position.to_move())
        position.play(seat, chance.choice(position.legal_moves(seat)), 0.0)


@each_game
def test_a_search_finds_a_legal_move_and_changes_nothing(rules: AnyRules) -> None:
    chance = Random(7)
    position = begin(rules)
    play_some(position, 7, chance)
    seat = min(position.to_move())
    guess = position.guess(seat, chance)
    before = guess.seen_by(seat)
    strongest = list(bots_of(rules.kind).values())[-1]
    assert isinstance(strongest, Thinker)
    thought = Search(guess, seat, chance, strongest.bot).think(Budget(playouts=5), never)
    assert thought.move in position.legal_moves(seat)
    assert thought.playouts in (0, 5)
    assert all(0 <= share <= 1 for share in thought.worth.values())
    assert guess.seen_by(seat) == before == position.seen_by(seat)


@each_game
def test_the_same_chance_finds_the_same_move(rules: AnyRules) -> None:
    position = begin(rules)
    seat = min(position.to_move())
    guess = position.guess(seat, Random(3))
    found = [Search(guess, seat, Random(5)).think(Budget(playouts=3), never) for _ in range(2)]
    assert found[0] == found[1]


@each_game
def test_a_position_goes_to_another_process_and_is_played_on_there(rules: AnyRules) -> None:
    chance = Random(11)
    position = begin(rules)
    for _ in range(6):
        play_some(position, 5, chance)
        if not position.to_move():
            return
        seat = min(position.to_move())
        guess = position.guess(seat, chance)
        there = unpack(pack(guess))
        assert there.seen_by(seat) == position.seen_by(seat)
        assert there.to_move() == position.to_move()
        assert there.legal_moves(seat) == position.legal_moves(seat)
        here, after = Random(2), Random(2)
        play_some(guess, 10, here)
        play_some(there, 10, after)
        assert there.seen_by(None) == guess.seen_by(None)


def test_what_cannot_be_written_down_is_named_so() -> None:
    position = begin(find("nim"))
    object.__setattr__(position, "_core", lambda: None)
    with pytest.raises(PicklingError):
        pack(position)


def test_it_takes_the_last_stones_with_nothing_but_chance_for_help() -> None:
    options = {"stones": 3, "maximum": 3, "resets": 0}
    guess = begin(find("nim"), **options).guess(0, Random(1))
    thought = Search(guess, 0, Random(1)).think(Budget(playouts=200), never)
    assert thought.move == Take(3)
    assert thought.worth[Take(3)] == 1.0


def test_its_own_bot_decides_where_nothing_does_better() -> None:
    class Stubborn(Bot):
        def choose(self, view, moves, chance):
            return moves[1]

    position = begin(find("gops"), cards=3)
    guess = position.guess(0, Random(1))
    thought = Search(guess, 0, Random(1), Stubborn()).think(Budget(playouts=0), never)
    assert thought.move == position.legal_moves(0)[1]


def test_a_single_legal_move_is_not_thought_about() -> None:
    position = begin(find("nim"), stones=1, resets=0, maximum=1)
    thought = Search(position.guess(0, Random(1)), 0, Random(1)).think(Budget(seconds=9), never)
    assert (thought.move, thought.playouts) == (Take(1), 0)


def test_it_ends_by_the_clock() -> None:
    seconds = map(float, count())
    guess = begin(find("gops")).guess(0, Random(1))
    thought = Search(guess, 0, Random(1)).think(Budget(seconds=5), lambda: next(seconds))
    assert thought.playouts == 4


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ((1, 2), [1, 0]),
        ((1, 1), [0.5, 0.5]),
        ((2, 1, 3), [0.5, 1, 0]),
        ((1, 1, 3), [0.75, 0.75, 0]),
        ((1,), [1]),
    ],
)
def test_places_are_shares_of_a_won_game(places: tuple[int, ...], shares: list[float]) -> None:
    assert shares_of(Outcome(places)) == shares


@each_game
def test_nobody_who_thinks_is_helped_by_one_who_thinks(rules: AnyRules) -> None:
    for bot in bots_of(rules.kind).values():
        assert not isinstance(bot, Thinker) or not isinstance(bot.bot, Thinker)


def test_in_a_race_anybody_may_be_the_quickest() -> None:
    bot = bots_of("pass123")["collector"]
    first = set()
    for seed in range(40):
        chance = Random(seed)
        position = begin(find("pass123"), seed, players=2)
        playout = Playout(bot, 0.0)
        playout.finish(position, Depth(), chance)
        first.add(position.outcome.places.index(1))
    assert first == {0, 1}


@each_game
def test_every_level_that_thinks_plays_at_once_where_nobody_can_think_for_it(
    rules: AnyRules,
) -> None:
    chance, position = Random(1), begin(rules)
    seat = min(position.to_move())
    moves = position.legal_moves(seat)
    for level in ("thinker", "thinker-fast"):
        assert bots_of(rules.kind)[level].choose(position.seen_by(seat), moves, chance) in moves
