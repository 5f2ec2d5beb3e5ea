"""The door of Rikiki's line wire: it opens tables, finds them, and knows who may start them."""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Protocol, cast

from gamecore import commands
from gamecore.errors import Refused
from gamecore.games.rikiki import RULES
from gamecore.settings import Value
from gamecore.table import Table
from protocols.host.door import Door, DoorFactory, NoSettings, TableDefaults
from protocols.host.face import Face, Host
from protocols.i18n.names import looks_like
from protocols.rikiki.face import RikikiFace
from protocols.rikiki.listener import Listener
from protocols.rikiki.wire import Request

_SPARE_OWNERS = 64


class Commanding(Protocol):
    """What a door asks of the Host beside what faces may."""

    def command(
        self, face: Face | None, table: Table, command: commands.Command, tag: object = None
    ) -> None:
        """Put a command to a table; a face, if given, is answered."""


class Names:
    """The names that are in use at this door, so that nobody is taken for another."""

    def __init__(self) -> None:
        self._holders: dict[str, Listener] = {}

    def take(self, face: Listener, name: str) -> None:
        """Give a name to a face, instead of the one it had; raises Refused ``name-taken``."""
        if self._holders.get(looks_like(name), face) is not face:
            raise Refused("name-taken")
        self.forget(face)
        self._holders[looks_like(name)] = face

    def forget(self, face: Listener) -> None:
        """Let go of the name of a face, if it has one."""
        if self._holders.get(looks_like(face.name)) is face:
            del self._holders[looks_like(face.name)]


class RikikiFactory(DoorFactory):
    """The door itself."""

    protocol = RikikiFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.names = Names()
        self._owners: dict[str, str] = {}  # the token of whoever opened a table, by its code

    def open(self, options: Mapping[str, Value], house: Mapping[str, Value]) -> tuple[Table, str]:
        """Open a table that begins when its owner says so; gives it and the owner's token.

        Raises Refused for options out of bounds or a full hall.
        """
        chosen = {**self.defaults.options, **options}
        kept = {**self.defaults.house, **house}
        table = self.host.open(self.door.kind, "", chosen, kept)
        self._forget_owners()
        token = self._owners[table.code] = token_urlsafe(16)
        return table, token

    def _forget_owners(self) -> None:
        """Let go of the owners of tables that are no more, once there may be many of them."""
        hall = self.host.hall
        if len(self._owners) > len(hall) + _SPARE_OWNERS:
            self._owners = {code: token for code, token in self._owners.items() if code in hall}

    def find(self, code: str) -> Table:
        """Find a table of Rikiki, whichever door it was opened at; raises Refused ``no-such-table``."""
        table = self.host.hall.find(code)
        if table.rules.kind != self.door.kind:
            raise Refused("no-such-table")
        return table

    def start(self, face: Listener, token: str, request: Request) -> None:
        """Begin the game at the table of a face that may; raises Refused ``not-seated``, ``bad-token``."""
        if face.place is None or face.place.code not in self.host.hall:
            raise Refused("not-seated")
        table = self.host.hall.find(face.place.code)
        if not self._owns(face, table, token):
            raise Refused("bad-token")
        cast(Commanding, self.host).command(face, table, commands.Start(), request)

    def _owns(self, face: Listener, table: Table, token: str) -> bool:
        """Say whether a face has opened a table; one that nobody opened here is its first player's."""
        owner = self._owners.get(table.code)
        if owner is None:
            player = None if face.place is None else face.place.player
            return player is not None and player.seat == min(table.seated())
        return table.code in face.opened or compare_digest(owner.encode(), token.encode())

    def spread(self, code: str, line: str) -> None:
        """Send a line to everybody here who is at a table."""
        for link in list(self.links):
            place = cast(Listener, link).place
            if place is not None and place.code == code:
                cast(Listener, link).send_line(line)


DOOR = Door(RULES.kind, RULES.title, "tcp:5252", NoSettings, RikikiFactory)
