"""Somebody who comes to a table by one of the ways there are: a door, and a wire spoken there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from gamecore.table import Table
from protocols.host.door import Door
from protocols.testing.house import MOMENT, House
from protocols.testing.peer import ADDRESS, Peer
from protocols.testing.wires import Wire

_DECISION = re.compile(rb'name=\\?"decision\\?" value=\\?"([0-9.]*)')


@frozen
class Way:
    """One way to come to a table of one game."""

    game: str
    door: Door
    wire: Wire

    def __str__(self) -> str:
        return f"{self.game}-{self.door.kind}-{self.wire.name}"


def ways(
    game: str, games: Iterable[str], doors: Iterable[Door], wires: Mapping[str, Sequence[Wire]]
) -> Iterator[Way]:
    """Give every way to a game: by its own door, and by those that are no game's own."""
    for door in doors:
        if door.kind == game or door.kind not in games:
            for wire in wires.get(door.kind, ()):
                yield Way(game, door, wire)


class Guest:
    """Somebody at a seat, or who looks on where that is None; ``peers`` are all connections they ever had.

    ``token`` is what brings the player back, found in what was said to them.
    """

    def __init__(self, house: House, way: Way, table: Table, seat: int | None) -> None:
        self.house, self.way, self.table, self.seat = house, way, table, seat
        self.peers: list[Peer] = []
        self.peer: Peer  # the connection on which they speak, once they came
        self._token: str | None = None

    @property
    def wire(self) -> Wire:
        return self.way.wire

    # -- what is known ----------------------------------------------------------------

    @property
    def token(self) -> str | None:
        pattern = self.table.code.encode() + rb"\.[0-9a-f]{32}"
        found = [each for peer in self.peers for each in re.findall(pattern, peer.got())]
        if found:
            self._token = found[-1].decode()
        return self._token

    @token.setter
    def token(self, token: str | None) -> None:
        self._token = token

    @property
    def decision(self) -> str:
        """What the page that came last was drawn for."""
        found = _DECISION.findall(self.peers[-1].got())
        return found[-1].decode() if found else ""

    @property
    def face(self) -> Any:
        """The face that speaks for the seat, whoever made it."""
        return None if self.seat is None else self.house.face_in(self.table, self.seat)

    def filled(self, text: str) -> str:
        """Put what is known in place of <code>, <seat>, <token> and the like."""
        token = self.token or ""
        facts = {"<code>": self.table.code, "<seat>": str(self.seat), "<token>": token}
        facts["<decision>"] = self.decision
        for name, value in {**facts, **self.wire.more(token)}.items():
            text = text.replace(name, value)
        return text

    def encoded(self, text: str) -> bytes:
        """Write one thing as this wire does."""
        return self.wire.encode(self.filled(text), self)

    # -- what is done -----------------------------------------------------------------

    def connect(self, address: str = ADDRESS) -> Peer:
        """Come to the door, on a new connection."""
        self.peer = self.house.connect(self.way.door.kind, address, self.table)
        self.peers.append(self.peer)
        self.house.settle()
        return self.peer

    def come(self, texts: Sequence[str] | None = None, address: str = ADDRESS) -> Peer:
        """Connect, and say what one says first; without ``texts`` to sit down or to look on."""
        first = (self.wire.watch if self.seat is None else self.wire.sit) or ()
        first = first if texts is None else texts
        with self.house.acting(0.0 if first else MOMENT):  # silence may say something, too
            peer = self.connect(address)
        self.say(*first)
        return peer

    def say(self, *texts: str, peer: Peer | None = None) -> None:
        """Say some things, and let happen what follows."""
        with self.house.acting(MOMENT if texts else 0.0):
            for text in texts:
                (peer or self.peer).say(self.encoded(text))
                self.house.settle()
        self.token  # noqa: B018  # before what was said is forgotten
