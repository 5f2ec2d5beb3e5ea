"""What is done again and again while the daemon runs."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.interfaces import IReactorTime
from twisted.internet.task import LoopingCall
from twisted.logger import Logger
from twisted.python.failure import Failure


class Again:
    """Something that is done again and again while the daemon runs."""

    def __init__(self, seconds: float, do: Callable[[], object], reactor: IReactorTime) -> None:
        self._seconds = seconds
        self._loop = LoopingCall(do)
        self._loop.clock = reactor

    def start(self) -> None:
        """Begin; an error in it is logged, and ends it."""
        self._loop.start(self._seconds, now=False).addErrback(_log_failure)

    def stop(self) -> None:
        """End it, if it runs."""
        if self._loop.running:
            self._loop.stop()


def _log_failure(failure: Failure) -> None:
    Logger(namespace=__name__).failure("what is done again and again has failed", failure)
