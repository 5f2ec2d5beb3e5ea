"""The one clock of tests: time that stands still until it is moved by hand."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.task import Clock


class ManualClock(Clock):
    """A reactor's time that goes on from one call that is due to the next, and no further than it is told to."""

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
