"""The connections of the load: what each sends, and how it knows that it is answered.

Nothing is parsed, for the load must not be what limits the server: lines are counted, and marks in them.  In the
hall, over the lobby and over JSON lines alike, a player moves as soon as it is told that it is its turn.
"""

from __future__ import annotations

import resource
import socket
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Protocol

from attrs import define, field, frozen

MOVE = b'{"num_stones": 1, "reset": false}\n'
GOES_ON = b'"finished": false'
READ = 65536

Note = Callable[[float], None]


class Broken(Exception):
    """The server did not do what a game needs."""


def allow_files(wanted: int) -> None:
    """Raise the limit of open files, of this process and of those it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY:
        hard = max(hard, wanted)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):  # only root may raise what is hard
        raise Broken(f"{wanted} files must be open at once: see ulimit -Hn") from None


class Link(Protocol):
    """One connection and what it waits for."""

    sock: socket.socket
    sent_at: float

    def move(self) -> None:
        """Send what the server is to answer."""

    def hear(self, note: Note) -> None:
        """Read what has come, note how long it took, and go on."""


@define(eq=False)
class Buffer:
    """What a socket has sent, in whole lines."""

    sock: socket.socket
    _rest: bytes = b""

    def read(self) -> bytes:
        """Read lines; nothing while one is still in pieces."""
        data = self.sock.recv(READ)
        if not data:
            raise Broken("the server closed a connection")
        if self._rest:
            data, self._rest = self._rest + data, b""
        if data.endswith(b"\n"):
            return data
        self._rest = data
        return b""


@define(eq=False)
class Echoed:
    """A line goes out and comes back."""

    sock: socket.socket
    sent_at: float = 0.0
    _buffer: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._buffer = Buffer(self.sock)

    def move(self) -> None:
        self.sent_at = perf_counter()
        self.sock.send(MOVE)

    def hear(self, note: Note) -> None:
        if self._buffer.read():
            note(perf_counter() - self.sent_at)
            self.move()


@define(eq=False)
class Player:
    """One side of a game on Nim's own wire; it hears of its own move first and of the opponent's next."""

    sock: socket.socket
    sent_at: float = 0.0
    opponent: Player = field(init=False)
    _own_next: bool = False
    _buffer: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._buffer = Buffer(self.sock)

    def move(self) -> None:
        self._own_next = True
        self.sent_at = perf_counter()
        self.sock.send(MOVE)

    def hear(self, note: Note) -> None:
        data = self._buffer.read()
        lines = data.count(b"\n")
        if data.count(GOES_ON) != lines:
            raise Broken(f"a game ended: {data.decode(errors='replace').strip()}")
        if self._own_next and lines:
            self._own_next = False
            lines -= 1
        if lines == 1:
            note(perf_counter() - self.opponent.sent_at)
            self.move()
        elif lines:
            raise Broken("a player was told of more moves than were made")


# -- in the hall ----------------------------------------------------------------------


@frozen
class Manner:
    """How Nim is played at one door of the whole hall.

    Each line of a game that goes on holds exactly one of the marks in ``known``; ``turns`` is, by seat, what tells
    a player to move, and ``code`` what stands before the table's code where one who opened it hears of it.
    """

    opens: bytes
    joins: bytes
    code: bytes
    move: bytes
    known: tuple[bytes, ...]
    turns: tuple[bytes, bytes]
    begun: tuple[bytes, bytes]

    def goes_on(self, data: bytes) -> bool:
        """Say whether these lines are those of a game that goes on."""
        return sum(map(data.count, self.known)) == data.count(b"\n")

    def code_in(self, data: bytes) -> bytes:
        """Find the code of the table that was opened; nothing while it was not told."""
        _, _, after = data.partition(self.code)
        return after[:5]


_YOURS = b"] Your turn. "
_OTHERS = b"] Waiting for "
MANNERS: Mapping[str, Manner] = {
    "lobby": Manner(
        opens=b"OPEN nim\r\n",
        joins=b"JOIN %b\r\n",
        code=b"You sit at table ",
        move=b"take 1\r\n",
        known=(b" takes 1; ", _YOURS, _OTHERS),
        turns=(_YOURS, _YOURS),
        begun=(_YOURS, _OTHERS),
    ),
    "json": Manner(
        opens=b'{"do":"open","id":1,"game":"nim"}\n{"do":"join","id":2}\n',
        joins=b'{"do":"join","id":1,"table":"%b"}\n',
        code=b'"table":"',
        move=b'{"do":"play","id":3,"move":{"is":"Take","stones":1}}\n',
        known=(b'"event":"Taken"', b'{"turn":[', b'"ok":true'),
        turns=(b'{"turn":[0]', b'{"turn":[1]'),
        begun=(b'{"turn":[0]', b'{"turn":[0]'),
    ),
}


@define(eq=False)
class HallPlayer:
    """One side of a game in the hall."""

    sock: socket.socket
    manner: Manner
    seat: int
    sent_at: float = 0.0
    opponent: HallPlayer = field(init=False)
    _buffer: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._buffer = Buffer(self.sock)

    def move(self) -> None:
        self.sent_at = perf_counter()
        self.sock.send(self.manner.move)

    def hear(self, note: Note) -> None:
        data = self._buffer.read()
        if not self.manner.goes_on(data):
            raise Broken(f"a game does not go on: {data.decode(errors='replace').strip()}")
        turns = data.count(self.manner.turns[self.seat])
        if turns == 1:
            note(perf_counter() - self.opponent.sent_at)
            self.move()
        elif turns:
            raise Broken("a player was told to move more than once")
