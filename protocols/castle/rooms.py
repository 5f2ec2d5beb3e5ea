"""The rooms of Castle Wars: tables that are opened, named, listed and found by those who come to its door.

Source: the Castle Wars specification, section 4.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hmac import compare_digest
from typing import cast

from attrs import frozen
from twisted.internet.defer import Deferred, maybeDeferred, succeed

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.castle import RULES
from gamecore.settings import setting
from gamecore.table import Table
from protocols.castle.pending_requests import SeatRequest
from protocols.host.door import TableDefaults
from protocols.host.face import Host

MOST_LISTED = 100


@frozen
class CastleDoorSettings:
    """How the door treats its clients."""

    room_password: str = setting("", "what all must say who come without the code of a room")
    legacy_castle_damage: bool = setting(False, "tell a hit on a castle in the older way too")


class Rooms:
    """Finds rooms and opens them, with the defaults of the door."""

    def __init__(
        self, host: Host, defaults: TableDefaults, only: Callable[[], Table | None]
    ) -> None:
        """``only`` gives the one table that people may come to, if the door serves one alone."""
        self.settings = cast(CastleDoorSettings, defaults.door)
        self._host = host
        self._defaults = defaults
        self._only = only
        self._shared: set[str] = set()  # rooms for all who know the password of the house
        self._sealed: str | None = None  # that password, as it may be written down

    def with_free_seats(self) -> Iterator[Table]:
        """List the rooms where somebody may sit down, a hundred at most."""
        tables = self._host.hall.joinable(RULES.kind)
        found = [table for table in tables if table.free_seats()]
        return iter(found[:MOST_LISTED])

    def find(self, wanted: SeatRequest) -> Deferred[Table]:
        """Find the room that somebody wants, or open it.

        Fails with Refused: ``wrong-password``, ``no-such-table``, ``game-began`` or ``hall-full``.
        """
        return maybeDeferred(self._find, wanted)

    def is_only_one(self) -> bool:
        """Tell whether there is one room alone, so that there is no other to try."""
        return self._only() is not None

    def _find(self, wanted: SeatRequest) -> Deferred[Table]:
        only = self._only()
        if only is not None:
            return succeed(only)
        if wanted.level is not None:
            wanted.password = ""
            return succeed(self._open("", "", private=True))
        if wanted.room:
            return succeed(self._named(wanted.room))
        return self._find_shared(wanted.password)

    def _find_shared(self, password: str) -> Deferred[Table]:
        expected = self.settings.room_password
        if not expected:
            return succeed(self._waiting() or self._open("", "", private=False))
        if not compare_digest(expected.encode(), password.encode()):
            raise Refused("wrong-password")
        if self._sealed is None:
            return self._host.seal(expected).addCallback(self._keep_sealed)
        return succeed(self._shared_room(self._sealed))

    def _keep_sealed(self, sealed: str) -> Table:
        self._sealed = sealed
        return self._shared_room(sealed)

    def _shared_room(self, sealed: str) -> Table:
        """Find a room of all who know the password, or open it."""
        joinable = list(self._host.hall.joinable(RULES.kind))
        self._shared &= {table.code for table in joinable}
        for table in joinable:
            if table.code in self._shared and table.free_seats():
                return table
        table = self._open("", sealed, private=False)
        self._shared.add(table.code)
        return table

    def _waiting(self) -> Table | None:
        """Find a public room that plays as those of this door do, and has a seat."""
        for table in self._host.hall.joinable(RULES.kind):
            alike = table.opened.options == self._defaults.options
            if alike and not table.house.password and table.free_seats():
                return table
        return None

    def _named(self, code: str) -> Table:
        code = code.upper()
        if code not in self._host.hall:
            raise Refused("no-such-table")
        table = self._host.hall.find(code)
        if table.rules.kind != RULES.kind:
            raise Refused("no-such-table")
        if table.stage is not Stage.GATHERING:
            raise Refused("game-began")
        return table

    def open(self, name: str, password: str, private: bool) -> Deferred[Table]:
        """Open a room; raises Refused ``hall-full``, or fails with what a password is refused for."""
        if not password:
            return succeed(self._open(name, "", private))
        sealing = self._host.seal(password)
        return sealing.addCallback(lambda sealed: self._open(name, sealed, private))

    def _open(self, name: str, sealed: str, private: bool) -> Table:
        house = {**self._defaults.house, "start": "full", "private": private, "password": sealed}
        return self._host.open(RULES.kind, name, self._defaults.options, house)
