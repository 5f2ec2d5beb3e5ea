"""How somebody wishes to sit: where, and under which name; and which names nobody may have."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from attrs import frozen

from gamecore import commands
from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.table import Table
from protocols.i18n.look_alikes import alike

_NAMING = commands.Sit, commands.Invite, commands.Replace


@frozen
class Seating:
    """How somebody wishes to sit: where, under which name, with a token to come back by (``keep``) or without.

    Without a ``seat`` it is the first that is free; ``otherwise`` are names to be called if others have the first.
    ``brought`` is what the game asks to be laid down; ``invitation`` the hash for which the seat was kept.
    """

    seat: int | None
    name: str
    keep: bool = False
    brought: object = None
    invitation: str | None = None
    otherwise: Iterable[str] = ()

    def at(self, table: Table, token: str | None) -> commands.Sit:
        """Choose a seat and a name; raises Refused ``table-full``, ``game-began``."""
        seat, free = self.seat, table.free_seats()
        if seat is None:
            if not free:
                gathers = table.stage is Stage.GATHERING
                raise Refused("table-full" if gathers else "game-began")
            seat = free[0]
        others = list(table.called(but=seat))
        names = chain((self.name,), self.otherwise)
        name = next((each for each in names if not alike(each, others)), self.name)
        return commands.Sit(seat, name, token, None, self.brought, self.invitation)


def check_name(table: Table, command: commands.Command) -> None:
    """Refuse a name that people would take for another's at the table (``name-taken``).

    Here, and not by the table itself: what looks alike may be known better one day than when a record was written.
    """
    if isinstance(command, _NAMING) and alike(command.name, table.called(but=command.seat)):
        raise Refused("name-taken")
