"""What faces are to hear: all of it in one order, each behind the commits of what came before it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from twisted.logger import Logger

from gamecore.errors import Refused
from protocols.host.commit_queue import CommitQueue
from protocols.host.face import Face


def _leave_alone(face: Face) -> None:
    """Do nothing about a face that failed."""


def _count_nothing(refusal: Refused) -> None:
    """Take no note of what is refused."""


class Outbox:
    """Lets faces hear what is posted, and sees to those that cannot.

    ``on_failed`` is called with a face that raised an error when it was told something, ``on_refused`` with each
    refusal that a face is to hear.
    """

    _log = Logger()

    def __init__(self, queue: CommitQueue) -> None:
        self._queue = queue
        self.on_failed: Callable[[Face], None] = _leave_alone
        self.on_refused: Callable[[Refused], None] = _count_nothing

    def post(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something behind all that was done before."""
        self._queue.post(partial(self.tell, face, hear, *what))

    def refuse(self, face: Face | None, tag: object, refusal: Refused) -> None:
        """Answer a face, if there is one, that what it asked for with ``tag`` is refused."""
        if face is not None:
            self.on_refused(refusal)
            self.post(face, face.answered, tag, refusal)

    def tell(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something now; if it cannot, the others still do."""
        try:
            hear(*what)
        except Exception:
            self._log.failure("a face failed and is parted with")
            self.on_failed(face)
