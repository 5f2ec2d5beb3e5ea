"""A client's link to a server of one game: requests out, messages in, and an end that says why.

A client of a game builds on it, says what reads its wire, and adds what it says::

    class Client(Connection[Message]):
        language = "GOPS"

        def reader(self) -> Reader[Message]:
            return FrameReader()

        def join(self, code: str) -> None:
            self.send(write(Join(code)))

    async with Client("127.0.0.1", 6070) as client:
        client.join("K7QX2")
        async for message in client:
            print(message)
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar, Generic, Self, TypeVar

from protocols.clients.incoming import GameClosed, Incoming, Reader
from protocols.i18n.sanitize import printable
from protocols.net.address import show_address
from protocols.net.line_reader import LineReader

M = TypeVar("M")


class Connection(ABC, Generic[M]):
    """One link to a server, open for as long as an ``async with`` lasts; gone through with ``async for``."""

    language: ClassVar[str]
    """What the server is to speak, as people call it: ``GOPS``."""
    kind: ClassVar[str] = ""
    """What ``parlour play`` calls the game."""

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        """Connects on entering ``async with``; raises OSError there if nobody listens."""
        self.address = (host, port)
        self.token = token
        """What brings us back to our seat, if the server gave us that."""
        self._kept: deque[M] = deque()  # heard while an answer was waited for
        self._over = False

    @abstractmethod
    def reader(self) -> Reader[M]:
        """Make what reads the messages of a new link."""

    async def greet(self) -> None:
        """Say and hear what a newcomer does; raises GameClosed if the server is none of this game."""

    def ask_again(self, token: str) -> None:
        """Ask on a new link for the seat that a token was given for; who says it in ``greet`` need not."""

    def note(self, message: M) -> None:
        """Keep in mind what a message says that has just come in."""

    def ends(self, message: M) -> bool:
        """Tell whether a message is the last of a game, up to which ``async for`` goes."""
        return False

    async def __aenter__(self) -> Self:
        self._stream, self._writer = await asyncio.open_connection(*self.address)
        self._incoming = Incoming(self.language, self.reader())
        self._kept.clear()
        try:
            await self.greet()
        except BaseException:
            self._writer.close()
            raise
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)

    def send_line(self, line: str) -> None:
        """Send a line, its blanks made single."""
        self.send(" ".join(line.split()).encode() + b"\n")

    def end_input(self) -> None:
        """Say that nothing more will be sent; what was asked for is still answered."""
        self._writer.write_eof()

    async def hear(self) -> M:
        """Wait for what the server says next; raises GameClosed if there is no more, or it is none of this wire."""
        return self._kept.popleft() if self._kept else await self._read()

    async def answer(self, fits: Callable[[M], bool]) -> M:
        """Wait for an answer, and keep what comes before it for ``hear``; raises GameClosed as that does."""
        while not fits(message := await self._read()):
            self._kept.append(message)
        return message

    async def _read(self) -> M:
        while (message := self._incoming.next()) is None:
            try:
                data = await self._stream.read(64 * 1024)
            except OSError as error:
                raise GameClosed("the connection to the server broke") from error
            self._incoming.take(data)
        self.note(message)
        return message

    def __aiter__(self) -> Self:
        self._over = False
        return self

    async def __anext__(self) -> M:
        """Wait for the next message, up to the one that ends the game; raises GameClosed as ``hear`` does."""
        if self._over:
            raise StopAsyncIteration
        message = await self.hear()
        self._over = self.ends(message)
        return message


class LineConnection(Connection[str]):
    """A link to a server whose messages are lines."""

    def reader(self) -> Reader[str]:
        """Make what cuts lines."""
        return LineReader(str)


def way_back(kind: str, address: tuple[str, int], token: str) -> str:
    """Write the command that brings a person back to a seat, fit for a terminal."""
    return f"parlour play {kind} {show_address(*address)} --token {printable(token)}"
