"""The rooms of Castle Wars: tables that are opened, named, listed and found by those who come to its door.

Source: the Castle Wars specification, section 4.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hmac import compare_digest
from itertools import islice
from typing import cast

from attrs import frozen
from twisted.internet.defer import Deferred, maybeDeferred, succeed

from gamecore.errors import Refused
from gamecore.games.castle import RULES
from gamecore.settings import setting
from protocols.castle.pending_requests import SeatRequest
from protocols.host.card import Card
from protocols.host.door import TableDefaults
from protocols.host.face import Host

MOST_LISTED = 100
MOST_LOCKED = 20  # rooms that one password without a code is tried at


@frozen
class CastleDoorSettings:
    """How the door treats its clients."""

    room_password: str = setting("", "what all must say who come without the code of a room")
    legacy_castle_damage: bool = setting(False, "tell a hit on a castle in the older way too")


class Rooms:
    """Finds rooms and opens them, with the defaults of the door."""

    def __init__(
        self, host: Host, defaults: TableDefaults, only: Callable[[], Card | None]
    ) -> None:
        """``only`` gives the one table that people may come to, if the door serves one alone."""
        self.settings = cast(CastleDoorSettings, defaults.door)
        self._host = host
        self._defaults = defaults
        self._only = only
        self._sealed: str | None = None  # that password, as it may be written down

    def follow(self, defaults: TableDefaults) -> None:
        """Go by other defaults and settings, in whatever begins from now on."""
        self.settings = cast(CastleDoorSettings, defaults.door)
        self._defaults = defaults
        self._sealed = None

    def with_free_seats(self) -> Iterator[Card]:
        """List the rooms where somebody may sit down, a hundred at most."""
        return islice(self._host.directory.free(RULES.kind), MOST_LISTED)

    def find(self, wanted: SeatRequest, by: str | None) -> Deferred[Card]:
        """Find the room that somebody at an address wants, or open it.

        Fails with Refused: ``wrong-password``, ``no-such-table``, ``game-began``, and as ``Host.open``.
        """
        return maybeDeferred(self._find, wanted, by)

    def is_only_one(self) -> bool:
        """Tell whether there is one room alone, so that there is no other to try."""
        return self._only() is not None

    def _find(self, wanted: SeatRequest, by: str | None) -> Deferred[Card]:
        only = self._only()
        if only is not None:
            return succeed(only)
        if wanted.level is not None:
            return self._open_with("", wanted.password, True, by)
        if wanted.room:
            return self._seek(wanted.room)
        expected = self.settings.room_password
        if expected and compare_digest(expected.encode(), wanted.password.encode()):
            return self._find_shared(wanted, expected, by)
        if wanted.password or expected:
            return succeed(self._next_locked(wanted))
        return succeed(self._meeting("") or self._open("", "", False, by))

    def _next_locked(self, wanted: SeatRequest) -> Card:
        """Find the next room that the password may open; raises Refused ``wrong-password`` when none is left."""
        if wanted.password:
            for table in islice(self._locked(), MOST_LOCKED):
                if table.code not in wanted.tried:
                    wanted.tried.add(table.code)
                    return table
        raise Refused("wrong-password")

    def _locked(self) -> Iterator[Card]:
        """List the rooms with a password of their own where somebody may sit down."""
        for room in self._host.directory.free(RULES.kind, locked=True):
            if room.lock != self._sealed:
                yield room

    def _find_shared(self, wanted: SeatRequest, expected: str, by: str | None) -> Deferred[Card]:
        sealing = succeed(self._sealed) if self._sealed else self._host.seal(expected)
        sealing.addCallback(self._keep_sealed, expected)
        return sealing.addCallback(self._shared_room, wanted, by)

    def _keep_sealed(self, sealed: str, expected: str) -> str:
        """Keep what the password was sealed to first, unless it has become another meanwhile."""
        if expected != self.settings.room_password:
            return sealed
        self._sealed = self._sealed or sealed
        return self._sealed

    def _shared_room(self, sealed: str, wanted: SeatRequest, by: str | None) -> Card:
        """Find a room of all who know the password, or open it."""
        wanted.lock = sealed
        return self._meeting(sealed) or self._open("", sealed, False, by)

    def _meeting(self, lock: str) -> Card | None:
        """Find a room where somebody waits, that begins by itself and plays as those of this door do."""
        return self._host.directory.match(RULES.kind, None, self._defaults.options, lock)

    def _seek(self, code: str) -> Deferred[Card]:
        """Find a room by its code, which another daemon of the house may have opened just now."""
        seeking = self._host.seek(code) or succeed(None)
        return seeking.addCallback(lambda _: self._named(code))

    def _named(self, code: str) -> Card:
        room = self._host.directory.find(code)
        if room.kind != RULES.kind:
            raise Refused("no-such-table")
        return room

    def open(self, name: str, password: str, private: bool, by: str | None) -> Deferred[Card]:
        """Open a room for an address; fails with Refused as ``Host.open`` and ``Host.seal``."""
        return maybeDeferred(self._open_with, name, password, private, by)

    def _open_with(self, name: str, password: str, private: bool, by: str | None) -> Deferred[Card]:
        if not password:
            return succeed(self._open(name, "", private, by))
        sealing = self._host.seal(password, by)
        return sealing.addCallback(lambda sealed: self._open(name, sealed, private, by))

    def _open(self, name: str, sealed: str, private: bool, by: str | None) -> Card:
        """Open a room, counted for the address it is opened from."""
        house = {**self._defaults.house, "start": "full", "private": private, "password": sealed}
        return self._host.open(RULES.kind, name, self._defaults.options, house, by=by)
