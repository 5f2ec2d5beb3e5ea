"""The daemon is killed under many games at once, and nothing that anybody was told is lost."""

from __future__ import annotations

from gamecore.rules import installed_rules
from tests.crash.__main__ import FLOOD
from tests.crash.hall.trial import hall_scene
from tests.crash.nim.trial import NIM_WIRE
from tests.crash.trial import run_trial


def test_nothing_that_was_told_on_the_wire_of_nim_is_lost_by_a_kill() -> None:
    figures = run_trial(NIM_WIRE, 2, kills=3)
    assert figures.kills >= 3
    assert figures.returns > 0
    assert figures.acknowledged > 0


def test_nothing_that_was_told_of_any_game_is_lost_by_a_kill() -> None:
    figures = run_trial(hall_scene(short=True), 2, kills=6, tables=6)
    assert figures.kills >= 6
    assert figures.returns > 0
    assert figures.acknowledged > 0
    assert figures.leaps > 0
    assert figures.ends.keys() == {each.kind for each in installed_rules()}


def test_a_daemon_whose_writer_is_killed_ends_and_says_so_and_the_next_one_goes_on() -> None:
    figures = run_trial(hall_scene(short=True), 3, kills=3, tables=5, writers_only=True)
    assert figures.writers == figures.kills >= 3
    assert figures.acknowledged > 0


def test_nothing_that_was_told_of_any_game_is_lost_by_a_kill_over_postgresql(database: str) -> None:
    figures = run_trial(hall_scene(short=True), 4, kills=6, tables=6, journal=database)
    assert figures.kills >= 6
    assert figures.returns > 0
    assert figures.acknowledged > 0
    assert figures.ends.keys() == {each.kind for each in installed_rules()}


def test_nothing_that_was_told_is_lost_by_a_kill_in_the_middle_of_a_flood() -> None:
    """Kill it as others wait for their turns, and as their tables open: three lives of a daemon take their time."""
    figures = run_trial(hall_scene(["nim"]), 5, kills=2, tables=2, flood=FLOOD)
    assert figures.kills >= 2
    assert figures.acknowledged > 0
    assert figures.tables > 10, "the crowd has opened tables too"
