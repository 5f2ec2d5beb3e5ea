"""A client of Rikiki for those who write bots, and the one that plays for people (``parlour play rikiki``).

A whole bot, which bids and plays the first thing that it may::

    async def play() -> None:
        async with Client("my name", "127.0.0.1", 5252) as client:
            await client.do("JOIN", "K7QX2")
            async for told in client:
                match told.words:
                    case ["TURN", _, verb, choice, *_]:  # only who is to move is told the choice
                        await client.do(verb, choice)
                    case ["ROUNDOVER", _]:
                        await client.do("NEXT")
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence

from gamecore.errors import Refused
from protocols.clients.connection import Connection, way_back
from protocols.clients.incoming import GameClosed
from protocols.clients.player import TerminalPlayer, play_in_terminal
from protocols.clients.terminal import Ended, Terminal
from protocols.i18n.sanitize import printable
from protocols.rikiki import wire
from protocols.rikiki.wire import VERBS, Told, ToldReader


class Client(Connection[Told]):
    """One link to a server; one game after another can be played over it."""

    language = "Rikiki"
    kind = "rikiki"

    def __init__(self, name: str | None, host: str, port: int, *, for_people: bool = False) -> None:
        """Connects, and says the name, on entering ``async with``."""
        super().__init__(host, port)
        self.name = name
        self.owner_token = ""
        """What shows that we have opened the table, also on another link."""
        self._for_people = for_people

    def reader(self) -> ToldReader:
        """Read numbered events, unless a person reads."""
        return ToldReader(counted=not self._for_people)

    async def greet(self) -> None:
        """Hear the welcome; for a program, say that it is one, and its name; raises GameClosed."""
        if not wire.write(await self.hear()).startswith("WELCOME rikiki "):
            raise GameClosed("the server does not speak Rikiki")
        if not self._for_people:
            await self.do("MODE", "BOT")
            if self.name is not None:
                await self.do("NAME", self.name)

    async def do(self, verb: str, *fields: object) -> Sequence[str]:
        """Say a command and wait for its answer: the fields behind OK; raises Refused, with what stood behind ERR.

        What happens meanwhile is kept for :meth:`hear`.
        """
        self.send_line(wire.Request(verb, list(map(str, fields))).line)
        answer = await self.answer(lambda told: told.word in ("OK", "ERR"))
        words = answer.text.split()
        if answer.word == "ERR":
            raise Refused(words[0] if words else "unknown", text=" ".join(words[1:]))
        self.note_token(verb.upper(), words[-1:])
        return words

    def note_token(self, verb: str, last: Sequence[str]) -> None:
        """Keep what an answer ends with if that brings us back: to a seat, or to the table that we opened."""
        if last and verb in ("JOIN", "INVITE", "NEW"):
            self.token = last[0]
            self.owner_token = last[0] if verb == "NEW" else self.owner_token

    def ask_again(self, token: str) -> None:
        """Ask for the seat that a token was given for, without waiting for the answer."""
        self.send_line(f"REJOIN {token}")
        if token == self.owner_token and self.name is not None:
            self.send_line(f"NAME {self.name}")  # who has no seat yet is called nothing there

    async def hear(self) -> Told:
        """Wait for the next event, or, for people, the next line; raises GameClosed if there is no more."""
        told = await super().hear()
        while told.word in ("", "#") and not self._for_people:
            told = await super().hear()
        return told

    def ends(self, message: Told) -> bool:
        """Tell whether a game is over."""
        return message.word == "GAMEOVER"


# -- for people -----------------------------------------------------------------------

_SILENT = ("BIDS", "STATE")  # told in words as well, or of no use to people


class RikikiPlayer(TerminalPlayer):
    """A person at a terminal: what is typed goes out, and what comes in is shown."""

    words: Sequence[str] = tuple(VERBS)
    status = 0

    def __init__(self, client: Client, once: bool, looks_on: bool = False) -> None:
        """With ``once`` all is over when the game is; who only looks on need not type anything."""
        self._client = client
        self._once = once
        self._looks_on = looks_on
        self._seated = False

    async def listen(self, terminal: Terminal) -> None:
        """Show each line, until the person has left or the one game is over that they came for."""
        while True:
            told = await self._client.hear()
            word, rest = told.word, told.text
            shown = self._shown(word, rest)
            if shown:
                terminal.say(printable(shown))
            if word == "BYE" or (word == "OK" and rest == "QUIT"):
                self.status = int(word == "BYE")
                return
            if self._once and (word == "GAMEOVER" or (word == "ERR" and not self._seated)):
                self.status = int(word == "ERR")
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
        self._client.note_token(fields[0] if fields else "", fields[-1:])
        back = way_back("rikiki", self._client.address, self._client.token or "")
        match fields:
            case ["NAME", name]:
                self._client.name = name
            case ["JOIN" | "INVITE", code, seat, _]:
                self._seated = True
                return f"You sit in seat {seat} at table {code}. To come back: {back}"
            case ["REJOIN" | "WATCH", code]:
                self._seated = True
                return f"You are at table {code}."
            case ["NEW", code, _]:
                opened = f"Table {code} is open: JOIN {code}, tell the others, then START."
                return f"{opened} To come back: {back}"
        return ""

    async def speak(self, terminal: Terminal) -> None:
        """Send each line that is typed."""
        while True:
            typed = await self._typed(terminal)
            if typed.strip():
                self._client.send_line(self._in_full(typed))
            if typed.strip().upper() == "QUIT":
                await asyncio.Event().wait()  # the answer ends it

    def _in_full(self, typed: str) -> str:
        """Put the verb before a bare number or card, and behind START what shows that we may say it."""
        words = typed.split()
        if typed.strip().upper() == "START" and self._client.owner_token:
            return f"START {self._client.owner_token}"
        if len(words) != 1 or words[0].upper() in VERBS:
            return typed
        return f"BID {typed}" if typed.strip().isdigit() else f"PLAY {typed}"

    async def _typed(self, terminal: Terminal) -> str:
        """Take a line; a pipe that ends is no goodbye of one who only looks on."""
        try:
            return await terminal.ask(">" if terminal.fancy else "")
        except Ended:
            if terminal.fancy or not self._looks_on:
                raise
        await asyncio.Event().wait()
        return ""


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Play Rikiki at a server, as ``parlour play rikiki`` does; gives the exit status."""

    def seat(client: Client) -> RikikiPlayer:
        client.token = args.token
        requests = (("JOIN", args.table), ("WATCH", args.watch), ("REJOIN", args.token))
        chosen = [f"{verb} {what}" for verb, what in requests if what]
        named = [f"NAME {args.name}"] if args.name and not args.token else []
        for line in (*named, *chosen):
            client.send_line(line)
        return RikikiPlayer(client, once=bool(chosen), looks_on=bool(args.watch))

    return play_in_terminal(Client(args.name, host, port, for_people=True), seat)
