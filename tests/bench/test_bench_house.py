"""The measures of a house of two daemons: that all three ways of playing there are measured, and what is shown."""

from __future__ import annotations

import pytest

from tests import postgres
from tests.bench import house


def test_the_middle_of_some_rounds_is_shown_beside_that_of_one_daemon() -> None:
    rounds = [
        {"one": (100.0, 0.001, 1e-4), "two": (90.0, 0.002, 1.1e-4), "apart": (50.0, 0.003, 2e-4)},
        {"one": (120.0, 0.001, 1e-4), "two": (95.0, 0.001, 1.2e-4), "apart": (60.0, 0.003, 2e-4)},
    ]
    head, *rows = [line.split() for line in house.show(rounds).splitlines()]
    assert len(head) == len(" ".join(house.HEAD).split())
    assert rows == [
        ["one", "110", "1.00", "1.00", "100", "1.00"],
        ["two", "92", "1.50", "1.50", "115", "1.15"],
        ["apart", "55", "3.00", "3.00", "200", "2.00"],
    ]


def test_two_who_play_at_two_daemons_are_measured(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres.require()
    if postgres.GIVEN is not None:
        pytest.skip("the back ends of a server that is not ours are not measured")
    server = request.getfixturevalue("server")
    monkeypatch.setattr(house, "database", lambda: server)
    rate, p50, cpu = house.play("apart", games=2, seconds=0.1)
    assert rate > 0 and p50 > 0 and cpu > 0
