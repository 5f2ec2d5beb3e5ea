"""A client of Rikiki for those who write bots, and the one that plays for people (``parlour play rikiki``).

A whole bot, which bids and plays the first thing that it may::

    async def play() -> None:
        async with Client("my name", "127.0.0.1", 5252) as client:
            await client.do("JOIN", "K7QX2")
            while (event := await client.hear())[0] != "GAMEOVER":
                if event[0] == "TURN" and len(event) > 3:  # the choice is told to its own player alone
                    await client.do(event[2], event[3])
                elif event[0] == "ROUNDOVER":
                    await client.do("NEXT")
"""

from __future__ import annotations

import argparse
import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

from gamecore.errors import Refused
from protocols.clients.terminal import Ended, Terminal, talk, until_one_ends
from protocols.i18n.sanitize import printable
from protocols.rikiki.wire import VERBS

_LONGEST = 64 * 1024


class GameClosed(ConnectionError):
    """The connection is gone, or the server said what is no Rikiki."""


class Client:
    """One link to a server; one game after another can be played over it."""

    def __init__(self, name: str | None, host: str, port: int, *, for_people: bool = False) -> None:
        """Connects, and says the name, on entering ``async with``."""
        self.name = name
        self.address = (host, port)
        self.token: str | None = None
        """What brings us back to our seat, once we have joined."""
        self._for_people = for_people
        self._events: deque[list[str]] = deque()

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(*self.address, limit=_LONGEST)
        try:
            if not (await self.line()).startswith("WELCOME rikiki "):
                raise GameClosed("the server does not speak Rikiki")
            if not self._for_people:
                await self.do("MODE", "BOT")
                if self.name is not None:
                    await self.do("NAME", self.name)
        except BaseException:
            self._writer.close()
            raise
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    async def do(self, verb: str, *fields: object) -> Sequence[str]:
        """Say a command and wait for its answer: the fields behind OK; raises Refused.

        What happens meanwhile is kept for :meth:`hear`.
        """
        self.say(" ".join(map(str, (verb, *fields))))
        while True:
            answer, *words = (await self.line()).split() or [""]
            if answer == "OK":
                if verb.upper() in ("JOIN", "INVITE"):
                    self.token = words[-1]
                return words
            if answer == "ERR":
                raise Refused(words[0] if words else "unknown", text=" ".join(words[1:]))
            self._keep(answer, words)

    async def hear(self) -> Sequence[str]:
        """Wait for the next event: its word and its fields."""
        while not self._events:
            word, *fields = (await self.line()).split() or [""]
            self._keep(word, fields)
        return self._events.popleft()

    def _keep(self, word: str, fields: list[str]) -> None:
        if word and not word.startswith("#"):
            if fields and fields[-1].startswith("@"):
                del fields[-1]
            self._events.append([word, *fields])

    def say(self, line: str) -> None:
        """Send a line as it is."""
        self._writer.write(" ".join(line.split()).encode() + b"\n")

    async def line(self) -> str:
        """Wait for the next line, whatever it is; raises GameClosed if there is none any more."""
        try:
            line = await self._reader.readline()
            if line.endswith(b"\n"):
                return line.decode().rstrip("\r\n")
        except ValueError as error:
            raise GameClosed("the server does not speak Rikiki") from error
        except OSError as error:
            raise GameClosed("the connection to the server broke") from error
        raise GameClosed("the server closed the connection")


# -- for people -----------------------------------------------------------------------

_SILENT = ("BIDS", "STATE")  # told in words as well, or of no use to people


class Player:
    """A person at a terminal: what is typed goes out, and what comes in is shown."""

    def __init__(self, client: Client, once: bool, looks_on: bool = False) -> None:
        """With ``once`` all is over when the game is; who only looks on need not type anything."""
        self.words: Sequence[str] = tuple(VERBS)
        self._client = client
        self._once = once
        self._looks_on = looks_on
        self._status = 0
        self._seated = False

    async def play(self, terminal: Terminal) -> int:
        """Play until the person, or the server, has had enough; gives the exit status."""
        with suppress(Ended):
            await until_one_ends(self._listen(terminal), self._speak(terminal))
        return self._status

    async def _listen(self, terminal: Terminal) -> None:
        while True:
            line = await self._client.line()
            word, _, rest = line.partition(" ")
            shown = self._shown(word, rest)
            if shown:
                terminal.say(printable(shown))
            if word == "BYE" or (word == "OK" and rest == "QUIT"):
                self._status = int(word == "BYE")
                return
            if self._once and (word == "GAMEOVER" or (word == "ERR" and not self._seated)):
                self._status = int(word == "ERR")
                return

    def _shown(self, word: str, rest: str) -> str:
        """Say a line in words where that helps, and keep in mind what may be typed next."""
        fields = rest.split()
        if word == "OK":
            return self._answered(fields)
        if word == "TURN" and len(fields) > 2:
            self.words = [fields[1], *fields[2:]]
            return ""
        if word in ("#", "ERR", "BYE"):
            return rest if word == "#" else rest.partition(" ")[2] or rest
        if word == "TURN":
            self.words = tuple(VERBS)
            return f"{fields[0]} is to {fields[1].lower()}." if len(fields) == 2 else rest
        return "" if word in _SILENT else f"{word} {rest}"

    def _answered(self, fields: Sequence[str]) -> str:
        match fields:
            case ["JOIN" | "INVITE", code, seat, token]:
                self._seated = True
                host, port = self._client.address
                where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
                back = f"parlour play rikiki {where} --token {token}"
                return f"You sit in seat {seat} at table {code}. To come back: {back}"
            case ["REJOIN" | "WATCH", code]:
                self._seated = True
                return f"You are at table {code}."
            case ["NEW", code, _]:
                return f"Table {code} is open: JOIN {code}, tell the others, then START."
        return ""

    async def _speak(self, terminal: Terminal) -> None:
        while True:
            typed = await self._typed(terminal)
            if typed.strip():
                self._client.say(_in_full(typed))
            if typed.strip().upper() == "QUIT":
                await asyncio.Event().wait()  # the answer ends it

    async def _typed(self, terminal: Terminal) -> str:
        """Take a line; a pipe that ends is no goodbye of one who only looks on."""
        try:
            return await terminal.ask(">" if terminal.fancy else "")
        except Ended:
            if terminal.fancy or not self._looks_on:
                raise
        await asyncio.Event().wait()
        return ""


def _in_full(typed: str) -> str:
    """Put the verb before a bare number or card."""
    words = typed.split()
    if len(words) != 1 or words[0].upper() in VERBS:
        return typed
    return f"BID {typed}" if typed.strip().isdigit() else f"PLAY {typed}"


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play Rikiki at a server, as ``parlour play rikiki`` does; gives the exit status."""
    words: list[Callable[[], Sequence[str]]] = []

    async def sit(terminal: Terminal) -> int:
        async with Client(args.name, host, port, for_people=True) as client:
            errands = (("JOIN", args.table), ("WATCH", args.watch), ("REJOIN", args.token))
            chosen = [f"{verb} {what}" for verb, what in errands if what]
            player = Player(client, once=bool(chosen), looks_on=bool(args.watch))
            words.append(lambda: player.words)
            named = [f"NAME {args.name}"] if args.name and not args.token else []
            for line in (*named, *chosen):
                client.say(line)
            return await player.play(terminal)

    return talk(sit, lambda: words[0]() if words else ())
