"""The door of 1-2-3 Pass: whoever connects is seated, and the game begins when the table is full."""

from __future__ import annotations

from typing import cast

from gamecore.games.pass123 import RULES
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.pass123.face import SEAT, PassDoorSettings, PassFace

_NAMES = tuple(f"player {number}" for number in range(1, 100))  # more than can sit at a table


class PassFactory(DoorFactory):
    """The door itself: seats each newcomer at the table that has waited longest."""

    protocol = PassFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(PassDoorSettings, defaults.door)

    def seat(self, face: PassFace) -> None:
        """Seat a newcomer, or tell it why not: ``table-full``, and as ``Host.match``."""
        name, *others = _NAMES
        keep = face.reads_lines  # no other can be told a token
        if self.only is not None:
            self.host.sit(
                *(face, self.only.code, None, name, SEAT, keep),
                otherwise=others,
                by=face.came_from,
            )
        else:
            self.host.match(
                face,
                RULES.kind,
                None,
                name,
                self.defaults.options,
                self.defaults.house,
                SEAT,
                keep=keep,
                otherwise=others,
                by=face.came_from,
            )


DOOR = Door(RULES.kind, RULES.title, "tcp:8888", PassDoorSettings, PassFactory)
