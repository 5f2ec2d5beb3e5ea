"""A journal, by where it is kept: all that the daemon needs to know of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocols.journal.durable import DurableJournal
from protocols.journal.engines import MEMORY
from protocols.journal.interface import Journal
from protocols.journal.memory import MemoryJournal


def open_journal(
    where: str,
    reactor: Any,
    *,
    compact: Callable[..., bytes] | None = None,
) -> Journal:
    """Make a journal in ``memory`` or in the file of a path; its ``open`` takes it, and may refuse.

    ``compact`` makes one record of a table that ended: a function of a module, since it is called in the
    writer's process, with the lines of the table and a Registry of the games installed.
    """
    if where == MEMORY:
        return MemoryJournal(reactor)
    return DurableJournal(where, reactor, compact=compact)
