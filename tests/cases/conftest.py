"""What the cases have in common beside ``house``: the real daemon."""

from __future__ import annotations

import pytest

from tests.cases.customs import DOORS
from tests.cases.house import House
from tests.end_to_end.conftest import start_daemon

__all__ = ["all_is_imported", "start_daemon"]


@pytest.fixture(scope="session", autouse=True)
def all_is_imported() -> None:
    """Let no test be the first that needs something: its memory is compared."""
    with House() as house:
        for kind in DOORS:  # some import only now what they need
            house.connect(kind)
        house.pass_time(1.0)
