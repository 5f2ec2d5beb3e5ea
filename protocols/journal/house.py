"""What an engine does for the linked daemons of one house, which share a journal (``linked``).

A table that one run has awake, its *owner*, may be followed by others; one of those is its *heir*: the table is the
heir's as soon as the owner is dead or hands it over, and nobody's in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

LEASE = 5.0  # seconds for which a run may be believed to live, from its last sign of life

Followed = tuple[bytes, str]  # a record's line, and the command of a linked run that it is, or ""


class PeerRow(NamedTuple):
    """Another run that lives and can be linked to: where it is found, and what both prove who they are by."""

    run: int
    link: str
    key: str


class LinkedStore(Protocol):
    """What an engine does for linked daemons, in the writer's process; it blocks."""

    def peers(self) -> Sequence[PeerRow]:
        """List the other live runs that can be linked to, as the last sign of life has found them."""

    def link(self, where: str, key: str) -> None:
        """Let the others know where our run is found, and what it proves itself by."""

    def judge(self, run: int) -> float:
        """Say for how many seconds another run may be believed to live; fences it if it is known to be dead.

        That is 0 then, and less where its lease is over and it may not be judged yet.
        """

    def mirror(self, table: str, after: int) -> Sequence[Followed]:
        """Be the heir of a table that has none, and read its records behind the one of a sequence."""

    def unmirror(self, table: str) -> None:
        """Be the heir of a table no more."""

    def offer(self, game: str, code: str, tried: Sequence[str]) -> str:
        """Give the code of a table for newcomers to a game: one that was offered before, else this one."""

    def hand_over(self, table: str) -> None:
        """Let go of a table of ours: it is its heir's, if it has one, and nobody's if not."""
