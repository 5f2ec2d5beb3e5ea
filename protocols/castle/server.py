"""The door of Castle Wars: rooms that are opened, named, listed and found."""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest
from typing import cast

from attrs import frozen
from twisted.internet.defer import Deferred, maybeDeferred, succeed

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.castle import RULES
from gamecore.settings import setting
from gamecore.table import Table
from protocols.castle.face import CastleFace
from protocols.castle.pending_requests import Wanted
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host

MOST_LISTED = 100


@frozen
class CastleDoorSettings:
    """How the door treats its clients."""

    room_password: str = setting("", "what all must say who come without the code of a room")
    legacy_castle_damage: bool = setting(False, "tell a hit on a castle in the older way too")


class CastleFactory(DoorFactory):
    """The door itself: finds rooms and opens them."""

    protocol = CastleFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(CastleDoorSettings, defaults.door)
        self.locked = bool(self.settings.room_password)
        self._common: set[str] = set()  # rooms for all who know the word of the house
        self._sealed: str | None = None  # that word

    def rooms(self) -> Iterator[Table]:
        """List the rooms where somebody may sit down."""
        tables = self.host.hall.joinable(RULES.kind)
        found = [table for table in tables if table.free_seats()]
        return iter(found[:MOST_LISTED])

    def room_for(self, wanted: Wanted) -> Deferred[Table]:
        """Find the room that somebody wants, or open it; fails with Refused."""
        return maybeDeferred(self._room_for, wanted)

    def _room_for(self, wanted: Wanted) -> Deferred[Table]:
        if self.only is not None:
            return succeed(self.only)
        if wanted.level is not None:
            wanted.password = ""
            return succeed(self._open("", "", private=True))
        if wanted.room:
            return succeed(self._named(wanted.room))
        word = self.settings.room_password
        if word and not compare_digest(word.encode(), wanted.password.encode()):
            raise Refused("wrong-password")
        if word and self._sealed is None:
            return self.host.seal(word).addCallback(self._keep_sealed, wanted)
        table = self._waiting()
        if table is None:
            table = self._open("", self._sealed or "", private=False)
            self._common.add(table.code)
        return succeed(table)

    def _keep_sealed(self, sealed: str, wanted: Wanted) -> Deferred[Table]:
        self._sealed = sealed
        return self._room_for(wanted)

    def _named(self, code: str) -> Table:
        code = code.upper()
        if code not in self.host.hall:
            raise Refused("no-such-table")
        table = self.host.hall.find(code)
        if table.rules.kind != RULES.kind:
            raise Refused("no-such-table")
        if table.stage is not Stage.GATHERING:
            raise Refused("game-began")
        return table

    def _waiting(self) -> Table | None:
        """Find a room of all who know the word; where there is none, any public room that plays alike."""
        self._common &= {table.code for table in self.host.hall.joinable(RULES.kind)}
        for table in self.host.hall.joinable(RULES.kind):
            common = table.code in self._common
            if not self.settings.room_password:
                common = table.opened.options == self.defaults.options and not table.house.password
            if common and table.free_seats():
                return table
        return None

    def open_room(self, name: str, password: str, private: bool) -> Deferred[Table]:
        """Open a room; raises Refused."""
        if not password:
            return succeed(self._open(name, "", private))
        sealing = self.host.seal(password)
        return sealing.addCallback(lambda sealed: self._open(name, sealed, private))

    def _open(self, name: str, sealed: str, private: bool) -> Table:
        house = {**self.defaults.house, "start": "full", "private": private, "password": sealed}
        return self.host.open(RULES.kind, name, self.defaults.options, house)


DOOR = Door(RULES.kind, RULES.title, "tcp:3789", CastleDoorSettings, CastleFactory)
