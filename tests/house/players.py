"""Who plays in a house: comes to any daemon, goes to another when one is silent, gone or has not the table."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Protocol

from attrs import Factory, define, field

from tests.house.diary import Diary

Message = dict[str, Any]
Address = tuple[str, int]

SILENCE = 2.5  # seconds without a word after which a player tries another daemon
AGAIN = (0.1, 0.5)  # seconds before it does
THINKS = 0.12  # seconds before a move, at most
_CONNECTS = 0.5  # seconds for the system to connect


@define(eq=False)
class Party:
    """Who meets at one table; ``code`` is set when it was opened, ``spoiled`` where not all can play."""

    number: int
    kind: str
    players: list[Player] = field(factory=list, repr=False)
    code: str | None = None
    meeting: str | None = None
    home: int = 0  # the daemon at which they meet
    spoiled: bool = False

    @property
    def done(self) -> bool:
        """Whether nobody plays any more."""
        return all(each.done for each in self.players)


class Doors(Protocol):
    """The daemons, as those find them who come, who think for at most so many seconds before a move."""

    thinks: float

    def addresses(self) -> Sequence[Mapping[str, Address]]:
        """Give the address of each door, for each daemon."""


@define(eq=False)
class Player:
    """What any player does: keeps one link, to whichever daemon serves it; ``chance`` is theirs alone."""

    diary: Diary
    party: Party
    chance: Random = field(repr=False)
    doors: Doors = field(repr=False)
    token: str | None = None
    sock: socket.socket | None = field(default=None, repr=False)
    done: bool = False
    over: bool = False  # was told how it ended
    coming: bool = False  # may sit, and has no token yet
    made: int = 0  # moves in this game, as far as was told
    returns: int = 0
    waits: float = 0.0  # the longest time between two words, in seconds
    link: int = 0
    due: float | None = None  # when the next move is made
    next_try: float = 0.0
    heard_at: float = 0.0
    _told_at: float | None = None
    where: int = 0
    fresh: bool = False  # the loop does not know the link yet
    gone: list[socket.socket] = Factory(list)  # for the loop to forget

    # -- links ------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self.done:
            return
        if self.party.spoiled:
            self.end()
        elif self.sock is None:
            if now >= self.next_try:
                self._connect(now)
        elif now > self.heard_at + SILENCE:
            self.lose(now)
        elif self.due is not None and now >= self.due:
            self.due = None
            self.move()

    def _connect(self, now: float) -> None:
        doors = self.doors.addresses()
        self.where = self.party.home if self.meets else self.chance.randrange(len(doors))
        self.heard_at = now
        try:
            sock = socket.create_connection(doors[self.where][self.diary.wire], _CONNECTS)
        except OSError:
            self.next_try = now + self.chance.uniform(*AGAIN)
            return
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(False)
        self.sock, self.fresh = sock, True
        self.link += 1
        self.returns += self.token is not None
        self.due = None
        self.begin()
        self.greet()

    def lose(self, now: float) -> None:
        """Let go of a link, and come back by another."""
        self._close()
        self.due = None
        self.next_try = now + self.chance.uniform(*AGAIN)
        if self.coming:
            self.diary.lost = self.party.spoiled = True

    def _close(self) -> None:
        if self.sock is not None:
            self.gone.append(self.sock)
            self.sock = None

    def end(self) -> None:
        """Play no more."""
        self.done = True
        self._close()

    def hear(self, now: float) -> None:
        """Take in what has come."""
        assert self.sock is not None
        try:
            data = self.sock.recv(262_144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.lose(now)
            return
        if self._told_at is not None and not self.over:
            self.waits = max(self.waits, now - self._told_at)
        self.heard_at = self._told_at = now
        for line in self.cut(data):
            self.diary.heard(self.link, line)
            self.take_in(json.loads(line), now)
            if self.done or self.sock is None:
                return

    def say(self, message: Mapping[str, object]) -> None:
        """Send something; a dead link takes it as well as any."""
        data = json.dumps(message).encode()
        self.diary.sent(self.link, data)
        if self.sock is not None:
            with suppress(OSError):
                self.sock.sendall(data + b"\n")

    def think(self, now: float) -> None:
        """Be about to move."""
        self.due = now + self.chance.uniform(0, self.doors.thinks)

    # -- what is each wire's own ------------------------------------------------------

    @property
    def meets(self) -> bool:
        """Whether they have to come to the daemon where their party meets."""
        return False

    def begin(self) -> None:
        """Forget what was half read on the link before."""

    def greet(self) -> None:
        """Say who comes."""
        raise NotImplementedError

    def cut(self, data: bytes) -> Sequence[bytes]:
        """Cut bytes into messages."""
        raise NotImplementedError

    def take_in(self, message: Message, now: float) -> None:
        """Act on what was heard."""
        raise NotImplementedError

    def move(self) -> None:
        """Make a move."""
        raise NotImplementedError
