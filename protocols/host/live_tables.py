"""The tables that are awake, by their codes, and how they leave memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamecore.game import Stage
from gamecore.hall import Hall
from protocols.host.bots import Bots
from protocols.host.clocks import Clocks
from protocols.host.directory import Directory
from protocols.host.dormant import DormantTables
from protocols.host.face import Face
from protocols.host.house import ALONE, House
from protocols.host.live_table import LiveTable
from protocols.host.observers import Observers
from protocols.host.place import Place
from protocols.journal.interface import Journal

_RESTING = (Stage.PLAYING, Stage.BETWEEN_ROUNDS, Stage.OVER)


class LiveTables:
    """Every table in memory; one that nobody needs there is put away. ``house`` are the other daemons."""

    def __init__(
        self,
        hall: Hall,
        journal: Journal,
        clocks: Clocks,
        dormant: DormantTables,
        directory: Directory,
        observers: Observers,
    ) -> None:
        self.house: House = ALONE
        self._hall = hall
        self._journal = journal
        self._clocks = clocks
        self._dormant = dormant
        self._directory = directory
        self._observers = observers
        self._by_code: dict[str, LiveTable] = {}

    def __contains__(self, code: object) -> bool:
        return code in self._by_code

    def __len__(self) -> int:
        return len(self._by_code)

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._by_code.values()))

    def find(self, code: str) -> LiveTable | None:
        """Find a table that is awake."""
        return self._by_code.get(code)

    def at(self, place: Place | None) -> LiveTable | None:
        """Find the table that a place is at, if that is awake."""
        return None if place is None else self._by_code.get(place.code)

    def faces_at(self, code: str) -> Sequence[Face]:
        """List the faces that are at a table, if it is awake."""
        live = self._by_code.get(code)
        return () if live is None else tuple(live.faces)

    def add(self, live: LiveTable) -> None:
        """Keep a table that was opened or woken."""
        self._by_code[live.table.code] = live
        self._observers.on_table(live.table, True)

    def remove(self, live: LiveTable) -> None:
        """Keep a table no longer, and let nothing happen at it by itself."""
        self.still(live)
        self._by_code.pop(live.table.code, None)
        self._hall.forget(live.table)
        self._observers.on_table(live.table, False)

    def still(self, live: LiveTable) -> None:
        """Let nothing happen at a table by itself any more."""
        self._clocks.stop(live)
        for bot in live.bots:
            bot.stop()

    def let_go(self, live: LiveTable) -> None:
        """Keep no table in memory where nobody is and nothing can happen by itself."""
        table = live.table
        if live.faces or live.holders or live.joining or live.recovering:
            return
        if self._by_code.get(table.code) is not live or live.saved < table.sequence:
            return  # or its last records are still on their way
        if live.owner is not None:
            if live.owner.may_go:
                self.remove(live)
                self._dormant.put_away(table, live.owner.run)
                self.house.let_go(live)
        elif live.mirrors:
            self.house.left_to_others(live)
        elif live.rested is not None:
            self.remove(live)
            self._dormant.put_back(table.code, live.rested)
        elif table.void and table.reachable:
            self.remove(live)
            self._dormant.put(table)  # for those who have yet to hear of it
        elif table.ended:
            self.remove(live)
            self._directory.remove(table.code)
            self._journal.retire(table.code)
        elif table.stage in _RESTING and table.quiet() and not Bots.awaited(live):
            self.remove(live)
            self._dormant.put(table)
