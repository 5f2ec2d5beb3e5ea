"""What the PostgreSQL journal reads and writes: every statement on its tables; it blocks, and knows nobody.

A batch is one statement, and so one transaction: a writer that is stopped in the middle of anything holds no lock
there. The statement begins with the row of our run, which it locks for sharing: whoever declares our run dead
waits for a batch under way and lets none follow it. Which runs there are is in ``runs``, which of them has a table
in ``ownership``.

============  ==========================================================================
``house``     one row: how many steps of the schema the database has seen
``runs``      each start of a daemon: its name, whether it has ended, a number drawn for it; for how long it
              may wait for its players, if it was asked to end
``beats``     its last sign of life, the age of the house then, and how long it may be believed to live
``records``   every record of every live table
``tables``    the index of live tables: kind, stage, whether a bot is to move; in which run and since when
              one is awake, or the age of the house since which it rests; whose it is; how many runs
              have ended in its replay
``retired``   which tables were retired lately, for the other runs
``finished``  one row a table that was retired: its lines, made compact
``codes``     what each run has reserved, for tables that are yet to be opened
``offers``    which open table of which linked run waits for newcomers to a game
============  ==========================================================================

The tables of results and ratings are in ``results``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any

import psycopg

from protocols.journal.interface import (
    MOST_ROWS,
    Claimed,
    Compact,
    IndexRow,
    Note,
    Row,
)
from protocols.journal.postgres import ownership
from protocols.journal.postgres.adoptions import adopt
from protocols.journal.postgres.batch import put
from protocols.journal.postgres.connection import (
    ask,
    check_safe,
    connect,
    may_connect,
    prepare,
    transaction,
)
from protocols.journal.postgres.linked import PostgresHouse
from protocols.journal.postgres.lock import hold_again
from protocols.journal.postgres.pooler import check_session
from protocols.journal.postgres.prepared import PreparingConnection
from protocols.journal.postgres.results import PUT, PostgresResults, columns
from protocols.journal.postgres.runs import OURS, Runs, is_ours
from protocols.journal.postgres.schema import set_up
from protocols.journal.results import Written
from protocols.journal.sql_store import A_BATCH, SqlStore

if TYPE_CHECKING:
    from gamecore.contest.rating import Formula

_TOMBSTONES = 60.0  # seconds of the house for which others can still hear that a table is no more

_ADD_RESULTS = f"WITH mine AS MATERIALIZED ({OURS}), {PUT} SELECT count(*), (SELECT count(*) FROM ended) FROM mine"
_RESERVE = f"""
WITH mine AS MATERIALIZED ({OURS}),
put AS (
    INSERT INTO codes (code, run) SELECT asked.code, mine.run FROM mine, unnest(%(codes)s::text[]) AS asked (code)
    WHERE NOT EXISTS (SELECT 1 FROM tables WHERE tables.code = asked.code)
        AND NOT EXISTS (SELECT 1 FROM finished WHERE finished.code = asked.code)
    ON CONFLICT DO NOTHING RETURNING code
)
SELECT count(*), (SELECT coalesce(array_agg(code), '{{}}') FROM put) FROM mine
"""
_NEXT = "SELECT code, max(sequence) + 1 FROM records WHERE code = ANY (%s) GROUP BY code"
_LINE_AT = "SELECT line FROM records WHERE code = %s AND sequence = %s"
_LINES = "SELECT line, wall FROM records WHERE code = %s ORDER BY sequence"
_FINISH = (
    "INSERT INTO finished (code, kind, ended, age, record)"
    " VALUES (%s, coalesce((SELECT kind FROM tables WHERE code = %s), ''), %s, %s, %b)"
)
_FREE_CODES = "DELETE FROM codes WHERE run NOT IN (SELECT run FROM runs WHERE NOT dead)"
_TOMBSTONE = "INSERT INTO retired VALUES (%s, %s, pg_current_xact_id(), %s)"

Connect = Callable[[str], PreparingConnection]


class PostgresStore(SqlStore):
    """One connection to a database, and the run that it may write for."""

    _runs: Runs
    errors: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(self, where: str, connect: Connect = connect, alone: bool = False) -> None:
        """Write a journal beside other daemons, or ``alone``."""
        super().__init__(where)
        self._connect = connect
        self._alone = alone
        self._db: PreparingConnection
        self._runs = Runs()
        self.house = PostgresHouse(lambda: self._db, self._runs)
        self._changed: list[IndexRow] = []
        self._owners: set[int] = set()  # runs that may have had tables awake at the last look

    # -- opening, closing, and getting over a failure ---------------------------------

    def open(self) -> None:
        """Open the journal, making its tables if it has none, and begin a new run; raises JournalRefused."""
        self._db = self._connect(self._where)
        try:
            check_session(self._db, self._where)
            prepare(self._db)
            check_safe(self._db, self._where)
            set_up(self._db, self._where, self._alone)
            self.unrated = self.results.unrated
            self._runs.begin(self._db, self._alone)
            self._owners = set(self._runs.others)
            # Nobody was told a code that a dead run had reserved and no table had.
            self._db.execute(_FREE_CODES)
            if not self._runs.others:
                ownership.forget_future(self._db)
        except BaseException:
            self._db.close()
            raise

    def may_open(self, problem: Exception) -> bool:
        """Tell a server that is away, begins, ends or is full from one that will never let us in."""
        return may_connect(self._where, problem)

    def close(self) -> None:
        """Let go of the journal, and of all tables."""
        with suppress(psycopg.Error):
            self._runs.end(self._db)
        self._db.close()

    def may_pass(self, problem: Exception) -> bool:
        """Tell a server that is gone, full or fails, which may change, from a mistake of ours, which will not."""
        return isinstance(
            problem, psycopg.OperationalError | psycopg.InterfaceError | psycopg.InternalError
        )

    def recover(self, problem: Exception) -> None:
        """Connect anew; what a failed commit has left is found out when that is asked for.

        Raises psycopg.OperationalError while the connection before has not ended.
        """
        with suppress(psycopg.Error):
            self._db.close()
        self._db = self._connect(self._where)
        prepare(self._db)
        self._check_claim()
        if not hold_again(self._db, self.run, self._alone):
            raise psycopg.OperationalError("the connection before has not ended yet")
        self._check_claim()
        self._runs.reconnected()
        self._next.clear()

    def _is_ours(self) -> bool:
        return is_ours(self._db, self._runs)

    def _transaction(self) -> AbstractContextManager[None]:
        return transaction(self._db)

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._db.execute(sql.replace("?", "%s"), values).fetchall()

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        return self._db.execute(sql.replace("?", "%s"), values).rowcount

    # -- writing ----------------------------------------------------------------------

    def keep(
        self,
        rows: Sequence[Row],
        notes: Mapping[str, Note],
        released: Sequence[str] = (),
        results: Sequence[Written] = (),
    ) -> None:
        """Commit a batch, its notes, its releases and the results of games that it ends, all or nothing.

        A record, or a result, that is there already counts as written.
        Raises JournalLost if another record is there, or a record's predecessor is not.
        """
        fresh, ahead = self._sift(rows)
        kept = put(self._db, self._runs.me, self.age, fresh, notes, released, results)
        self._insist(kept)
        self._next.update(ahead)
        self.weight += len(fresh) + A_BATCH

    def _following(self, tables: Collection[str]) -> Mapping[str, int]:
        return dict(self._db.execute(_NEXT, (list(tables),)).fetchall())

    def _line_at(self, table: str, sequence: int) -> bytes | None:
        line: bytes | None = ask(self._db, _LINE_AT, (table, sequence))
        return line

    def beat(self, lived: float, matters: bool) -> float:
        """Let the house age, give a sign of life to whoever looks for it, and look what others have changed.

        One that nobody looks for is committed at the latest when a minute of it is not on the disk.
        """
        self._insist(self._runs.beat(self._db, lived, matters))
        ended = self._owners - self._runs.others
        if self._runs.others or ended:
            news = ownership.changed(self._db, self.run, self._runs.heard, ended)
            self._changed += news
            owners = {row.owner for row in news if row.owner}
            self._owners = self._runs.others | (owners - {self.run})
        self._runs.hear()
        return self.age

    def changed(self) -> Sequence[IndexRow]:
        """Give the tables that other runs have changed since this was asked."""
        news, self._changed = self._changed, []
        return news

    # -- results and ratings; see ``results`` -------------------------------------------

    @property
    def results(self) -> PostgresResults:
        """The results that are kept here, to look at."""
        return PostgresResults(self._db)

    def add_results(self, results: Sequence[Written]) -> int:
        """Keep results of games that were played elsewhere, and give how many were not there yet."""
        values = {**self._runs.me, "age": self.age, **columns(results)}
        runs, count = self._db.execute(_ADD_RESULTS, values).fetchone() or (0, 0)
        self._insist(runs)
        return int(count)

    def fold(self, formula: Formula) -> bool | None:
        """Bring the ratings on by some results, and say whether there may be more; None while another run does."""
        from protocols.journal.ladder import fold_some  # which a writer's process starts without

        with self._writing():
            if ask(self._db, "SELECT upto FROM ladder FOR UPDATE SKIP LOCKED") is None:
                return None
            more = fold_some(self.results, formula)
        self.weight += A_BATCH
        return more

    # -- putting in order, between batches --------------------------------------------

    def settle(self) -> None:
        """See that the journal is ours: there is nothing to be brought up to date."""
        self._check_claim()

    def tidy(self) -> None:
        """Leave to the server what else there is to do, which does it by itself."""
        self.settle()
        self.weight = 0

    def retire(self, tables: Mapping[str, float | None], compact: Compact) -> None:
        """Make each of these tables one compact row among the finished, all of them or none.

        One that others have, or that has been awake since the house had an age, is left alone.
        """
        made: dict[str, tuple[float, bytes] | None] = {}
        for table in tables:
            rows = self._db.execute(_LINES, (table,), binary=True).fetchall()
            made[table] = (rows[-1][1], compact([line for line, _ in rows])) if rows else None
            self._runs.renew_lease(self._db)
        with self._writing():
            for table, before in tables.items():
                if ownership.take_to_retire(self._db, self._runs.me, table, before):
                    self._retire(table, made[table])
            self._db.execute("DELETE FROM retired WHERE age < %s", (self.age - _TOMBSTONES,))
        for table in tables:
            self._next.pop(table, None)
        self.weight += A_BATCH * len(tables)

    def _retire(self, table: str, made: tuple[float, bytes] | None) -> None:
        if made is not None:
            self._db.execute(_FINISH, (table, table, made[0], self.age, made[1]))
        self._db.execute("DELETE FROM records WHERE code = %s", (table,))
        self._db.execute("DELETE FROM tables WHERE code = %s", (table,))
        self._db.execute(_TOMBSTONE, (table, self.run, self.age))

    def adopt(self, begun: Sequence[str], ended: Sequence[str]) -> Sequence[str]:
        """Clear the deaths of tables, count one for those that are begun, and give those that are set aside."""
        self.weight += A_BATCH
        with self._writing():
            return adopt(self._db, begun, ended)

    def reserve(self, codes: Sequence[str]) -> Sequence[str]:
        """Keep for our run those of these codes that no table has, or had that is kept, and nobody reserved."""
        values = {**self._runs.me, "codes": list(codes)}
        runs, kept = self._db.execute(_RESERVE, values).fetchone() or (0, [])
        self._insist(runs)
        self.weight += A_BATCH
        return sorted(kept)

    # -- questions --------------------------------------------------------------------

    def read(self, table: str) -> Sequence[bytes]:
        """Read the lines of a live table in their order."""
        return [line for line, _ in self._db.execute(_LINES, (_text(table),), binary=True)]

    def claim(self, table: str) -> Claimed:
        """Take a table that rests, or whose run is dead, and say whose it is now."""
        self._check_claim()
        self._next.pop(table, None)  # others may have written to it
        claimed = ownership.claim(self._db, self._runs.me, _text(table))
        if self._runs.fence_if_over(self._db, claimed.run):
            claimed = ownership.claim(self._db, self._runs.me, _text(table))
        return claimed

    def give_back(self, table: str) -> None:
        """Let go of a table that was claimed, and at which nothing was done."""
        ownership.give_back(self._db, self.run, table)

    def index(self, after: str = "", most: int = MOST_ROWS) -> Sequence[IndexRow]:
        """List the tables that have not been retired, some of them, by their codes, behind this one."""
        return ownership.index(self._db, after, most)

    def read_finished(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that was retired."""
        return super().read_finished(_text(table))


def _text(typed: str) -> str:
    """Take out of what somebody has typed what PostgreSQL has in no text, and so in no code."""
    return typed.replace("\0", "?")
