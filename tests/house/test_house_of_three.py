"""Three daemons of one house meet with faults while people play, and nothing that anybody was told is lost."""

from __future__ import annotations

from tests import postgres
from tests.house.trial import run_trial


def test_nothing_that_was_told_anywhere_in_a_house_is_lost_by_its_faults(
    server: postgres.Server,
) -> None:
    """Three daemons are started, end and are started again for it, which is what takes its time."""
    figures = run_trial(4, faults=6, tables=3, server=server, thinks=0.02)
    assert figures.faults.total() == 6
    assert figures.returns > 0
    assert figures.verdict.finished > 3
    assert figures.verdict.acknowledged > 100
    assert figures.verdict.views > 100
