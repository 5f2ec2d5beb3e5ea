"""The door of Expanding Nim: finds each newcomer a table, so that players meet in pairs."""

from __future__ import annotations

from typing import cast

from gamecore.errors import Refused
from gamecore.games.nim import RULES
from gamecore.table import Table
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Face, Host
from protocols.i18n.look_alikes import alike
from protocols.nim import wire
from protocols.nim.face import NimDoorSettings, NimFace


class NimFactory(DoorFactory):
    """The door itself, and the names of the tables that were opened to meet at."""

    protocol = NimFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(NimDoorSettings, defaults.door)
        self._meetings: dict[str, str] = {}  # the codes of tables opened to meet at, by name

    def seat(self, face: Face, hello: wire.Hello) -> None:
        """Seat a newcomer at the table it names, else with the one who has waited longest.

        Raises Refused: ``seat-taken``, ``hall-full``, ``closing``.
        """
        table = self._find_table(hello)
        name = hello.name
        others = list(table.called())
        if alike(name, others):
            stem = wire.fit_name(name, wire.NAME_LIMIT - len(" (2)"))
            name = next(each for each in (f"{stem} (2)", f"{stem} (3)") if not alike(each, others))
        self.host.sit(face, table, hello.order, name, keep=hello.resume)

    def _find_table(self, hello: wire.Hello) -> Table:
        table = self.only or self._choose_table(hello)
        if hello.order not in table.free_seats():
            raise Refused("seat-taken")
        return table

    def _choose_table(self, hello: wire.Hello) -> Table:
        if hello.table is None:
            waiting = self.host.hall.with_free_seat(RULES.kind, hello.order)
            return waiting or self.open_table("", private=False)
        table = self._meeting(hello.table)
        if table is None:
            table = self.open_table(hello.table, private=True)
            self._meetings[hello.table] = table.code
        return table

    def _meeting(self, name: str) -> Table | None:
        """Find a table by the name of a meeting, or by its own code."""
        hall = self.host.hall
        for code in (self._meetings.get(name, ""), name.upper()):
            if code in hall:
                table = hall.find(code)
                if table.rules.kind == RULES.kind and table.joinable:
                    return table
        return None

    def forget_meeting(self, hello: wire.Hello) -> None:
        """Let go of the name of a meeting once its table no longer gathers."""
        if hello.table is not None and self._meeting(hello.table) is None:
            self._meetings.pop(hello.table, None)

    def open_table(self, name: str, private: bool) -> Table:
        """Open a table that begins when both have come; raises Refused ``hall-full`` and ``closing``.

        What the gap makes late is credited to each think, whoever sits there.
        """
        lag = 0.0 if self.settings.pad else self.settings.gap
        options = {**self.defaults.options, "lag": lag}
        house = {**self.defaults.house, "private": private, "start": "full"}
        return self.host.open(RULES.kind, name, options, house)


DOOR = Door(RULES.kind, RULES.title, "tcp:9000", NimDoorSettings, NimFactory)
