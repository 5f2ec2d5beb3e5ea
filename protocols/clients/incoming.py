"""What a server says, from bytes to messages: the part that all clients share, however they wait for bytes.

A game's wire has a reader of its messages; a client that waits in asyncio is built on ``connection``, one that
blocks (Expanding Nim's) does the waiting itself::

    incoming = Incoming("Nim", MessageReader())
    while (message := incoming.next()) is None:
        incoming.take(its_socket.recv(65536))
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


class GameClosed(ConnectionError):
    """The connection is gone, or the server does not speak the game's language."""


class Reader(Protocol[M_co]):
    """One direction of a wire, from bytes to messages."""

    def feed(self, data: bytes) -> Iterable[M_co]:
        """Take the next bytes and give the messages that they complete; raises ValueError for what is none."""


class Incoming(Generic[M]):
    """The messages of one link that nobody has asked for yet."""

    def __init__(self, language: str, reader: Reader[M]) -> None:
        """``language`` is what the server is to speak, as people call it."""
        self._language = language
        self._reader = reader
        self._waiting: deque[M] = deque()
        self._broken: ValueError | None = None

    @property
    def waits(self) -> bool:
        """Whether there is a next message, or an error, without more bytes."""
        return bool(self._waiting) or self._broken is not None

    def next(self) -> M | None:
        """Give the next message, None if more bytes are needed; raises GameClosed behind the last that was one."""
        if self._waiting:
            return self._waiting.popleft()
        if self._broken is not None:
            raise GameClosed(
                f"the server does not speak {self._language}: {self._broken}"
            ) from self._broken
        return None

    def take(self, data: bytes) -> None:
        """Take the next bytes; raises GameClosed if there are none, which is how a stream ends."""
        if not data:
            raise GameClosed("the server closed the connection")
        try:
            for message in self._reader.feed(data):
                self._waiting.append(message)
        except ValueError as problem:
            self._broken = problem
