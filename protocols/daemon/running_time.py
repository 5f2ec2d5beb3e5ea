"""The time that clocks at tables run by: as a process is there to see it."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_AT_ONCE = 2.0  # seconds; it is asked each second, and a busy daemon may be late


class RunningTime:
    """Seconds that this process has run: what it stood still for, or was not there for, counts for nobody.

    Players could not be heard then. It has to be asked at least each second.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        """``on_stood`` is called when it is noticed that the process stood still."""
        self.on_stood: Callable[[], None] = lambda: None
        self._seconds = seconds
        self._asked = seconds()
        self._stood = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        now = self._seconds()
        stood = now - self._asked - MOST_AT_ONCE
        self._asked = now
        if stood > 0:
            self._stood += stood
            self.on_stood()
        return now - self._stood
