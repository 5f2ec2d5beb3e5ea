"""The daemon that has a table of which there is a mirror here, as the tables here meet it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import frozen

from gamecore.commands import Command
from gamecore.player import PlayerCore
from protocols.host.face import Face


def do_nothing() -> None:
    """Have nothing to do behind a command."""


@frozen
class Asking:
    """Who asks for a command, and what is to be done where it stands when it is done, or is refused."""

    face: Face | None = None
    tag: object = None
    then: Callable[[], None] = do_nothing
    otherwise: Callable[[], None] = do_nothing


NOBODY_ASKS = Asking()


class Owner(Protocol):
    """Whoever does the commands at a table that is mirrored here."""

    @property
    def run(self) -> int:
        """Which run of the house it is."""

    @property
    def may_go(self) -> bool:
        """Whether the mirror may be let go: all is settled, and the table is not about to be ours."""

    def ask(self, command: Command, asking: Asking) -> None:
        """Have a command done there; what comes of it is heard here."""

    def hold(self, player: PlayerCore, asking: Asking) -> None:
        """Have a player held here and nowhere else; by then all is seen here that was done for them before."""

    def catch_up(self, asking: Asking) -> None:
        """Have all seen here that was done there until now, with all that was asked of it.

        Nobody is answered; ``otherwise`` is called where the owner is out of reach for good.
        """
