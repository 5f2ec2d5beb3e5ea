"""A limit to how long something may be awaited."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.interfaces import IDelayedCall, IReactorTime


class Timeout:
    """Calls ``then`` when something has been awaited for ``seconds``, whatever happened meanwhile."""

    __slots__ = ("_clock", "_seconds", "_then", "_timer")

    def __init__(self, clock: IReactorTime, seconds: float, then: Callable[[], None]) -> None:
        self._clock = clock
        self._seconds = seconds
        self._then = then
        self._timer: IDelayedCall | None = None

    def watch(self, waiting: bool) -> None:
        """Hear whether it is awaited now: the time runs from the first yes, and ends with a no."""
        if waiting and self._timer is None:
            self._timer = self._clock.callLater(self._seconds, self._ring)
        elif not waiting and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        self._timer = None
        self._then()
