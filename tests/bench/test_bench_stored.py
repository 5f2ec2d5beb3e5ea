"""The measures of a start: what a turn of the reactor is, and that a daemon which has stored tables answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.stored import store, time_start
from tests.bench.turns import TimedPoll


class BusyPoll:
    """A poll that waits for nothing."""

    def fileno(self) -> int:
        return 7

    def poll(self, timeout: float, most: int) -> list[tuple[float, int]]:
        return [(timeout, most)]


def test_a_turn_is_what_lies_between_two_waits_and_only_longer_ones_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    timed = TimedPoll(BusyPoll())
    assert timed.poll(0.5, 3) == [(0.5, 3)]
    assert capsys.readouterr().out == ""
    sum(range(300_000))
    timed.poll(0.5, 3)
    word, spent, lasted = capsys.readouterr().out.split()
    assert word == "turn"
    assert float(spent) > 0.5 and float(lasted) > 0.5
    assert timed.fileno() == 7


def test_a_start_on_stored_tables_is_timed(tmp_path: Path) -> None:
    journal = tmp_path / "stored.db"
    code = store(journal, 3)
    start = time_start(journal, code)
    assert 0 < start.ports < start.answer
    assert start.turn_lasted > 0
