"""A person who plays at a terminal: what is typed goes to a server, and what the server says is shown."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from protocols.clients.connection import Connection, way_back
from protocols.clients.incoming import GameClosed
from protocols.clients.terminal import Ended, Terminal, talk, until_one_ends

C = TypeVar("C", bound=Connection[Any])


class TerminalPlayer(ABC):
    """A person at a terminal, for as long as there is something to play."""

    words: Sequence[str] = ()
    """What may be typed now, for a prompt to complete."""

    async def play(self, terminal: Terminal) -> int:
        """Play until the person, or the server, has had enough; gives the exit status."""
        with suppress(Ended):
            await until_one_ends(self.listen(terminal), self.speak(terminal))
        return self.status

    @property
    @abstractmethod
    def status(self) -> int:
        """The exit status if all ended now: 0 if it went as it should."""

    @abstractmethod
    async def listen(self, terminal: Terminal) -> None:
        """Show what the server says; raises GameClosed when it says no more."""

    @abstractmethod
    async def speak(self, terminal: Terminal) -> None:
        """Ask for lines, and send what they mean; raises Ended when nobody will type any more."""


# Seconds between tries to come back: about a minute in all, for which a seat is usually held.
WAITS = (0.5, 0.5, 1, 2, 3, 5, 8, 10, 10, 10, 10)


def play_in_terminal(connection: C, seat: Callable[[C], TerminalPlayer]) -> int:
    """Connect, and let a person play on the terminal that is there; gives the exit status.

    ``seat`` says what a newcomer asks for, and gives the player.  A link that breaks is made anew, if there is a
    token to come back by.  Raises OSError, GameClosed among them.
    """
    seated: list[TerminalPlayer] = []

    async def sit(terminal: Terminal) -> int:
        try:
            async with connection:
                seated.append(seat(connection))
                return await seated[0].play(terminal)
        except GameClosed:
            if not seated or connection.token is None:
                raise
        return await _come_back(connection, seated[0], terminal)

    return talk(sit, lambda: seated[0].words if seated else ())


async def _come_back(
    connection: Connection[Any], player: TerminalPlayer, terminal: Terminal
) -> int:
    """Try to go on with a player whose link is lost; raises GameClosed, with the way to do it later."""
    token = connection.token or ""
    terminal.say("The connection is lost. Trying to come back ...")
    for wait in WAITS:
        await asyncio.sleep(wait)
        with suppress(OSError):
            async with connection:
                connection.ask_again(token)
                return await player.play(terminal)
    later = way_back(connection.kind, connection.address, token)
    raise GameClosed(f"the server cannot be reached; come back later with: {later}")
