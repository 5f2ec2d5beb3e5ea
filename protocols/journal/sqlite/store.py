"""What the SQLite journal reads and writes: every statement on its tables; it blocks, and knows nobody who asks.

``records`` is append-only and has no index of its own: with one, a batch from a hundred tables would write a
hundred pages of it.  Instead ``places`` says where each record of a table is, and is brought up to date for
thousands of records at once (``file``): between batches, and before any question is answered.

============  ==========================================================================
``meta``      one row: the run that may write, and how far ``places`` is complete
``runs``      each start of the daemon: its last sign of life, the age of the house then, how it drains
``records``   every record of every live table, in the order of their commits
``places``    table and sequence to the record
``tables``    the index of live tables: kind, stage, whether a bot is to move; in which run and since when
              one is awake, or the age of the house since which it rests; how many runs ended in its replay
``finished``  one row a table that was retired: its lines, made compact
``codes``     what the run that may write has reserved, for tables that are yet to be opened
============  ==========================================================================

The tables of results and ratings are in ``results``.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any

from protocols.journal.errors import JournalLost, OutOfPlace
from protocols.journal.house import LinkedStore
from protocols.journal.interface import (
    MOST_ROWS,
    Claimed,
    Compact,
    IndexRow,
    Note,
    Row,
)
from protocols.journal.results import Written
from protocols.journal.sql_store import A_BATCH, SqlStore
from protocols.journal.sqlite.file import check_whole, connect, prepare, transaction
from protocols.journal.sqlite.place import Place
from protocols.journal.sqlite.results import SqliteResults
from protocols.journal.sqlite.runs import Runs, is_ours
from protocols.journal.sqlite.schema import set_up
from protocols.journal.sqlite.tables import adopt, change, free_codes, index, reserve

if TYPE_CHECKING:
    from gamecore.contest.rating import Formula

_CHECK_EVERY = 0.2  # seconds: to look whether the files are in place costs half of what it does to write a move
_PASSING = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

_APPEND = "INSERT INTO records (code, sequence, at, wall, line, run) VALUES (?, ?, ?, ?, ?, %d)"
_FILE = (
    "INSERT INTO places SELECT code, sequence, id FROM records"
    " WHERE id > (SELECT filed FROM meta) ORDER BY code, sequence"
)
_MARK_FILED = "UPDATE meta SET filed = (SELECT coalesce(max(id), 0) FROM records)"
_NEXT = "SELECT max(sequence) + 1 FROM places WHERE code = ?"
_LINE_AT = (
    "SELECT CAST(line AS BLOB) FROM records WHERE id > (SELECT filed FROM meta) AND code = ?1 AND sequence = ?2"
    " UNION ALL SELECT CAST(line AS BLOB) FROM places JOIN records ON id = record"
    " WHERE places.code = ?1 AND places.sequence = ?2"
)
_LINES = (
    "SELECT CAST(line AS BLOB), wall FROM places JOIN records ON id = record"
    " WHERE places.code = ? ORDER BY places.sequence"
)

Connect = Callable[[str], sqlite3.Connection]


def _code(problem: Exception) -> int:
    return int(getattr(problem, "sqlite_errorcode", 0)) & 0xFF


class SqliteStore(SqlStore):
    """One connection to a file, and the run that it may write for."""

    _runs: Runs
    errors: tuple[type[Exception], ...] = (sqlite3.Error, OutOfPlace)
    house: LinkedStore | None = None

    def __init__(self, path: str, connect: Connect = connect) -> None:
        super().__init__(path)
        self._connect = connect
        self._db: sqlite3.Connection
        self._place: Place
        self._broken = False
        self._runs = Runs()
        self._unfiled = 0
        self._checked = 0.0

    # -- opening, closing, and getting over a failure ---------------------------------

    def open(self) -> None:
        """Open the journal, making its tables if it has none, and begin a new run."""
        check_whole(self._where)
        self._db = self._connect(self._where)
        try:
            set_up(self._db, self._where)
            with transaction(self._db):
                self._runs.begin(self._db)
                free_codes(self._db)
                self._file()
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self.unrated = self.results.unrated
            self._place = Place(self._where)
        except BaseException:
            self._db.close()
            raise

    def may_open(self, problem: Exception) -> bool:
        """Tell a file that somebody looks into from one that cannot be used."""
        return _code(problem) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

    def close(self) -> None:
        """Let go of the journal; SQLite puts its log away."""
        self._db.close()

    def may_pass(self, problem: Exception) -> bool:
        """Tell a disk that is full or fails, which may change, from a mistake of ours, which will not."""
        return (
            isinstance(problem, sqlite3.OperationalError | OutOfPlace)
            or type(problem) is sqlite3.DatabaseError
        )

    def recover(self, problem: Exception) -> None:
        """Find out what a failed commit has left, through a new connection if this one may be broken."""
        self._check_place(self._place.check_file)
        if self._broken or _code(problem) not in _PASSING:
            self._reopen()
            return
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._recall()

    def _check_place(self, check: Callable[[], None]) -> None:
        """Raise OutOfPlace; what is in the log is carried over first, for whoever saves the file from us."""
        try:
            check()
        except OutOfPlace:
            with suppress(sqlite3.Error):
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            raise
        self._checked = time.monotonic()

    def _reopen(self) -> None:
        self._broken = True  # until a new connection is all set up
        with suppress(sqlite3.Error):
            self._db.close()
        self._db = self._connect(self._where)
        prepare(self._db)
        self._recall()  # which reads, and so begins the log
        self._place.renew_log()
        self._broken = False

    def _recall(self) -> None:
        """Look up which records are there: a commit that failed may have been written all the same."""
        self._check_claim()
        unfiled = self._db.execute(
            "SELECT code, max(sequence), count(*) FROM records"
            " WHERE id > (SELECT filed FROM meta) GROUP BY code"
        ).fetchall()
        self._next = {code: last + 1 for code, last, _ in unfiled}
        self._unfiled = sum(count for _, _, count in unfiled)

    def _is_ours(self) -> bool:
        return is_ours(self._db, self._runs)

    def _transaction(self) -> AbstractContextManager[None]:
        return transaction(self._db)

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._db.execute(sql, values).fetchall()

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        return self._db.execute(sql, values).rowcount

    def _one(self, question: str, *values: object) -> Any:
        row = self._db.execute(question, values).fetchone()
        return None if row is None else row[0]

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
        if time.monotonic() >= self._checked + _CHECK_EVERY:
            self._check_place(self._place.check)
        fresh, ahead = self._sift(rows)
        with self._writing():
            # Who has asked for it is left out: nobody of a linked run can have.
            self._db.executemany(_APPEND % self.run, [row[:5] for row in fresh])
            opened = [row[0] for row in fresh if row[1] == 0]
            change(self._db, self.run, self.age, opened, notes, released)
            if results:
                self.results.put(results, self.age)
        self._next.update(ahead)
        self._unfiled += len(fresh)
        self.weight += len(fresh) + A_BATCH

    def _following(self, tables: Collection[str]) -> Mapping[str, int]:
        # All that there may be of those is filed.
        return {table: self._one(_NEXT, table) or 0 for table in tables}

    def _line_at(self, table: str, sequence: int) -> bytes | None:
        line: bytes | None = self._one(_LINE_AT, table, sequence)
        return line

    def beat(self, lived: float, matters: bool) -> float:
        """Let the house age, and commit a sign of life, at the latest when a minute of it is not on the disk."""
        self._check_place(self._place.check)
        lives = self._runs.beat(self._db, lived, matters)
        if lives is not None:
            self._insist(lives)
            self.weight += A_BATCH
        return self.age

    def changed(self) -> Sequence[IndexRow]:
        """Nobody else can change anything."""
        return ()

    # -- results and ratings; see ``results`` -------------------------------------------

    @property
    def results(self) -> SqliteResults:
        """The results that are kept here, to look at."""
        return SqliteResults(self._db)

    def add_results(self, results: Sequence[Written]) -> int:
        """Keep results of games that were played elsewhere, and give how many were not there yet."""
        with self._writing():
            return self.results.put(results, self.age)

    def fold(self, formula: Formula) -> bool:
        """Bring the ratings on by some results, and say whether there may be more."""
        from protocols.journal.ladder import fold_some  # which a writer's process starts without

        with self._writing():
            more = fold_some(self.results, formula)
        self.weight += A_BATCH
        return more

    # -- putting in order, between batches --------------------------------------------

    def settle(self) -> None:
        """Bring ``places`` up to date, so that questions may be asked."""
        if self._unfiled:
            with self._writing():
                self._file()
            self._unfiled = 0

    def _file(self) -> None:
        try:
            self._db.execute(_FILE)
        except sqlite3.IntegrityError:
            raise JournalLost(f"two records of the journal {self._where} claim one place") from None
        self._db.execute(_MARK_FILED)

    def tidy(self) -> None:
        """Settle, and carry the log over into the file, so that it begins anew."""
        self.settle()
        self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self.weight = 0

    def retire(self, tables: Mapping[str, float | None], compact: Compact) -> None:
        """Make each of these tables one compact row among the finished, all of them or none."""
        with self._writing():
            self._file()
            for table in tables:
                self._retire(table, compact)
            # SQLite gives the numbers of the last rows out again if they are free.
            self._db.execute(_MARK_FILED)
        self._unfiled = 0
        for table in tables:
            self._next.pop(table, None)
        self.weight += A_BATCH * len(tables)

    def _retire(self, table: str, compact: Compact) -> None:
        rows = self._db.execute(_LINES, (table,)).fetchall()
        if rows:
            kind = self._one("SELECT kind FROM tables WHERE code = ?", table) or ""
            record = compact([line for line, _ in rows])
            self._db.execute(
                "INSERT INTO finished (code, kind, ended, record, age) VALUES (?, ?, ?, ?, ?)",
                (table, kind, rows[-1][1], record, self.age),
            )
        placed = "(SELECT record FROM places WHERE code = ?)"
        self._db.execute(f"DELETE FROM records WHERE id IN {placed}", (table,))
        self._db.execute("DELETE FROM places WHERE code = ?", (table,))
        self._db.execute("DELETE FROM tables WHERE code = ?", (table,))

    def adopt(self, begun: Sequence[str], ended: Sequence[str]) -> Sequence[str]:
        """Clear the deaths of tables, count one for those that are begun, and give those that are set aside."""
        self.weight += A_BATCH
        with self._writing():
            return adopt(self._db, begun, ended)

    def reserve(self, codes: Sequence[str]) -> Sequence[str]:
        """Keep for our run those of these codes that no table has, or had that is kept, and nobody reserved."""
        with self._writing():
            free = reserve(self._db, codes)
        self.weight += A_BATCH
        return free

    # -- questions; to be asked when all is filed -------------------------------------

    def read(self, table: str) -> Sequence[bytes]:
        """Read the lines of a live table in their order."""
        return [line for line, _ in self._db.execute(_LINES, (table,))]

    def claim(self, table: str) -> Claimed:
        """Give our run: all other daemons are dead, or could not be without the lock that we have."""
        self._check_claim()
        return Claimed(self.run)

    def give_back(self, table: str) -> None:
        """Nobody else could have it."""

    def index(self, after: str = "", most: int = MOST_ROWS) -> Sequence[IndexRow]:
        """List the tables that have not been retired, some of them, by their codes, behind this one."""
        return index(self._db, after, most)
