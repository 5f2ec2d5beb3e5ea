"""A whole daemon in one process, with every installed door, where guests come by wires and others by none."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gamecore.settings import Value
from protocols.host.door import read_defaults
from protocols.testing import House as AnyHouse
from protocols.testing.guest import Guest, Way
from tests.cases.customs import GAMES
from tests.secrecy.wires import WIRES

__all__ = ["Guest", "House", "undated"]

_DATE = re.compile(rb"\r\nDate: [^\r]*")


class House(AnyHouse):
    """A daemon whose chance comes from one integer; leaving it checks that nothing is left behind."""

    rests = True

    def __init__(self, seed=7, **how):
        defaults = {kind: read_defaults(GAMES[kind], None, {}) for kind in GAMES}
        super().__init__(GAMES.values(), seed=seed, defaults=defaults, **how)

    def settings_of(self, kind: str) -> Mapping[str, Value]:
        """Give the settings that the wires of a door need."""
        return WIRES[kind][0].settings if WIRES.get(kind) else {}

    def begin(self, way: Way, seat: int = 0, options=None, players=None, keep=True, **house):
        """Let a guest come by a wire to a table with sitters in all other seats, and begin; gives all three.

        With ``keep`` the sitters have tokens.
        """
        table = self.open(way.game, options, **house)
        count = players or table.rules.seats[0]
        guest = Guest(self, way, table, seat)
        sitters = {}
        for each in range(count):
            if each == seat:
                guest.come()
                assert self.face_in(table, seat) is not None, guest.peer.got()[-500:]
            else:
                sitters[each] = self.sit(table, each, keep)
        self.start(table)
        return guest, sitters, table


def undated(sent: bytes) -> bytes:
    """Leave out the time of day that the head of a page has."""
    return _DATE.sub(b"", sent)
