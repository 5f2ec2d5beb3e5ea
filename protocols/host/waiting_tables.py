"""The tables that were opened from each address and still wait: nobody may fill the hall with such alone."""

from __future__ import annotations

from collections import OrderedDict, deque
from itertools import islice

from gamecore.game import Stage
from gamecore.hall import Hall
from protocols.host.dormant import DormantTables
from protocols.net.admission import OPEN, Admission
from protocols.net.limits import counted_as

_REVIEWED = 2  # addresses at each opening, and some tables of each, so that all are in time
_SOME = 4


class WaitingTables:
    """Counts the tables that are opened from an address, and those of them that nobody else has joined."""

    def __init__(self, hall: Hall, dormant: DormantTables, admission: Admission) -> None:
        self._hall = hall
        self._dormant = dormant
        self._admission = admission
        self._waiting: OrderedDict[str, deque[str]] = (
            OrderedDict()
        )  # codes, by where they were opened

    def check(self, by: str | None) -> None:
        """Count one more table that is opened; raises Refused ``too-many-tables``, ``too-many-waiting``."""
        if by is None:
            return
        key = counted_as(by)
        if len(self._waiting.get(key, ())) >= self._admission.settings.tables_waiting:
            self._review(key, len(self._waiting[key]))
            if len(self._waiting.get(key, ())) >= self._admission.settings.tables_waiting:
                self._admission.refuse_waiting()
        self._admission.spend(by, OPEN)

    def note(self, by: str | None, code: str) -> None:
        """Take note of a table that was opened."""
        if by is None:
            return
        self._waiting.setdefault(counted_as(by), deque()).append(code)
        for key in list(islice(self._waiting, _REVIEWED)):
            self._waiting.move_to_end(key)
            self._review(key, _SOME)

    def __len__(self) -> int:
        """Say of how many addresses something is known."""
        return len(self._waiting)

    def _review(self, key: str, some: int) -> None:
        """Of some tables, forget those that are no more, have begun, or were joined."""
        codes = self._waiting[key]
        for _ in range(min(some, len(codes))):
            code = codes.popleft()
            if self._waits(code):
                codes.append(code)
        if not codes:
            del self._waiting[key]

    def _waits(self, code: str) -> bool:
        if code not in self._hall:
            return code in self._dormant and self._dormant.stage(code) == Stage.GATHERING.value
        table = self._hall.find(code)
        people = sum(core.level is None for core in table.seated().values())
        return table.stage is Stage.GATHERING and people < 2
