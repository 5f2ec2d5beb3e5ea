"""A journal that several runs share, as the linked ones among them know it (see ``house``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from twisted.internet.defer import Deferred

from protocols.journal.house import Followed, PeerRow
from protocols.journal.interface import Journal


class LinkedJournal(Journal, Protocol):
    """What linked daemons ask of the journal that they share."""

    on_peers: Callable[[Sequence[PeerRow]], None]
    """Called with the other live runs that can be linked to, whenever they are others."""

    def link(self, where: str, key: str) -> None:
        """Let the others know where our run is found, and what it proves itself by."""

    def judge(self, run: int) -> Deferred[float]:
        """Say for how many seconds another run may be believed to live; 0 for one that is dead.

        Less than that where its lease is over and it may not be judged yet, behind a trouble of the database.

        One whose daemon is no more is found dead at a second look, half a second behind the first.
        """

    def mirror(self, table: str, after: int = -1) -> Deferred[Sequence[Followed]]:
        """Be the heir of a table that has none, and read its records behind the one of a sequence."""

    def unmirror(self, table: str) -> None:
        """Be the heir of a table no more."""

    def offer(self, game: str, code: str, tried: Sequence[str]) -> Deferred[str]:
        """Give the code of a table for newcomers to a game: one that was offered before, else this one.

        ``game`` says all of what is played, ``code`` is a reserved one, ``tried`` are those where no seat was free.
        """

    def hand_over(self, table: str) -> Deferred[None]:
        """Let go of a table of ours, all of whose records are written; fires when it is its heir's."""
