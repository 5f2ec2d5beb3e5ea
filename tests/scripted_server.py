"""A server of one client that does what a script says, for tests of the clients of all games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

HEAR = None


async def read_line(reader: asyncio.StreamReader) -> Any:
    """Hear one line, without its end."""
    return (await reader.readline()).decode().rstrip("\n")


@asynccontextmanager
async def serving(
    script: Sequence[bytes | Callable[[], Awaitable[object]] | None],
    hear: Callable[[asyncio.StreamReader], Awaitable[Any]] = read_line,
    stays: bool = True,
) -> AsyncIterator[tuple[int, list[Any]]]:
    """Serve one client: bytes are sent, HEAR hears something, and anything else is called and waited for.

    Gives the port, and the list of what was heard. Without ``stays`` nothing more is said behind the script.
    """
    heard: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for step in script:
            if step is HEAR:
                heard.append(await hear(reader))
            elif isinstance(step, bytes):
                writer.write(step)
            else:
                await step()
        with suppress(ConnectionError):
            if not stays:
                writer.write_eof()
            await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], heard
