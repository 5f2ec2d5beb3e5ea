"""A client's link to a server of one game: lines out, lines in, and an end that says why.

A client of a game builds on it, and adds what it says and hears::

    class Client(Connection):
        language = "GOPS"

        def join(self, code: str) -> None:
            self.send_line(f"JOIN-GAME~{code}")

    async with Client("127.0.0.1", 6070) as client:
        client.join("K7QX2")
        print(await client.read_line())
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import ClassVar, Self

from protocols.i18n.sanitize import printable
from protocols.net.address import show_address


class GameClosed(ConnectionError):
    """The connection is gone, or the server does not speak the game's language."""


class Connection:
    """One link to a server, open for as long as an ``async with`` lasts."""

    language: ClassVar[str]
    """What the server is to speak, as people call it: ``GOPS``."""
    kind: ClassVar[str] = ""
    """What ``parlour play`` calls the game."""
    line_limit: ClassVar[int] = 64 * 1024
    """The most bytes that a line of the server's may have."""

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        """Connects on entering ``async with``; raises OSError there if nobody listens."""
        self.address = (host, port)
        self.token = token
        """What brings us back to our seat, if the server gave us that."""

    async def greet(self) -> None:
        """Say and hear what a newcomer does; raises GameClosed if the server is none of this game."""

    def ask_again(self, token: str) -> None:
        """Ask on a new link for the seat that a token was given for; who says it in ``greet`` need not."""

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(
            *self.address, limit=self.line_limit
        )
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

    async def read_line(self) -> str:
        """Wait for the next line and give it without its end; raises GameClosed if there is none."""
        with self.reading():
            line = await self._reader.readline()
            if line.endswith(b"\n"):
                return line.decode().rstrip("\r\n")
        raise GameClosed("the server closed the connection")

    async def read_bytes(self, count: int) -> bytes:
        """Wait for that many bytes; raises GameClosed if there are fewer."""
        with self.reading():
            return await self._reader.readexactly(count)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raise GameClosed for what goes wrong with the link, and for what a ValueError says is no language."""
        try:
            yield
        except ValueError as error:
            raise GameClosed(f"the server does not speak {self.language}") from error
        except GameClosed:
            raise
        except (OSError, asyncio.IncompleteReadError) as error:
            raise GameClosed("the connection to the server broke") from error


def way_back(kind: str, address: tuple[str, int], token: str) -> str:
    """Write the command that brings a person back to a seat, fit for a terminal."""
    return f"parlour play {kind} {show_address(*address)} --token {printable(token)}"
