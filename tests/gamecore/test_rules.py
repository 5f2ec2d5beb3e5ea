"""The registry of games, and a position that hides nothing."""

from __future__ import annotations

from types import SimpleNamespace

import attrs
import pytest

from gamecore.errors import Refused
from gamecore.rules import (
    NextRound,
    OpenPosition,
    Outcome,
    Registry,
    Seat,
    installed_rules,
)


def edition(kind, version):
    return SimpleNamespace(kind=kind, version=version)


@pytest.fixture
def registry():
    return Registry(
        [edition("whist", 2), edition("nim", 1), edition("whist", 10), edition("whist", 1)]
    )


def test_new_tables_play_by_the_latest_version(registry):
    assert registry.latest("whist").version == 10
    assert registry.latest("nim").version == 1


def test_old_tables_play_by_the_version_they_were_opened_with(registry):
    assert [registry.exactly("whist", version).version for version in (1, 2, 10)] == [1, 2, 10]


def test_an_unknown_game_is_refused_with_the_known_ones(registry):
    with pytest.raises(Refused) as refusal:
        registry.latest("chess")
    assert refusal.value.key == "no-such-game"
    assert refusal.value.facts == {"kind": "chess", "known": "nim, whist"}


@pytest.mark.parametrize(("kind", "version"), [("whist", 3), ("chess", 1)])
def test_a_version_that_is_gone_is_a_key_error(registry, kind, version):
    with pytest.raises(KeyError):
        registry.exactly(kind, version)


def test_kinds_are_told_once_and_in_alphabetical_order(registry):
    assert registry.kinds == ["nim", "whist"]


def test_a_registry_without_games_knows_none():
    assert Registry([]).kinds == []
    with pytest.raises(Refused):
        Registry([]).latest("nim")


def test_winners_are_those_in_the_first_place():
    assert Outcome((2, 1)).winners == (1,)
    assert Outcome((1, 3, 1)).winners == (0, 2)


def test_nim_is_installed():
    assert "nim" in Registry(installed_rules()).kinds


def test_moves_and_seats_are_values():
    assert NextRound() == NextRound()
    assert hash(NextRound()) == hash(NextRound())
    assert Seat("wren") == Seat("wren", None)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Seat("wren").name = "robin"


# -- a position that hides nothing ----------------------------------------------------


class Counting(OpenPosition):
    """Counts what is played, until somebody leaves."""

    def __init__(self, emit):
        self.emit, self.played = emit, []

    def play(self, seat, move, now):
        self.played.append(seat)
        self.emit(seat)

    def leave(self, seat, why, now):
        self.outcome = Outcome((1, 2), reason=why)


def test_a_guess_of_an_open_position_goes_on_by_itself_and_tells_its_own_listener():
    told, guessed = [], []
    position = Counting(told.append)
    position.play(0, NextRound(), 0.0)
    guess = position.guess(None, None, guessed.append)
    guess.play(1, NextRound(), 0.0)
    assert (position.played, guess.played) == ([0], [0, 1])
    assert (told, guessed) == ([0], [1])


def test_an_open_position_has_no_clock_and_whoever_is_late_all_the_same_is_gone():
    position = Counting([].append)
    assert position.due() == {} and position.outcome is None
    position.time_up(0, 1.0)
    assert position.outcome.reason == "time"
