"""A writer that finds another run rating looks again after its own pause, and keeps nothing busy meanwhile."""

from __future__ import annotations

import pytest

from protocols.journal.worker import Worker

pytest.importorskip("openskill")
PAUSES = 3


class Quiet:
    """A channel where nothing comes but, at last, that it is to close."""

    def __init__(self):
        self.asked = []

    def next(self, seconds=None):
        self.asked.append(seconds)
        return None if len(self.asked) <= PAUSES else ("close",)

    def quiet(self):
        return True

    def say(self, *message):
        assert message == ("ended", "closed", "", "")


class Rated:
    """A store whose results another run rates for the first looks."""

    errors = (ZeroDivisionError,)
    weight = 0
    unrated = True
    draining = None
    house = None

    def __init__(self, answers):
        self.answers = answers
        self.folds = 0

    def fold(self, formula):
        self.folds += 1
        return self.answers.pop(0)

    def __getattr__(self, name):
        return lambda *given: None


@pytest.mark.parametrize(
    ("answers", "folds", "waits"),
    [
        ([None] * PAUSES, PAUSES, [5.0] * (PAUSES + 1)),  # one look a pause
        ([True, True, False], 3, [5.0, None, None, None]),  # all at once, and then nothing to do
        ([None, True, False], 3, [5.0, 5.0, None, None]),
    ],
)
def test_it_looks_once_a_pause(answers, folds, waits):
    channel, store = Quiet(), Rated(answers)
    Worker(store, channel, lambda lines: b"", (0.1,), 5.0).run()
    assert (store.folds, channel.asked) == (folds, waits)
