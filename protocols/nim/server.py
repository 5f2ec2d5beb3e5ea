"""The door of Expanding Nim: finds each newcomer a table, so that players meet in pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from gamecore.errors import Refused
from gamecore.games.nim import RULES
from gamecore.settings import Value
from protocols.host.card import Card
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Face, Host
from protocols.nim import wire
from protocols.nim.face import NimDoorSettings, NimFace


class NimFactory(DoorFactory):
    """The door itself."""

    protocol = NimFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(NimDoorSettings, defaults.door)

    def seat(self, face: Face, hello: wire.Hello, by: str | None) -> None:
        """Seat a newcomer from an address at the table it names, else with the one who has waited longest.

        Answered ``seat-taken``, for the password, and as ``Host.match``.  Raises Refused as ``Host.open`` for a
        meeting that cannot be opened, ``no-password-wanted``.
        """
        card = self.only
        if card is None and hello.table is not None:
            card = self._meeting(hello.table, hello.password, by)
        stem = wire.fit_name(hello.name, wire.NAME_LIMIT - len(" (2)"))
        others = (f"{stem} (2)", f"{stem} (3)")
        if card is None and hello.password:
            raise Refused("no-password-wanted")
        if card is not None:
            self.host.sit(
                face,
                card.code,
                hello.order,
                hello.name,
                keep=hello.resume,
                password=hello.password,
                otherwise=others,
                by=by,
            )
        else:
            self.host.match(
                face,
                RULES.kind,
                hello.order,
                hello.name,
                self._options,
                self.defaults.house,
                keep=hello.resume,
                otherwise=others,
                also=[self.defaults.options],  # who opened a table elsewhere knows of no gap
                by=by,
            )

    def _meeting(self, name: str, password: str, by: str | None) -> Card:
        """Find a table by the name of a meeting, or by its own code, or open it to meet at.

        A meeting is known by its name alone: with a password none is opened.
        """
        directory = self.host.directory
        for card in (
            directory.meeting(RULES.kind, name),
            directory.find(name) if name.upper() in directory else None,
        ):
            if card is not None and card.kind == RULES.kind and card.joinable:
                return card
        if password:
            raise Refused("no-password-wanted")
        return self.open_table(name, private=True, by=by)

    def open_table(self, name: str, private: bool, by: str | None = None) -> Card:
        """Open a table that begins when both have come; raises Refused as ``Host.open``."""
        house = {**self.defaults.house, "private": private, "start": "full"}
        return self.host.open(RULES.kind, name, self._options, house, by=by)

    @property
    def _options(self) -> Mapping[str, Value]:
        """What is played here; what the gap makes late is credited to each think if nobody set another credit."""
        late = 0.0 if self.settings.pad else self.settings.gap
        return {**self.defaults.options, "lag": self.defaults.options.get("lag") or late}


DOOR = Door(RULES.kind, RULES.title, "tcp:9000", NimDoorSettings, NimFactory)
