"""What faces are to hear: all of it in one order, each behind the commits of what came before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import Factory, define
from twisted.logger import Logger

from gamecore.errors import Refused
from protocols.host.commit_queue import CommitQueue
from protocols.host.face import Face

JOURNAL = "the journal"  # whose trouble pauses all that is done here


def _leave_alone(face: Face) -> None:
    """Do nothing about a face that failed."""


def _count_nothing(refusal: Refused) -> None:
    """Take no note of what is refused."""


@define(eq=False)
class _Pause:
    """Why play is paused for some, and who has heard so, in the order in which they did."""

    trouble: str
    told: dict[Face, None] = Factory(dict)


class Outbox:
    """Lets faces hear what is posted, and sees to those that cannot.

    ``on_failed`` is called with a face that raised an error when it was told something, ``on_refused`` with each
    refusal that a face is to hear.  While play is paused, whoever asks for something hears of that instead, once:
    the answer waits behind what cannot be written down.
    """

    _log = Logger()

    def __init__(self, queue: CommitQueue) -> None:
        self._queue = queue
        self._pauses: dict[object, _Pause] = {}  # by what is in trouble
        self.on_failed: Callable[[Face], None] = _leave_alone
        self.on_refused: Callable[[Refused], None] = _count_nothing

    def post(self, face: Face, hear: Callable[..., None], *what: object) -> None:
        """Let a face hear something behind all that was done before."""
        self._queue.post(partial(self.tell, face, hear, *what))
        if self._pauses:
            self.hold_up(JOURNAL, face)

    # -- while play is paused -----------------------------------------------------------

    def pause(self, cause: object, trouble: str, faces: Iterable[Face]) -> None:
        """Let some hear that play is paused for them until its cause is no more, or why it still is."""
        pause = self._pauses.get(cause)
        if pause is None or pause.trouble != trouble:
            known = () if pause is None else tuple(pause.told)
            pause, faces = _Pause(trouble), (*known, *faces)
            self._pauses[cause] = pause
        for face in faces:
            if face not in pause.told:
                pause.told[face] = None
                self.tell(face, face.paused, trouble)

    def hold_up(self, cause: object, face: Face) -> None:
        """Let a face that asks for something hear in a later turn, once, if play is paused by a cause."""
        pause = self._pauses.get(cause)
        if pause is not None and face not in pause.told:
            pause.told[face] = None
            self._queue.later(partial(self._tell_of, cause, face))

    def _tell_of(self, cause: object, face: Face) -> None:
        pause = self._pauses.get(cause)
        if pause is not None and face in pause.told:
            self.tell(face, face.paused, pause.trouble)

    def go_on(self, cause: object) -> None:
        """Let all who heard of a cause, and for whom there is no other, hear that play goes on."""
        pause = self._pauses.pop(cause, None)
        if pause is None:
            return
        for face in pause.told:
            if not any(face in other.told for other in self._pauses.values()):
                self.tell(face, face.paused, None)

    def forget(self, face: Face) -> None:
        """Tell a face that is gone nothing more of a pause."""
        for pause in self._pauses.values():
            pause.told.pop(face, None)

    # -- what is told -------------------------------------------------------------------

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
