"""A journal that no daemon holds, for a command that writes it and ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from protocols.journal.engines import MEMORY, find_store, locate, take_lock
from protocols.journal.errors import JournalFailed, JournalRefused
from protocols.journal.interface import Store
from protocols.journal.location import shown


@contextmanager
def held(where: str) -> Iterator[Store]:
    """Hold a journal as a daemon does, for as long as that is in use.

    Raises JournalRefused if it cannot be had, as while a daemon has it, and JournalFailed if it cannot be written.
    """
    if where == MEMORY:
        raise JournalRefused(
            "a journal in memory keeps nothing; name a file, or the URL of a database"
        )
    where = locate(where)
    try:
        lock = take_lock(where)
    except OSError as problem:
        raise JournalRefused(_cannot(where, "used", problem)) from problem
    try:
        store = find_store(where, alone=True)
        problems: tuple[type[Exception], ...] = (OSError, *store.errors)
        try:
            store.open()
        except problems as problem:
            raise JournalRefused(_cannot(where, "used", problem)) from problem
        try:
            yield store
        except store.errors as problem:
            raise JournalFailed(_cannot(where, "written", problem)) from problem
        finally:
            store.close()
    finally:
        lock.release()


def _cannot(where: str, what: str, problem: Exception) -> str:
    return f"the journal {shown(where)} cannot be {what}: {' '.join(str(problem).split())}"
