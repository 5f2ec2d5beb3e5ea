"""Many houses are built here; what was imported before need not be looked at after each test."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(scope="session", autouse=True)
def settled_memory() -> None:
    """Spare the collection that follows each test a look at all that was imported: most of its time."""
    gc.collect()
    gc.freeze()
