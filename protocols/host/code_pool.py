"""Codes for tables that are yet to be opened, reserved in the journal so that no other run can have the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from gamecore.errors import Refused
from protocols.journal.errors import JournalFailed, JournalLost
from protocols.journal.interface import Journal

BLOCK = 64  # codes that are reserved at once


class CodePool:
    """Keeps as many reserved codes as the journal wants to have ahead, and asks for the next block in time."""

    def __init__(self, journal: Journal, draw: Callable[[], str]) -> None:
        """``draw`` draws a code that, as far as is known here, no table has."""
        self._journal = journal
        self._draw = draw
        self._free: deque[str] = deque()
        self._asking = False

    def fill(self) -> Deferred[None]:
        """Reserve all that is wanted ahead; fires when that was answered, be it with none."""
        missing = self._journal.codes_ahead - len(self._free)
        return self._reserve(missing) if missing > 0 else succeed(None)

    def take(self) -> str:
        """Give a code to a new table; raises Refused ``too-fast`` while none is left."""
        wanted = max(self._journal.codes_ahead, 1)
        if len(self._free) <= wanted - BLOCK or not self._free:
            self._ask(wanted - len(self._free))
        if not self._free:
            raise Refused("too-fast")
        return self._free.popleft()

    def put_back(self, code: str) -> None:
        """Keep a code that was not used, for the next table."""
        self._free.appendleft(code)

    def _ask(self, missing: int) -> None:
        if not self._asking:
            self._reserve(-(-missing // BLOCK) * BLOCK)

    def _reserve(self, count: int) -> Deferred[None]:
        self._asking = True
        return self._journal.reserve(self._draw, count).addCallbacks(self._keep, self._failed)

    def _keep(self, codes: Sequence[str]) -> None:
        self._asking = False
        self._free.extend(codes)

    def _failed(self, failure: Failure) -> None:
        """Let the next table ask again; what is wrong with the journal is said elsewhere."""
        self._asking = False
        failure.trap(JournalFailed, JournalLost)
