"""Expanding Nim in words: what may be typed, what is said and drawn."""

from __future__ import annotations

import pytest

from gamecore.errors import Malformed
from gamecore.fairness import Deal
from gamecore.games.nim import RULES, NimOptions, Take
from gamecore.rules import Seat
from protocols.i18n.translate import ENGLISH
from protocols.nim.text import TEXT


@pytest.fixture
def position():
    seats = [Seat("wren"), Seat("robin")]
    return RULES.begin(seats, NimOptions(resets=1), Deal("00" * 32), lambda event: None, 0.0)


@pytest.mark.parametrize(
    ("typed", "take"),
    [
        ("3", Take(3)),
        ("take 3", Take(3)),
        ("TAKE 3", Take(3)),
        ("3 r", Take(3, True)),
        ("take 3 and reset", Take(3, True)),
        ("3 0", Take(3)),
        ("3 1", Take(3, True)),
        ("3 false", Take(3)),
        ("99", Take(99)),
    ],
)
def test_a_take_is_read(typed, take):
    assert TEXT.read(typed.split(), (), None, ENGLISH) == take


@pytest.mark.parametrize(
    "typed", ["", "take", "x", "3 maybe", "3 r r", "-1", "9" * 10, "take three", "³"]
)
def test_what_is_no_take_is_answered_with_an_example(typed):
    with pytest.raises(Malformed, match="TAKE 3 RESET"):
        TEXT.read(typed.split(), (), None, ENGLISH)


def test_a_player_is_told_what_to_type(position):
    view = position.seen_by(0)
    assert (
        TEXT.ask(position.legal_moves(0), view, ENGLISH)
        == "Take 1 to 3: TAKE n, or TAKE n RESET (at most 3 next)."
    )
    position.play(0, Take(3, True), 1.0)
    position.play(1, Take(1), 1.0)
    assert TEXT.ask(position.legal_moves(0), view, ENGLISH) == "Take 1 to 4 stones: TAKE n."
