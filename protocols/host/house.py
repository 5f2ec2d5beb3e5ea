"""What the other daemons of a house are to the tables of this one; ``protocols.house`` is how they are linked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from twisted.internet.defer import Deferred, fail, succeed

from gamecore.errors import Refused
from gamecore.player import PlayerCore
from gamecore.record import Record
from protocols.host.live_table import LiveTable


class House(Protocol):
    """The other daemons of the house: those that mirror tables of ours, and those whose tables we mirror."""

    def offer(self, game: str, code: str, tried: Sequence[str]) -> Deferred[str]:
        """Give the code of a table for newcomers to a game: one that another daemon has offered before, or this.

        ``game`` says all of what is played; ``tried`` are those where no seat was free. Fails with JournalFailed.
        """

    def mirror(self, code: str, run: int) -> Deferred[bool]:
        """Have a table here that another run has awake; fires with False if that has it no more.

        Fails with Refused ``table-away``.
        """

    def tell(self, live: LiveTable, record: Record) -> None:
        """Let those who mirror a table of ours hear what was done there, once that is written down."""

    def seated(self, live: LiveTable, player: PlayerCore) -> None:
        """Let the others know that a player is held here now, and nowhere else."""

    def holds(self, live: LiveTable, player: PlayerCore) -> bool:
        """Say whether a player of a table of ours is held at another daemon."""

    def pause(self, trouble: str | None) -> None:
        """Let those who mirror tables of ours hear that play is paused here, and why, or that it goes on."""

    def left_to_others(self, live: LiveTable) -> None:
        """Hear that nobody of our own is at a table of ours that others mirror."""

    def let_go(self, live: LiveTable) -> None:
        """Hear that a mirror is no more, since nobody looks at it."""

    def close(self) -> None:
        """Hand all tables of ours that others mirror over to them: we do nothing any more."""


class _Alone:
    """A daemon that is linked to no other."""

    def offer(self, game: str, code: str, tried: Sequence[str]) -> Deferred[str]:
        """Nobody else opens tables."""
        return succeed(code)

    def mirror(self, code: str, run: int) -> Deferred[bool]:
        """Nobody can be asked."""
        return fail(Refused("table-away"))

    def tell(self, live: LiveTable, record: Record) -> None:
        """Nobody mirrors anything."""

    def seated(self, live: LiveTable, player: PlayerCore) -> None:
        """Nobody else could hold anybody."""

    def holds(self, live: LiveTable, player: PlayerCore) -> bool:
        """Nobody is held elsewhere."""
        return False

    def pause(self, trouble: str | None) -> None:
        """Nobody mirrors anything."""

    def left_to_others(self, live: LiveTable) -> None:
        """There are no others."""

    def let_go(self, live: LiveTable) -> None:
        """There are no mirrors."""

    def close(self) -> None:
        """There is nobody to take anything."""


ALONE: House = _Alone()
