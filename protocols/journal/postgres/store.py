"""What the PostgreSQL journal reads and writes: every statement on its tables; it blocks, and knows nobody.

A batch is one statement, and so one transaction: a writer that is stopped in the middle of anything holds no lock
there. The statement begins with the row of our run, which it locks for sharing: whoever begins another run
declares ours dead, and so waits for a batch under way and lets none follow it.

============  ==========================================================================
``house``     one row: how many steps of the schema the database has seen
``runs``      each start of the daemon: whether another has taken over, a number drawn for it, its last sign of
              life, and the age of the house then
``records``   every record of every live table
``tables``    the index of live tables: kind, stage, whether a bot is to move; in which run and since when
              one is awake, or the age of the house since which it rests
``finished``  one row a table that was retired: its lines, made compact
``codes``     what the run that may write has reserved, for tables that are yet to be opened
============  ==========================================================================

The tables of results and ratings are in ``results``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import Connection

from protocols.journal.errors import JournalLost
from protocols.journal.interface import MOST_ROWS, Compact, FinishedRow, IndexRow, Note, Row, aged
from protocols.journal.location import shown
from protocols.journal.postgres.connection import ask, check_safe, connect, prepare, transaction
from protocols.journal.postgres.lock import hold_again
from protocols.journal.postgres.results import PUT, PostgresResults, columns
from protocols.journal.postgres.schema import set_up
from protocols.journal.results import Written

if TYPE_CHECKING:
    from gamecore.contest.rating import Formula

_A_BATCH = 3  # counted as if it were so many records more
_AGE_IN_MEMORY = 60.0  # seconds of the house's age that a crash may forget while no clock runs

_OURS = "SELECT run FROM runs WHERE run = %(run)s AND key = %(key)s AND NOT dead FOR SHARE"
_COUNT = "SELECT count(*) FROM mine"
_KEEP = f"""
WITH mine AS MATERIALIZED ({_OURS}),
put AS (
    INSERT INTO records (code, sequence, at, wall, run, line)
    SELECT each.code, each.sequence, each.at, each.wall, mine.run, each.line FROM mine,
        unnest(%(codes)s::text[], %(sequences)s::int[], %(ats)s::float8[], %(walls)s::float8[], %(lines)b::bytea[])
        AS each (code, sequence, at, wall, line)
),
noted AS (
    INSERT INTO tables (code, kind, stage, bot, run, began, rested, card)
    SELECT note.code, note.kind, note.stage, note.bot, mine.run, note.began, note.rested, note.card FROM mine,
        unnest(%(noted)s::text[], %(kinds)s::text[], %(stages)s::text[], %(bots)s::bool[], %(began)s::float8[],
            %(rested)s::float8[], %(cards)s::text[])
        AS note (code, kind, stage, bot, began, rested, card)
    ON CONFLICT (code) DO UPDATE SET kind = excluded.kind, stage = excluded.stage, bot = excluded.bot,
        run = excluded.run, began = excluded.began, rested = excluded.rested, card = excluded.card
),
released AS (
    UPDATE tables SET began = NULL, rested = %(age)s FROM mine WHERE code = ANY (%(released)s::text[])
),
opened AS (
    DELETE FROM codes USING mine WHERE code = ANY (%(opened)s::text[])
)
{_COUNT}
"""
_KEEP_ENDED = _KEEP.replace(_COUNT, f", {PUT} {_COUNT}")  # with results, which few batches have
_ADD_RESULTS = f"WITH mine AS MATERIALIZED ({_OURS}), {PUT} SELECT count(*), (SELECT count(*) FROM ended) FROM mine"
_RESERVE = f"""
WITH mine AS MATERIALIZED ({_OURS}),
put AS (
    INSERT INTO codes SELECT asked.code FROM mine, unnest(%(codes)s::text[]) AS asked (code)
    WHERE NOT EXISTS (SELECT 1 FROM tables WHERE tables.code = asked.code)
        AND NOT EXISTS (SELECT 1 FROM finished WHERE finished.code = asked.code)
    ON CONFLICT DO NOTHING RETURNING code
)
SELECT count(*), (SELECT coalesce(array_agg(code), '{{}}') FROM put) FROM mine
"""
_BEAT = "UPDATE runs SET lived = %s, age = %s WHERE run = %s AND key = %s AND NOT dead"
_NEXT = "SELECT code, max(sequence) + 1 FROM records WHERE code = ANY (%s) GROUP BY code"
_LINE_AT = "SELECT line FROM records WHERE code = %s AND sequence = %s"
_LINES = "SELECT line, wall FROM records WHERE code = %s ORDER BY sequence"
_FINISH = (
    "INSERT INTO finished (code, kind, ended, age, record)"
    " VALUES (%s, coalesce((SELECT kind FROM tables WHERE code = %s), ''), %s, %s, %b)"
)
_INDEX = (
    "SELECT code, kind, stage, bot, greatest(0, coalesce(lived - began, 0)), coalesce(rested, age, 0), card"
    " FROM tables LEFT JOIN runs USING (run) WHERE code > %s ORDER BY code LIMIT %s"
)

Connect = Callable[[str], Connection[Any]]


class PostgresStore:
    """One connection, and the run that it may write for.

    ``weight`` says how much was written since there was last time for other things: about one a record.
    """

    errors: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(self, where: str, connect: Connect = connect) -> None:
        self.run = 0
        self.age = 0.0
        self.weight = 0
        self.unrated = False
        self._where = where
        self._connect = connect
        self._key = secrets.token_hex(16)
        self._db: Connection[Any]
        self._backend = 0
        # For every table that this connection has written to: the sequence of its next record.
        self._next: dict[str, int] = {}
        self._lived: float | None = None
        self._kept_age = 0.0

    # -- opening, closing, and getting over a failure ---------------------------------

    def open(self) -> None:
        """Open the journal, making its tables if it has none, and begin a new run; raises JournalRefused."""
        self._db = self._connect(self._where)
        try:
            prepare(self._db)
            check_safe(self._db, self._where)
            set_up(self._db, self._where)
            self._backend = self._db.info.backend_pid
            self.unrated = self.results.unrated
            with transaction(self._db):
                self._db.execute("UPDATE runs SET dead = true WHERE NOT dead")
                newest = "SELECT coalesce(max(run), 0), coalesce(max(age), 0) FROM runs"
                last, age = self._db.execute(newest).fetchone() or (0, 0.0)
                self.run, self.age, self._kept_age = last + 1, age, age
                begin = "INSERT INTO runs (run, key, age) VALUES (%s, %s, %s)"
                self._db.execute(begin, (self.run, self._key, self.age))
                # Nobody was told a code that the run before had reserved and no table had.
                self._db.execute("DELETE FROM codes")
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Let go of the journal."""
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
        if not hold_again(self._db, self._backend):
            raise psycopg.OperationalError("the connection before has not ended yet")
        self._backend = self._db.info.backend_pid
        self._check_claim()
        self._next.clear()

    def _check_claim(self) -> None:
        self._insist(ask(self._db, _OURS, self._me))

    @property
    def _me(self) -> dict[str, Any]:
        return {"run": self.run, "key": self._key}

    def _insist(self, found: object) -> None:
        """Raise JournalLost if nothing was found for our run to write to."""
        if not found:
            raise JournalLost(f"another daemon has taken over the journal {shown(self._where)}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Commit all that is done inside, if the journal is still ours."""
        with transaction(self._db):
            self._check_claim()
            yield

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
        values = {**self._me, "age": self.age, **_columns(fresh), **_note_columns(notes)}
        values["rested"] = [self.age if code in released else None for code in notes]
        values["began"] = [
            None if code in released else float(note[3]) for code, note in notes.items()
        ]
        values["released"] = [code for code in released if code not in notes]
        try:
            if results:
                kept = self._db.execute(_KEEP_ENDED, {**values, **columns(results)}).fetchone()
            else:
                kept = self._db.execute(_KEEP, values, prepare=True).fetchone()
        except psycopg.errors.UniqueViolation:
            raise JournalLost("another record is where one of ours was to be") from None
        self._insist(kept and kept[0])
        self._next.update(ahead)
        self.weight += len(fresh) + _A_BATCH

    def _sift(self, rows: Sequence[Row]) -> tuple[list[Row], dict[str, int]]:
        """Choose the records that are not there yet, and say what comes after them."""
        fresh: list[Row] = []
        ahead = self._expected({row[0] for row in rows})
        for row in rows:
            table, sequence = row[0], row[1]
            if sequence == ahead[table]:
                fresh.append(row)
                ahead[table] = sequence + 1
            elif sequence > ahead[table]:
                raise JournalLost(f"record {sequence} of table {table} has no predecessor")
            elif ask(self._db, _LINE_AT, (table, sequence)) != row[4]:
                raise JournalLost(f"another record {sequence} of table {table} is there")
        return fresh, ahead

    def _expected(self, tables: set[str]) -> dict[str, int]:
        """Say which record of each table comes next."""
        known = {table: self._next[table] for table in tables if table in self._next}
        found: dict[str, int] = {}
        if len(known) < len(tables):
            unknown = [table for table in tables if table not in known]
            found = dict(self._db.execute(_NEXT, (unknown,)).fetchall())
        return {table: known.get(table, found.get(table, 0)) for table in tables}

    def beat(self, lived: float, matters: bool) -> float:
        """Let the house age, and commit a sign of life, at the latest when a minute of it is not on the disk.

        One that is not committed looks after the server all the same.
        """
        self.age += aged(self._lived, lived)
        self._lived = lived
        if not matters and self.age - self._kept_age < _AGE_IN_MEMORY:
            self._check_claim()
            return self.age
        self._insist(self._db.execute(_BEAT, (lived, self.age, self.run, self._key)).rowcount)
        self._kept_age = self.age
        self.weight += _A_BATCH
        return self.age

    # -- results and ratings; see ``results`` -------------------------------------------

    @property
    def results(self) -> PostgresResults:
        """The results that are kept here, to look at."""
        return PostgresResults(self._db)

    def add_results(self, results: Sequence[Written]) -> int:
        """Keep results of games that were played elsewhere, and give how many were not there yet."""
        values = {**self._me, "age": self.age, **columns(results)}
        runs, count = self._db.execute(_ADD_RESULTS, values).fetchone() or (0, 0)
        self._insist(runs)
        return int(count)

    def fold(self, formula: Formula) -> bool:
        """Bring the ratings on by some results, and say whether there may be more."""
        from protocols.journal.ladder import fold_some  # which a writer's process starts without

        with self._writing():
            more = fold_some(self.results, formula)
        self.weight += _A_BATCH
        return more

    def clear_ratings(self) -> None:
        """Forget all ratings, and by which formula they were made: the next folds make them anew."""
        with self._writing():
            self.results.clear("")

    # -- putting in order, between batches --------------------------------------------

    def settle(self) -> None:
        """See that the journal is ours: there is nothing to be brought up to date."""
        self._check_claim()

    def tidy(self) -> None:
        """Leave to the server what else there is to do, which does it by itself."""
        self.settle()
        self.weight = 0

    def retire(self, tables: Sequence[str], compact: Compact) -> None:
        """Make each of these tables one compact row among the finished, all of them or none."""
        with self._writing():
            for table in tables:
                self._retire(table, compact)
        for table in tables:
            self._next.pop(table, None)
        self.weight += _A_BATCH * len(tables)

    def _retire(self, table: str, compact: Compact) -> None:
        rows = self._db.execute(_LINES, (table,), binary=True).fetchall()
        if rows:
            record = compact([line for line, _ in rows])
            self._db.execute(_FINISH, (table, table, rows[-1][1], self.age, record))
        self._db.execute("DELETE FROM records WHERE code = %s", (table,))
        self._db.execute("DELETE FROM tables WHERE code = %s", (table,))

    def forget(self, age: float) -> int:
        """Delete the tables that were finished before the house had this age, and say how many."""
        with self._writing():
            count: int = self._db.execute("DELETE FROM finished WHERE age < %s", (age,)).rowcount
        self.weight += _A_BATCH
        return count

    def reserve(self, codes: Sequence[str]) -> Sequence[str]:
        """Keep for our run those of these codes that no table has, or had that is kept, and nobody reserved."""
        values = {**self._me, "codes": list(codes)}
        runs, kept = self._db.execute(_RESERVE, values).fetchone() or (0, [])
        self._insist(runs)
        self.weight += _A_BATCH
        return sorted(kept)

    # -- questions --------------------------------------------------------------------

    def read(self, table: str) -> Sequence[bytes]:
        """Read the lines of a live table in their order."""
        return [line for line, _ in self._db.execute(_LINES, (_text(table),), binary=True)]

    def claim(self, table: str) -> int:
        """Give our run: all other daemons are dead, or could not be without the lock that we have."""
        self._check_claim()
        return self.run

    def index(self, after: str = "", most: int = MOST_ROWS) -> Sequence[IndexRow]:
        """List the tables that have not been retired, some of them, by their codes, behind this one."""
        return [IndexRow(*row) for row in self._db.execute(_INDEX, (after, most))]

    def finished(self) -> Sequence[FinishedRow]:
        """List the tables that were retired, the latest first."""
        listed = "SELECT code, kind, ended FROM finished ORDER BY ended DESC, id DESC"
        return [FinishedRow(*row) for row in self._db.execute(listed)]

    def read_finished(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that was retired."""
        newest = "SELECT record FROM finished WHERE code = %s ORDER BY id DESC LIMIT 1"
        record: bytes | None = ask(self._db, newest, (_text(table),))
        return record


def _columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Turn records into columns."""
    return {
        "codes": [row[0] for row in rows],
        "sequences": [row[1] for row in rows],
        "ats": [float(row[2]) for row in rows],
        "walls": [float(row[3]) for row in rows],
        "lines": [row[4] for row in rows],
        "opened": [row[0] for row in rows if row[1] == 0],
    }


def _note_columns(notes: Mapping[str, Note]) -> dict[str, list[Any]]:
    """Turn notes into columns, but for what a release changes of them."""
    return {
        "noted": list(notes),
        "kinds": [note[0] for note in notes.values()],
        "stages": [note[1] for note in notes.values()],
        "bots": [note[2] for note in notes.values()],
        "cards": [note[4] for note in notes.values()],
    }


def _text(typed: str) -> str:
    """Take out of what somebody has typed what PostgreSQL has in no text, and so in no code."""
    return typed.replace("\0", "?")
