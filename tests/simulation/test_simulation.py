"""Whole halls in a storm: all that must be true stays true, and the checks are shown to bite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from unittest import mock

import pytest
from attrs import frozen

from gamecore.errors import Refused
from gamecore.table import Table
from protocols.gops.face import GopsFace
from protocols.host.clocks import Clocks
from protocols.host.commit_queue import CommitQueue
from protocols.lobby.session import Session
from tests.simulation.house import House, PlantedBug
from tests.simulation.stormy import Unanswered
from tests.simulation.world import Broken, Figures, run

STEPS = 450


@pytest.fixture(autouse=True)
def only_planted_trouble(logged_failures):
    """Let pass what a run has logged of the bugs that it planted, and of questions that it left unanswered."""
    yield
    logged_failures[:] = [
        each for each in logged_failures if not each.check(PlantedBug, Unanswered)
    ]


@frozen
class Storm:
    """What came of one run: ``deeds`` is what was committed, and when by the tables' own clocks."""

    figures: Figures
    done: Mapping[str, int]
    deeds: Sequence[tuple[str, float, object]]
    digest: str

    @classmethod
    def run(cls, seed):
        world = run(seed, STEPS)
        entries = [(code, json.loads(line)) for code, line in world.house.disk.log]
        deeds = [(code, entry["at"], entry["command"]) for code, entry in entries]
        return cls(world.figures(), world.done, deeds, world.digest())


met = cache(Storm.run)


@pytest.mark.parametrize("seed", range(1, 13))
def test_a_hall_stays_whole_in_a_storm(seed):
    figures = met(seed).figures
    assert figures.events > 50
    assert figures.lines > 100
    assert figures.tables > 5


def test_storms_of_all_kinds_were_met():
    kinds = {"crash", "close", "trouble", "bug", "take_over", "stop_reading", "leap"}
    assert kinds <= {kind for seed in (6, 8) for kind in met(seed).done}


def test_one_integer_brings_the_same_run_again():
    assert Storm.run(6).digest == met(6).digest != met(8).digest


def test_a_clock_that_leaps_by_hours_and_days_changes_nothing_but_stamps():
    leaping = met(8)
    with mock.patch.object(House, "leap", lambda self, seconds: None):
        steady = Storm.run(8)
    assert leaping.done["leap"] > 1
    assert leaping.deeds == steady.deeds
    assert leaping.digest != steady.digest


# -- the checks bite ------------------------------------------------------------------


def broken(logged_failures):
    """Run halls until one of them is found broken, and give what was said of it."""
    for seed in range(1, 9):
        try:
            run(seed, 300)
        except Broken as problem:
            logged_failures.clear()
            told = str(problem)
            assert f"--seed {seed} --steps 300" in told
            return told
    raise AssertionError("nobody noticed")


def test_a_table_that_sets_no_timer_is_noticed(logged_failures):
    with mock.patch.object(Clocks, "set", lambda self, live: None):
        assert "rings at None" in broken(logged_failures)


def test_news_told_before_its_commit_are_noticed(logged_failures):
    post = CommitQueue.post

    def post_at_once(self, letter):
        if self._records:
            letter()
        else:
            post(self, letter)

    with mock.patch.object(CommitQueue, "post", post_at_once):
        told = broken(logged_failures)
    assert "was told" in told or "was shown event" in told


def test_a_refused_command_that_changes_something_is_noticed(logged_failures):
    apply = Table.apply

    def apply_half(self, command, now):
        try:
            return apply(self, command, now)
        except Refused:
            self.watched += 1
            raise

    with mock.patch.object(Table, "apply", apply_half):
        assert "seat None" in broken(logged_failures)


def test_an_event_told_to_the_wrong_audience_is_noticed(logged_failures):
    with mock.patch("protocols.host.delivery.heard_by", lambda seat, events: events):
        assert "was told" in broken(logged_failures)


def test_a_control_code_is_noticed(logged_failures):
    with mock.patch.object(
        Session, "tell", lambda self, line: self.line.send(line.encode() + b"\a\r\n")
    ):
        assert "control codes {7}" in broken(logged_failures)


def test_a_face_that_forgets_to_give_up_its_seat_is_noticed(logged_failures):
    with mock.patch.object(GopsFace, "gone", lambda self, reason: None):
        assert "is at a table, and gone" in broken(logged_failures)
