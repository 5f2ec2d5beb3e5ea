"""The process's memory: what was loaded is passed over by the collector, and what a crowd left is given back.

A full collection looks at everything there is, which takes as long as a hundred moves, and a tenth of a second in
a full house.  So it waits until nothing is to do, or until the process has twice the memory of the last time:
Python's own thresholds would have it come in the middle of a crowd, again and again.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from contextlib import suppress

from twisted.internet.interfaces import IReactorTime
from twisted.logger import Logger

from protocols.daemon.again import Again

LOOK_SECONDS = 2.0
IDLE = 0.005  # of a processor, since the last look: two programs that play are no idle house
WORTHWHILE = 1.0  # seconds of a processor, since the last full collection
GROWN = 2.0  # times the memory behind the last full collection
_THRESHOLDS = (700, 10, 10_000)  # the last one: that full collections are for this module to begin
_STATM = "/proc/self/statm"


class Memory:
    """Collects garbage where nobody has to wait for it."""

    _log = Logger()

    def __init__(
        self,
        clock: IReactorTime,
        worked: Callable[[], float] = time.process_time,
        resident: Callable[[], int | None] | None = None,
        collect: Callable[[], object] | None = None,
    ) -> None:
        """``worked`` gives the seconds of a processor that the process has had, ``resident`` its bytes."""
        self._worked = worked
        self._resident = resident_bytes if resident is None else resident
        self._collect = collect_and_give_back if collect is None else collect
        self._looks = Again(LOOK_SECONDS, self.look, clock)
        self._looked_at = self._collected_at = worked()
        self._kept = self._resident()

    def loaded(self, is_open: bool) -> None:
        """Let the collector pass over what was loaded: to look at it again takes as long as a thousand moves.

        While stored tables are still being listed, none of which is garbage, it does not look at all.
        """
        collect_and_give_back()
        gc.freeze()
        if not is_open:
            gc.disable()

    def opened(self) -> None:
        """Let the collector pass over the tables that were listed, and go about its work."""
        gc.freeze()
        gc.set_threshold(*_THRESHOLDS)
        gc.enable()
        self._note()
        self._looks.start()

    def stop(self) -> None:
        """Look no more."""
        self._looks.stop()

    def look(self) -> None:
        """Collect all garbage, if that is worthwhile and nobody waits, or if memory has grown much."""
        worked = self._worked()
        idle = worked - self._looked_at <= IDLE * LOOK_SECONDS
        self._looked_at = worked
        if (idle and worked - self._collected_at >= WORTHWHILE) or self._has_grown():
            self._collect()
            self._note()
            self._log.debug("looked for garbage, and keep {kept} bytes", kept=self._kept)

    def _has_grown(self) -> bool:
        now = self._resident()
        return now is not None and self._kept is not None and now > GROWN * self._kept

    def _note(self) -> None:
        self._looked_at = self._collected_at = self._worked()
        self._kept = self._resident()


def resident_bytes() -> int | None:
    """Say how many bytes of memory this process has; None where the system does not tell."""
    with suppress(OSError, ValueError, IndexError), open(_STATM, encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return None


def collect_and_give_back() -> None:
    """Collect all garbage, and give back to the system what the C library keeps of it, where that can be asked."""
    gc.collect()
    with suppress(ImportError, AttributeError, OSError, TypeError):
        import ctypes  # which some builds of Python lack

        ctypes.CDLL(None).malloc_trim(0)
