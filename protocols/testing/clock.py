"""The one clock of tests: time that stands still until it is moved by hand."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable

from twisted.internet.base import DelayedCall
from twisted.internet.task import Clock


class _Call(DelayedCall):
    """A call that says also when it is put off, so that its clock need not look for it."""

    def reset(self, secondsFromNow: float) -> None:
        """Let it be called so many seconds from now instead."""
        super().reset(secondsFromNow)
        self.resetter(self)

    def delay(self, secondsLater: float) -> None:
        """Let it be called so many seconds later."""
        super().delay(secondsLater)
        self.resetter(self)


class ManualClock(Clock):
    """A reactor's time that goes on from one call that is due to the next, and no further than it is told to.

    It keeps its calls in order as they come. Twisted's own sorts all of them again before and after each, which
    in a house of some hundred timers is most of what happens.
    """

    _some_moved = False

    def callLater(
        self, delay: float, callable: Callable[..., object], *args: object, **kw: object
    ) -> DelayedCall:
        """See ``IReactorTime.callLater``."""
        self._order()
        due = self.seconds() + delay
        call = _Call(due, callable, args, kw, self.calls.remove, self._moved, self.seconds)
        insort(self.calls, call, key=DelayedCall.getTime)
        return call

    def advance(self, amount: float) -> None:
        """Let seconds go by, and make every call that is due by then."""
        self.rightNow += amount
        self._order()
        while self.calls and self.calls[0].getTime() <= self.rightNow:
            call = self.calls.pop(0)
            call.called = 1
            call.func(*call.args, **call.kw)
            self._order()

    def _moved(self, call: DelayedCall) -> None:
        self._some_moved = True

    def _order(self) -> None:
        if self._some_moved:
            self._some_moved = False
            self._sortCalls()

    def settle(self) -> None:
        """Let everything happen that needs no time."""
        self.advance(0)

    def pass_time(self, seconds: float, until: Callable[[], object] = lambda: False) -> None:
        """Let seconds go by, each call at its own time as in a reactor; ends early once ``until`` says so."""
        end = self.seconds() + seconds
        self.settle()
        while not until() and self.calls and self.calls[0].getTime() <= end:
            self.advance(max(0.0, self.calls[0].getTime() - self.seconds()))
        if not until():
            self.advance(max(0.0, end - self.seconds()))
