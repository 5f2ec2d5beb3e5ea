"""What linked daemons ask of a PostgreSQL journal: where each is found, who lives, and who inherits a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from psycopg import Connection

from protocols.journal.house import Followed, PeerRow
from protocols.journal.postgres import offers, ownership
from protocols.journal.postgres.runs import Runs

_FOLLOWED = """
SELECT line, coalesce(asked, '') FROM records WHERE code = %s AND sequence > %s ORDER BY sequence
"""


class PostgresHouse:
    """The part of a PostgreSQL store that is for linked daemons."""

    def __init__(self, db: Callable[[], Connection[Any]], runs: Runs) -> None:
        """``db`` gives the connection that there is now."""
        self._db = db
        self._runs = runs

    def peers(self) -> Sequence[PeerRow]:
        """List the other live runs that can be linked to, as the last sign of life has found them."""
        return self._runs.peers

    def link(self, where: str, key: str) -> None:
        """Let the others know where our run is found, and what it proves itself by."""
        self._runs.link(self._db(), where, key)

    def judge(self, run: int) -> float:
        """Say for how many seconds another run may be believed to live; fences it if it is known to be dead (0)."""
        return self._runs.judge(self._db(), run)

    def mirror(self, table: str, after: int) -> Sequence[Followed]:
        """Be the heir of a table that has none, and read its records behind the one of a sequence."""
        ownership.be_heir(self._db(), self._runs.run, table)
        # The lines are bytes already; a code and a command's number are plain text.
        return self._db().execute(_FOLLOWED, (table, after), binary=True).fetchall()

    def unmirror(self, table: str) -> None:
        """Be the heir of a table no more."""
        ownership.be_heir_no_more(self._db(), self._runs.run, table)

    def offer(self, game: str, code: str, tried: Sequence[str]) -> str:
        """Give the code of a table for newcomers to a game: one that was offered before, else this one."""
        return offers.offer(self._db(), self._runs.me, game, code, tried)

    def hand_over(self, table: str) -> None:
        """Let go of a table of ours: it is its heir's, if it has one, and nobody's if not."""
        ownership.give_back(self._db(), self._runs.run, table)
