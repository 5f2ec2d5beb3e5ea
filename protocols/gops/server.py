"""The door of GOPS: who is there by what name, and at which table."""

from __future__ import annotations

from typing import cast

from gamecore.games.gops import RULES
from protocols.gops import wire
from protocols.gops.face import GopsDoorSettings, GopsFace
from protocols.host.card import Card
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.look_alikes import NameIndex


class GopsFactory(DoorFactory):
    """The door itself: knows who is there by what name, and finds tables."""

    protocol = GopsFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(GopsDoorSettings, defaults.door)
        self._named: NameIndex[GopsFace] = NameIndex()
        self._came = 0

    def name_newcomer(self, face: GopsFace) -> str:
        """Give a client the name that it has until it says another."""
        self._came += 1
        return self.rename(face, f"User: {self._came}")

    def rename(self, face: GopsFace, wanted: str) -> str:
        """Give a client the name it wants, or one like it that nobody else here has."""
        name = wire.free_name(wanted, lambda each: not self._named.may_have(each, face))
        self.forget_name(face)
        self._named.add(name, face)
        return name

    def forget_name(self, face: GopsFace) -> None:
        """Let others have the name of a client."""
        self._named.remove(face.name, face)

    def find(self, code: str) -> Card | None:
        """Find a table of GOPS by its code, whatever door it was opened at."""
        directory = self.host.directory
        if code not in directory or (self.only is not None and code != self.only.code):
            return None
        card = directory.find(code)
        return card if card.kind == RULES.kind else None

    def table_to_open(self, by: str | None) -> Card:
        """Open a table that begins when both have come, for an address; raises Refused as ``Host.open``."""
        if self.only is not None:
            return self.only
        house = {**self.defaults.house, "start": "full"}
        return self.host.open(RULES.kind, "", self.defaults.options, house, by=by)


DOOR = Door(RULES.kind, RULES.title, "tcp:6070", GopsDoorSettings, GopsFactory)
