"""The door of 1-2-3 Pass: whoever connects is seated, and the game begins when the table is full."""

from __future__ import annotations

from typing import cast

from gamecore.errors import Refused
from gamecore.games.pass123 import RULES
from gamecore.table import Table
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.look_alikes import alike
from protocols.pass123.face import PassDoorSettings, PassFace


class PassFactory(DoorFactory):
    """The door itself: seats each newcomer at the table that has waited longest."""

    protocol = PassFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(PassDoorSettings, defaults.door)

    def seat(self, face: PassFace) -> None:
        """Seat a newcomer, or tell it why not: ``no-seat``, ``hall-full``, ``closing``."""
        try:
            table = self.only or self._waiting() or self.open_table("", private=False)
            free = table.free_seats()
        except Refused as refusal:
            face.turn_down(refusal.key)
            return
        if not free:
            face.turn_down("no-seat")
            return
        names = (f"player {number}" for number in range(free[0] + 1, free[0] + 1000))
        name = next(each for each in names if not alike(each, table.called()))
        self.host.sit(face, table, free[0], name, keep=True)

    def _waiting(self) -> Table | None:
        """Find a public table that plays as this door's own do."""
        for table in self.host.hall.joinable(RULES.kind):
            if not table.house.password and table.opened.options == self.defaults.options:
                return table
        return None


DOOR = Door(RULES.kind, RULES.title, "tcp:8888", PassDoorSettings, PassFactory)
