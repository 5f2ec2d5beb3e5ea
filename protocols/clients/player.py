"""A person who plays at a terminal: what is typed goes to a server, and what the server says is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from protocols.clients.connection import Connection
from protocols.clients.terminal import Ended, Terminal, talk, until_one_ends

C = TypeVar("C", bound=Connection)


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


def play_in_terminal(connection: C, seat: Callable[[C], TerminalPlayer]) -> int:
    """Connect, and let a person play on the terminal that is there; gives the exit status.

    ``seat`` says what a newcomer asks for, and gives the player.  Raises OSError, GameClosed among them.
    """
    seated: list[TerminalPlayer] = []

    async def sit(terminal: Terminal) -> int:
        async with connection:
            seated.append(seat(connection))
            return await seated[0].play(terminal)

    return talk(sit, lambda: seated[0].words if seated else ())
