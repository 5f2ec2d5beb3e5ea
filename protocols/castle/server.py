"""The door of Castle Wars."""

from __future__ import annotations

from functools import partial

from gamecore.games.castle import RULES
from protocols.castle.face import CastleFace
from protocols.castle.rooms import CastleDoorSettings, Rooms
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host


class CastleFactory(DoorFactory):
    """Lets clients in."""

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self._rooms = Rooms(host, defaults, lambda: self.only)
        self.locked = bool(self._rooms.settings.room_password)
        self.protocol = partial(CastleFace, host, self._rooms)

    def follow(self, defaults: TableDefaults) -> None:
        """Go by other defaults and settings, in whatever begins from now on."""
        super().follow(defaults)
        self._rooms.follow(defaults)
        self.locked = bool(self._rooms.settings.room_password)


DOOR = Door(RULES.kind, RULES.title, "tcp:3789", CastleDoorSettings, CastleFactory)
