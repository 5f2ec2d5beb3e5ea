"""Thinking ahead by comparing the moves one has now: in the same games, and the better ones more often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random

import pytest
from attrs import define, frozen

from gamecore.bots import Bot, RandomBot, Thinker, bots_of
from gamecore.events import tell_nobody
from gamecore.fairness import Deal
from gamecore.games.nim import Take
from gamecore.rules import AnyRules, Move, Position, Seat, View, installed_rules, sample
from gamecore.search import Budget, Halving, think_as
from gamecore.settings import choose_settings

GAMES = installed_rules()
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda each: each.kind)


def never() -> float:
    raise AssertionError("a budget of playouts asks no clock")


def begin(rules: AnyRules, **given: object) -> Position:
    options = choose_settings(rules.options, given)
    seats = [Seat(f"player {seat}", sample(rules)) for seat in range(min(rules.seats))]
    return rules.begin(seats, options, Deal("01" * 32), tell_nobody, 0.0)


def nim(**given: object) -> Position:
    return begin(next(each for each in GAMES if each.kind == "nim"), **given)


@each_game
def test_it_finds_the_same_legal_move_by_the_same_chance_and_changes_nothing(
    rules: AnyRules,
) -> None:
    position, chance = begin(rules), Random(7)
    for _ in range(7):
        seat = min(position.to_move())
        position.play(seat, chance.choice(position.legal_moves(seat)), 0.0)
    seat = min(position.to_move())
    guess = position.guess(seat, chance)
    before = guess.seen_by(seat)
    thinker = bots_of(rules.kind)["thinker"]
    assert isinstance(thinker, Thinker)
    thoughts = [
        Halving(guess, seat, Random(5), thinker.bot).think(Budget(playouts=6), never)
        for _ in range(2)
    ]
    assert thoughts[0] == thoughts[1]
    assert thoughts[0].move in position.legal_moves(seat)
    assert all(0 <= share <= 1 for share in thoughts[0].worth.values())
    assert guess.seen_by(seat) == before


def test_it_takes_the_last_stones_with_nothing_but_chance_for_help() -> None:
    guess = nim(stones=3, maximum=3, resets=0).guess(0, Random(1))
    thought = Halving(guess, 0, Random(1)).think(Budget(playouts=60), never)
    assert thought.move == Take(3)
    assert thought.worth[Take(3)] == 1.0


def test_a_single_legal_move_is_not_thought_about() -> None:
    guess = nim(stones=1, resets=0, maximum=1).guess(0, Random(1))
    thought = Halving(guess, 0, Random(1)).think(Budget(seconds=9), never)
    assert (thought.move, thought.playouts) == (Take(1), 0)


def test_it_ends_by_the_clock() -> None:
    seconds = map(float, count())
    guess = nim(stones=20).guess(0, Random(1))
    Halving(guess, 0, Random(1)).think(Budget(seconds=9), lambda: next(seconds))
    assert next(seconds) < 13


@frozen
class Push(Move):
    """One of the two moves of a game of luck, by how much it pushes."""

    by: int


@define
class Luck:
    """A game that luck decides, but for a push: ``height`` is how it looks, and nobody moves twice."""

    height: float = 0.0
    pushed: bool = False
    outcome = None

    def to_move(self) -> frozenset[int]:
        return frozenset() if self.pushed else frozenset((0,))

    def legal_moves(self, seat: int) -> Sequence[Move]:
        return [Push(by) for by in range(5)]

    def play(self, seat: int, move: Push, now: float) -> None:
        self.height, self.pushed = self.height + move.by / 1000, True

    def seen_by(self, seat: int | None) -> float:
        return self.height

    def guess(self, seat: int | None, chance: Random, emit: object = None) -> Luck:
        return Luck(chance.random() * 0.9)


class Looks(RandomBot):
    """Plays by chance, and judges by what it sees."""

    def outlook(self, view: View) -> float:
        return view  # type: ignore[return-value]


def test_what_differs_is_the_move_and_not_the_luck() -> None:
    found = [
        Halving(Luck(), 0, Random(seed), Looks()).think(Budget(playouts=10), never).move  # type: ignore[arg-type]
        for seed in range(20)
    ]
    assert found == [Push(4)] * 20


def test_the_bots_own_choice_stands_where_nothing_does_better() -> None:
    class Stubborn(Bot):
        def choose(self, view: View, moves: Sequence[Move], chance: Random) -> Move:
            return moves[-1]

    for playouts in (0, 20):
        thought = Halving(Luck(), 0, Random(1), Stubborn()).think(  # type: ignore[arg-type]
            Budget(playouts=playouts), never
        )
        assert thought.move == Push(4)


def test_the_better_moves_are_tried_more_often() -> None:
    tries: dict[int, int] = {}

    class Counting(Looks):
        def outlook(self, view: View) -> float:
            by = round(view * 1000)  # type: ignore[operator]
            tries[by] = tries.get(by, 0) + 1
            return super().outlook(view)

    @define
    class Certain(Luck):
        def guess(self, seat: int | None, chance: Random, emit: object = None) -> Luck:
            return Luck()

    thought = Halving(Certain(), 0, Random(1), Counting()).think(Budget(playouts=60), never)  # type: ignore[arg-type]
    assert tries[4] == tries[3] > tries[2] >= tries[1] >= tries[0]
    assert sum(tries.values()) == thought.playouts < 60 + 5


@pytest.mark.parametrize("costly", [False, True])
def test_a_bot_says_whether_playing_on_costs_too_much_for_a_tree(
    costly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a level has seconds or playouts, which a tournament may set."""
    budgets = []

    def think(self: object, budget: Budget, clock: object) -> object:
        budgets.append((type(self).__name__, budget))
        return thought

    guess = nim()
    thought = Halving(guess, 0, Random(1)).think(Budget(playouts=0), never)
    for search in ("tree.Search", "halving.Halving"):
        monkeypatch.setattr(f"gamecore.search.{search}.think", think)
    bot = RandomBot()
    bot.costly = costly
    for thinker, playouts in (
        (Thinker(bot, 0.5), None),
        (Thinker(bot, playouts=7), None),
        (Thinker(bot, 0.5), 3),
    ):
        think_as(thinker, guess, 0, Random(1), 0.0, playouts, never)
    wanted = [Budget(0.5), Budget(playouts=7), Budget(playouts=3)]
    assert budgets == [("Halving" if costly else "Search", each) for each in wanted]
