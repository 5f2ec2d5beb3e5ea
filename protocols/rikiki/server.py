"""The door of Rikiki's line wire: it opens tables and finds them, and knows who is called what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from secrets import token_urlsafe

from gamecore.errors import Refused
from gamecore.games.rikiki import RULES
from gamecore.settings import NoSettings, Value
from protocols.host.card import Card
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host
from protocols.i18n.look_alikes import NameIndex
from protocols.rikiki.commands import COMMANDS
from protocols.rikiki.face import RikikiFace
from protocols.rikiki.wire import Request


class RikikiFactory(DoorFactory):
    """The door itself."""

    protocol = RikikiFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self._named: NameIndex[RikikiFace] = (
            NameIndex()
        )  # so that nobody is taken for another, by its looks

    def perform(self, face: RikikiFace, request: Request) -> None:
        """Do what a command says; raises Malformed or Refused where it is answered with an error at once."""
        COMMANDS[request.verb](face, request)

    # -- names ------------------------------------------------------------------------

    def take_name(self, face: RikikiFace, name: str) -> None:
        """Call a face so, and not as before; raises Refused ``name-taken``."""
        if not self._named.may_have(name, face):
            raise Refused("name-taken")
        self.release_name(face)
        self._named.add(name, face)
        face.name = name

    def release_name(self, face: RikikiFace) -> None:
        """Let others be called what a face was called."""
        self._named.remove(face.name, face)

    # -- tables -----------------------------------------------------------------------

    def list_tables(self) -> Iterable[Card]:
        """List the tables that can be joined."""
        return self.host.directory.joinable(self.door.kind)

    def find(self, code: str) -> Card:
        """Find a table of Rikiki, whichever door it was opened at; raises Refused ``no-such-table``."""
        table = self.host.directory.find(code)
        if table.kind != self.door.kind:
            raise Refused("no-such-table")
        return table

    def open(
        self, options: Mapping[str, Value], house: Mapping[str, Value], by: str | None
    ) -> tuple[Card, str]:
        """Open a table that begins when its owner says so; gives it and the owner's token.

        The token is an organizer's: only its hash is kept, in the record of the table. Raises Refused as
        ``Host.open``.
        """
        chosen = {**self.defaults.options, **options}
        kept = {**self.defaults.house, **house}
        owner = token_urlsafe(16)
        table = self.host.open(self.door.kind, "", chosen, kept, owner, by)
        return table, f"{table.code}.{owner}"

    def at(self, code: str) -> Sequence[RikikiFace]:
        """List everybody here who is at a table."""
        faces = self.host.faces_at(code)
        return [face for face in faces if isinstance(face, RikikiFace) and face.factory is self]


DOOR = Door(RULES.kind, RULES.title, "tcp:5252", NoSettings, RikikiFactory)
