"""Journals of daemons that all live in one process."""

from __future__ import annotations

import pytest

from protocols.journal.durable import DurableJournal
from tests.protocols.journal.conftest import start_thread


@pytest.fixture
def writer_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a thread do what the journal's process does, where that it is one is not what is tried."""
    usual = DurableJournal.__init__.__kwdefaults__
    monkeypatch.setitem(usual, "start", lambda sock, lock: start_thread({}, sock))
