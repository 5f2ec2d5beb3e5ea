"""A clock on the wall for the daemon, which the harness sets, and which the daemon has for the time of day.

What it shows lies whole hours from the clock that nobody sets, and no trial lasts an hour: so where within an
hour a record is stamped tells how long the trial had lasted, however often the clock leapt.
"""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path

HOUR = 3600.0
A_DAY = 24  # hours
_START = 497_000 * HOUR  # in September 2026
_OFFSET = struct.Struct("d")


class Wall:
    """A clock in a file that several processes share: the clock that nobody sets, and so many seconds more."""

    def __init__(self, path: Path) -> None:
        """Read the clock in a file of ``hang``'s."""
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _OFFSET.size)

    def time(self) -> float:
        """Tell the time of day, in seconds since 1970."""
        offset: float = _OFFSET.unpack(self._map)[0]
        return time.monotonic() + offset

    def leap(self, hours: int) -> None:
        """Set the clock by so many hours, forwards or back."""
        offset: float = _OFFSET.unpack(self._map)[0]
        self._map[:] = _OFFSET.pack(offset + hours * HOUR)


def hang(path: Path) -> Wall:
    """Make the clock of a trial that begins now."""
    path.write_bytes(_OFFSET.pack(_START - time.monotonic()))
    return Wall(path)


def lasted(stamp: float) -> float:
    """Say how many seconds a trial had lasted when its clock showed this."""
    return (stamp - _START) % HOUR
