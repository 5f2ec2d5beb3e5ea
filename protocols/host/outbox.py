"""What faces are to hear: all of it in one order, each behind the commits of what came before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    refusal that a face is to hear.  While play is paused, whoever asks for something hears of that instead, once:
    the answer waits behind what cannot be written down.
    """

    _log = Logger()

    def __init__(self, queue: CommitQueue) -> None:
        self._queue = queue
        self._trouble: str | None = None
        self._told_of_it: dict[Face, None] = {}  # in the order in which they heard of it
        self.on_failed: Callable[[Face], None] = _leave_alone
        self.on_refused: Callable[[Refused], None] = _count_nothing

    def post(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something behind all that was done before."""
        self._queue.post(partial(self.tell, face, hear, *what))
        if self._trouble is not None and face not in self._told_of_it:
            self._told_of_it[face] = None
            self._queue.later(partial(self._tell_of_trouble, face))

    def pause(self, trouble: str, faces: Iterable[Face]) -> None:
        """Let those who are at tables hear that play is paused, or why it still is, and others when they ask."""
        self._trouble = trouble
        self._told_of_it.update(dict.fromkeys(faces))
        for face in list(self._told_of_it):
            self.tell(face, face.paused, trouble)

    def go_on(self) -> None:
        """Let all who heard that play is paused hear that it goes on."""
        told, self._told_of_it, self._trouble = self._told_of_it, {}, None
        for face in told:
            self.tell(face, face.paused, None)

    def forget(self, face: Face) -> None:
        """Tell a face that is gone nothing more of a pause."""
        self._told_of_it.pop(face, None)

    def _tell_of_trouble(self, face: Face) -> None:
        if self._trouble is not None and face in self._told_of_it:
            self.tell(face, face.paused, self._trouble)

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
