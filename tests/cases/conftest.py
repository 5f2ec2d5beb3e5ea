"""What the cases have in common beside ``house``: the real daemon, and memory that is quick to look through."""

from __future__ import annotations

import gc

import pytest

from tests.cases.customs import DOORS
from tests.cases.house import House
from tests.end_to_end.conftest import start_daemon

__all__ = ["settled_memory", "start_daemon"]


@pytest.fixture(scope="session", autouse=True)
def settled_memory() -> None:
    """Spare the collection that follows each test a look at all that was imported: most of its time."""
    with House() as house:
        for kind in DOORS:  # some import only now what they need
            house.connect(kind)
        house.pass_time(1.0)
    gc.collect()
    gc.freeze()
