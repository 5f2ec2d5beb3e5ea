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
        rooms = Rooms(host, defaults, lambda: self.only)
        self.locked = bool(rooms.settings.room_password)
        self.protocol = partial(CastleFace, host, rooms)


DOOR = Door(RULES.kind, RULES.title, "tcp:3789", CastleDoorSettings, CastleFactory)
