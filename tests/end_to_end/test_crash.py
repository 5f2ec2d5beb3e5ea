"""The daemon is killed under many games at once, and nothing that anybody was told is lost."""

from __future__ import annotations

import pytest

from tests.crash.trial import run_trial


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_that_was_told_is_lost_by_a_kill(seed: int) -> None:
    figures = run_trial(seed, kills=10)
    assert figures.kills >= 10
    assert figures.returns > 0
    assert figures.acknowledged > 0
