"""How many tables one person, and one address, may open, counted for the whole house and not for a door."""

from __future__ import annotations

from collections.abc import Callable

from gamecore.errors import Refused
from gamecore.hall import Hall
from protocols.net.limits import AddressBuckets, TokenBucket, counted_as

_BY_ONE = (0.1, 8.0)  # tables a second, and at once
_BY_ADDRESS = (2.0, 120.0)  # a class may sit behind one address
_OPEN_BY_ADDRESS = 120
_REMEMBERED = 4096


class Openings:
    """Counts the tables that people open, so that nobody fills the hall alone."""

    def __init__(self, hall: Hall, seconds: Callable[[], float]) -> None:
        """``seconds`` is what budgets are counted by."""
        self._hall = hall
        self._seconds = seconds
        self._rates = AddressBuckets(*_BY_ADDRESS, _REMEMBERED)
        self._open: dict[str, set[str]] = {}  # codes, by where they were opened from

    @staticmethod
    def budget() -> TokenBucket:
        """Give a person what it may open by itself."""
        return TokenBucket(*_BY_ONE)

    def check(self, budget: TokenBucket, address: str) -> None:
        """Count one more table that is opened; raises Refused ``too-many-tables``."""
        now, where = self._seconds(), counted_as(address)
        codes = self._open.get(where, set())
        codes.intersection_update([code for code in codes if code in self._hall])
        if not codes:
            self._open.pop(where, None)
        if len(codes) >= _OPEN_BY_ADDRESS or not budget.take(now):
            raise Refused("too-many-tables")
        if not self._rates.take(where, now):
            raise Refused("too-many-tables")

    def note(self, address: str, code: str) -> None:
        """Take note of a table that was opened."""
        self._open.setdefault(counted_as(address), set()).add(code)
