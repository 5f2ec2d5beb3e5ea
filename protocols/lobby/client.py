"""The client for people who speak the words of the lobby: ``parlour play lobby``, and any game with ``--alone``.

The server does all that is to be said; what stays here is the terminal.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Sequence

from protocols.clients.connection import LineConnection
from protocols.clients.incoming import GameClosed
from protocols.clients.player import TerminalPlayer, play_in_terminal
from protocols.clients.screen import USUAL_COLUMNS, columns
from protocols.clients.terminal import Ended, Terminal
from protocols.i18n.sanitize import printable
from protocols.lobby.commands import ALL_GAMES
from protocols.lobby.table_state import GAME_OVER

_GIVEN = re.compile(r" RETURN ([A-Z0-9]{5}\.[0-9a-f]{16,})$")
# Its beginning: a line may be broken behind it.
_OVER = re.compile(rf"\[\w+ \w+\] {re.escape(GAME_OVER.partition(' plays ')[0])} ")


class LobbyConnection(LineConnection):
    """A person's link to a lobby."""

    language = "the words of the lobby"
    kind = "lobby"

    def ask_again(self, token: str) -> None:
        """Ask for the seat that a token was given for."""
        say_width(self)
        self.send_line(f"RETURN {token}")


class LobbyPlayer(TerminalPlayer):
    """A person at a terminal: what is typed goes out, and what comes in is shown."""

    words: Sequence[str] = tuple(word.upper() for word in ALL_GAMES.known)
    status = 0

    def __init__(self, connection: LineConnection, once: bool) -> None:
        """With ``once`` all is over when the game is."""
        self._connection = connection
        self._once = once
        self._silent = False  # the person will say no more

    async def listen(self, terminal: Terminal) -> None:
        """Show each line, until the person has left or the one game is over that they came for."""
        try:
            while True:
                line = await self._connection.hear()
                terminal.say(printable(line))
                given = _GIVEN.search(line)
                if given is not None:
                    self._connection.token = given[1]
                if line.startswith("Goodbye, ") or (self._once and _OVER.match(line)):
                    return
        except GameClosed:
            if not self._silent:
                raise

    async def speak(self, terminal: Terminal) -> None:
        """Send each line that is typed."""
        while True:
            typed = await self._typed(terminal)
            if typed.strip():
                self._connection.send_line(typed)

    async def _typed(self, terminal: Terminal) -> str:
        """Take a line; where a pipe ends, what was asked for is still waited for."""
        try:
            return await terminal.ask(">" if terminal.fancy else "")
        except Ended:
            if terminal.fancy:
                raise
        self._silent = True
        self._connection.end_input()
        await asyncio.Event().wait()
        return ""


def say_width(connection: LineConnection) -> None:
    """Say how wide the screen is, where it is not as wide as a lobby takes it to be."""
    wide = columns()
    if wide not in (0, USUAL_COLUMNS):
        connection.send_line(f"WIDTH {wide}")


def say_first(connection: LineConnection, args: argparse.Namespace, game: str) -> bool:
    """Say what a person chose when they started the client; True if they came for one game.

    ``game`` is put behind PLAY where it must be named.
    """
    requests = (("JOIN", args.table), ("WATCH", args.watch), ("RETURN", args.token))
    chosen = [f"{verb} {what}" for verb, what in requests if what]
    chosen += [f"PLAY {game} {args.level or ''}"] if args.alone else []
    named = [f"NAME {args.name}"] if args.name else []
    say_width(connection)
    for line in (*named, *(chosen or ["HELP"])):
        connection.send_line(line)
    return bool(chosen)


def play(host: str, port: int, args: argparse.Namespace) -> int:
    """Be in the lobby of a server, or play one game there alone; gives the exit status."""

    def seat(connection: LobbyConnection) -> LobbyPlayer:
        return LobbyPlayer(connection, say_first(connection, args, args.game))

    return play_in_terminal(LobbyConnection(host, port), seat)
