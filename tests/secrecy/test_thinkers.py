"""Who thinks ahead, for a bot or for a hint, finds the same whatever is hidden from its seat."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamecore.bots import Thinker, bots_of
from gamecore.events import tell_nobody
from gamecore.rules import NextRound, Outcome, Position, installed_rules
from gamecore.search import Budget, Thought, search_of
from protocols.testing.secrecy.pairs import Playing
from tests.secrecy import sealed

PLAYOUTS = 4
# A guess follows from the View and chance alone, but for games that tell what was true again with other cards: what
# is drawn there is as likely either way, and not the same.
TOLD_AGAIN = {"pass123"}
RULES = [rules for rules in installed_rules() if rules.kind not in TOLD_AGAIN]


def think(position: Position, seat: int, seed: int, kind: str) -> Thought:
    """Think about a position as the processes do, which are given a guess of it."""
    strongest = list(bots_of(kind).values())[-1]
    assert isinstance(strongest, Thinker)
    chance = Random(seed)
    guess = position.guess(seat, chance, tell_nobody)
    search = search_of(strongest.bot)
    return search(guess, seat, chance, strongest.bot).think(Budget(playouts=PLAYOUTS), int)


def compare(playing: Playing, seed: int) -> bool:
    """Think in two positions that differ in what the seat may not know; False where there is nothing to choose."""
    position, chance = playing.position, playing.chance
    choosing = [
        seat
        for seat in sorted(position.to_move())
        if len(position.legal_moves(seat)) > 1 and NextRound() not in position.legal_moves(seat)
    ]
    for seat in choosing:
        kind = playing.rules.kind
        there = position.guess(seat, chance, tell_nobody)
        assert think(position, seat, seed, kind) == think(there, seat, seed, kind)
    return bool(choosing)


@pytest.mark.parametrize("rules", RULES, ids=lambda each: each.kind)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_no_thought_follows_from_what_is_hidden(rules, seed):
    playing = Playing.begin(rules, Random(seed))
    for _ in range(playing.chance.randrange(60)):
        if not playing.step():
            return
    compare(playing, seed)


class LastCardWins(sealed.Sealed):
    """Whoever lays the higher card at last has won: so it matters what the other holds."""

    def turn(self) -> None:
        cards = self.laid[0], self.laid[1]
        super().turn()
        if self.outcome is not None:
            self.outcome = Outcome((1, 2) if cards[0] > cards[1] else (2, 1))


class KnowsTooMuch(LastCardWins):
    """Its guess knows the other's hand."""

    guess = sealed.BlindGuess.guess


def differ(position: type[sealed.Sealed]) -> int:
    """Count in how many of some games two positions that look alike to a seat are thought about differently."""
    count = 0
    for seed in range(30):
        playing = Playing.begin(sealed.SealedRules(position), Random(seed), 2)
        playing.step()
        seat = min(playing.position.to_move())
        honest = sealed.Sealed.guess(playing.position, seat, Random(seed + 1))
        thoughts = [think(each, seat, seed, "sealed") for each in (playing.position, honest)]
        count += thoughts[0] != thoughts[1]
    return count


def test_a_guess_that_knows_too_much_is_seen():
    assert differ(KnowsTooMuch) > 0
    assert differ(LastCardWins) == 0
