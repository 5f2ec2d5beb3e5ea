"""A client of Castle Wars for those who write bots, and the one that plays for people (``parlour play castle``).

A whole bot, which keeps its hand, draws, and ends its turns::

    async def play() -> None:
        async with Client("127.0.0.1", 3789) as client:
            await client.join("my name", SOLO="easy")
            async for message in client:
                if message["COMMAND"] == "MULLIGAN_OFFER":
                    client.say("GAME_START_ACCEPT")
                elif message["COMMAND"] == "TURN_START" and message["PLAYER_ID"] == client.seat:
                    client.say("TURN_END")
                elif message.get("AWAITED") == client.seat:
                    client.say("ALLOW_ACTION")

What a message holds is said in ``wire``.  People speak words over the same port, and the server does all that is
to be said; what stays here is the terminal.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self

from gamecore.errors import Refused
from gamecore.games.castle import Deck
from protocols.castle.cards import TITLES
from protocols.castle.phrases import VERBS
from protocols.castle.text_session import AFTER, HELP
from protocols.clients.terminal import Ended, Terminal, talk, until_one_ends
from protocols.i18n.sanitize import printable

_LONGEST = 256 * 1024


class GameClosed(ConnectionError):
    """The connection is gone, or the server said what is no Castle Wars."""


class Link:
    """Lines to a server and back."""

    def __init__(self, host: str, port: int) -> None:
        """Connects on entering ``async with``."""
        self.address = (host, port)

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(*self.address, limit=_LONGEST)
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    def send(self, line: str) -> None:
        """Send a line as it is."""
        self._writer.write(" ".join(line.split()).encode() + b"\n")

    def end(self) -> None:
        """Say that nothing more will be sent; what was asked for is still answered."""
        self._writer.write_eof()

    async def line(self) -> str:
        """Wait for the next line; raises GameClosed if there is none any more."""
        try:
            line = await self._reader.readline()
            if line.endswith(b"\n"):
                return line.decode().rstrip("\r\n")
        except ValueError as error:
            raise GameClosed("the server does not speak Castle Wars") from error
        except OSError as error:
            raise GameClosed("the connection to the server broke") from error
        raise GameClosed("the server closed the connection")


class Client(Link):
    """A program's link to a server; the messages of one game are gone through with ``async for``."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self.seat: int | None = None
        """Our number in the game, once we have joined."""
        self.token: str | None = None
        """What brings us back to our seat, if we joined with EXTENSIONS."""
        self._early: deque[dict[str, Any]] = deque()
        self._over = False

    async def join(self, name: str, deck: Sequence[int] | None = None, **more: object) -> None:
        """Join a game with a deck (a usual one if none is given); raises Refused with what the server says."""
        usual = Deck()
        numbers = [*usual.cards, usual.castle] if deck is None else list(deck)
        self.say("JOIN_GAME", **{"USERNAME": name, "DECK_DATA": numbers, "PASSWORD": "", **more})
        await self._welcome()

    async def rejoin(self, token: str) -> None:
        """Take our seat again; raises Refused."""
        self.say("REJOIN_GAME", TOKEN=token)
        await self._welcome()

    async def _welcome(self) -> None:
        message = await self.hear()
        while message["COMMAND"] not in ("JOIN_GAME_RESP", "ERROR"):
            self._early.append(message)
            message = await self.hear()
        if not message.get("SUCCESS"):
            raise Refused(str(message.get("CODE")), text=str(message.get("MESSAGE")))
        self.seat, self.token = message["PLAYER_ID"], message.get("TOKEN", self.token)
        self._over = False

    def say(self, command: str, **fields: object) -> None:
        """Send a command."""
        self.send(json.dumps({"COMMAND": command, **fields}))

    async def hear(self) -> dict[str, Any]:
        """Wait for the next message."""
        try:
            message = json.loads(await self.line())
        except ValueError as error:
            raise GameClosed("the server does not speak Castle Wars") from error
        if not isinstance(message, dict) or "COMMAND" not in message:
            raise GameClosed("the server does not speak Castle Wars")
        return message

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> dict[str, Any]:
        if self._early:
            return self._early.popleft()
        if self._over:
            raise StopAsyncIteration
        message = await self.hear()
        self._over = message["COMMAND"] == "GAME_END"
        return message


# -- for people -----------------------------------------------------------------------


class Player:
    """A person at a terminal: what is typed goes out, and what comes in is shown."""

    def __init__(self, link: Link, once: bool) -> None:
        """With ``once`` all is over when the game is."""
        self.words: Sequence[str] = (
            *(word.upper() for word in (*HELP, *VERBS)),
            *dict.fromkeys(word for title in TITLES for word in title.split() if word != "-"),
        )
        self._link = link
        self._once = once
        self._silent = False  # the person will say no more

    async def play(self, terminal: Terminal) -> int:
        """Play until the person, or the server, has had enough; gives the exit status."""
        try:
            await until_one_ends(self._listen(terminal), self._speak(terminal))
        except Ended:
            return 0
        except GameClosed as problem:
            if not self._silent:
                terminal.say(f"{str(problem).capitalize()}.")
            return int(not self._silent)
        return 0

    async def _listen(self, terminal: Terminal) -> None:
        while True:
            line = await self._link.line()
            terminal.say(printable(line))
            if line == "Goodbye." or (self._once and line == AFTER):
                return

    async def _speak(self, terminal: Terminal) -> None:
        while True:
            typed = await self._typed(terminal)
            if typed.strip():
                self._link.send(typed)

    async def _typed(self, terminal: Terminal) -> str:
        """Take a line; where a pipe ends, what was asked for is still waited for."""
        try:
            return await terminal.ask(">" if terminal.fancy else "")
        except Ended:
            if terminal.fancy:
                raise
        self._silent = True
        self._link.end()
        await asyncio.Event().wait()
        return ""


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play Castle Wars at a server, as ``parlour play castle`` does; gives the exit status."""
    if args.watch:
        print("parlour play: look on at this game in the lobby", file=sys.stderr)
        return 2
    words: list[Callable[[], Sequence[str]]] = []

    async def sit(terminal: Terminal) -> int:
        async with Link(host, port) as link:
            errands = (("JOIN", args.table), ("RETURN", args.token))
            chosen = [f"{verb} {what}" for verb, what in errands if what]
            chosen += ["SOLO"] if args.alone else []
            player = Player(link, once=bool(chosen))
            words.append(lambda: player.words)
            named = [f"NAME {args.name}"] if args.name else []
            for line in (*named, *(chosen or ["HELP"])):
                link.send(line)
            return await player.play(terminal)

    return talk(sit, lambda: words[0]() if words else ())


play.alone = True  # type: ignore[attr-defined]  # see protocols.cli.play
