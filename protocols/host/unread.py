"""What is said in the log where something cannot be read."""

from __future__ import annotations

from twisted.logger import Logger
from twisted.python.failure import Failure

from protocols.journal.errors import JournalFailed


def log_unread(log: Logger, what: str, failure: Failure) -> None:
    """Log what cannot be read: in a line where it is the journal that cannot be read now, else all of a bug."""
    if failure.check(JournalFailed):
        log.warn("{what}: {why}", what=what, why=failure.value)
    else:
        log.failure("{what}", failure, what=what)
