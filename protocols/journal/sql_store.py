"""What the stores of all SQL engines do alike: which records are new, who may write, and what has ended."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from protocols.journal.errors import JournalLost
from protocols.journal.interface import FinishedRow, Row
from protocols.journal.location import shown
from protocols.journal.sql_results import SqlResults

A_BATCH = 3  # what a commit weighs however small it is, as if it were so many records

_FORGET = "DELETE FROM finished WHERE age < ?"
_FINISHED = "SELECT code, kind, ended FROM finished ORDER BY ended DESC, id DESC"
_NEWEST = "SELECT record FROM finished WHERE code = ? ORDER BY id DESC LIMIT 1"


class OwnRun(Protocol):
    """Our run, as an engine keeps it."""

    run: int
    draining: float | None

    @property
    def age(self) -> float:
        """How many seconds the house has lived."""


class SqlStore:
    """A connection, and the run that it may write for; an engine brings the first methods.

    ``weight`` says how much was written since there was last time to put it in order: about one a record.
    """

    _runs: OwnRun

    def __init__(self, where: str) -> None:
        self.weight = 0
        self.unrated = False
        self._where = where
        # For every table that this connection has written to: the sequence of its next record.
        self._next: dict[str, int] = {}

    # -- what an engine brings --------------------------------------------------------

    @property
    def results(self) -> SqlResults:
        """The results that are kept here, to look at."""
        raise NotImplementedError

    def _ask(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Give the rows that a query finds, by values that stand for its ``?``."""
        raise NotImplementedError

    def _change(self, sql: str, values: Sequence[Any]) -> int:
        """Run a statement, and say how many rows it has changed."""
        raise NotImplementedError

    def _transaction(self) -> AbstractContextManager[None]:
        """Commit all that is done inside, or nothing."""
        raise NotImplementedError

    def _is_ours(self) -> bool:
        """Say whether our run may write, and let nobody change that within this transaction."""
        raise NotImplementedError

    def _following(self, tables: Collection[str]) -> Mapping[str, int]:
        """Look up which record of each table comes next; those of which none is there may be left out."""
        raise NotImplementedError

    def _line_at(self, table: str, sequence: int) -> bytes | None:
        """Read one record."""
        raise NotImplementedError

    # -- our run ----------------------------------------------------------------------

    @property
    def run(self) -> int:
        """What is written for."""
        return self._runs.run

    @property
    def age(self) -> float:
        """How many seconds the house has lived."""
        return self._runs.age

    @property
    def draining(self) -> float | None:
        """For how many seconds our run may wait for its players, since it was asked to end."""
        return self._runs.draining

    def _check_claim(self) -> None:
        self._insist(self._is_ours())

    def _insist(self, found: object) -> None:
        """Raise JournalLost if nothing was found for our run to write to."""
        if not found:
            raise JournalLost(f"another daemon has taken over the journal {shown(self._where)}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Commit all that is done inside, if the journal is still ours."""
        with self._transaction():
            self._check_claim()
            yield

    # -- records ----------------------------------------------------------------------

    def _sift(self, rows: Sequence[Row]) -> tuple[list[Row], dict[str, int]]:
        """Choose the records that are not there yet, and say what comes after them; raises JournalLost."""
        fresh: list[Row] = []
        ahead = self._expected({row[0] for row in rows})
        for row in rows:
            table, sequence = row[0], row[1]
            if sequence == ahead[table]:
                fresh.append(row)
                ahead[table] = sequence + 1
            elif sequence > ahead[table]:
                raise JournalLost(f"record {sequence} of table {table} has no predecessor")
            elif self._line_at(table, sequence) != row[4]:
                raise JournalLost(f"another record {sequence} of table {table} is there")
        return fresh, ahead

    def _expected(self, tables: set[str]) -> dict[str, int]:
        """Say which record of each table comes next."""
        unknown = tables - self._next.keys()
        found = self._following(unknown) if unknown else {}
        return {table: self._next.get(table, found.get(table, 0)) for table in tables}

    # -- ratings, and what has ended --------------------------------------------------

    def clear_ratings(self) -> None:
        """Forget all ratings, and by which formula they were made: the next folds make them anew."""
        with self._writing():
            self.results.clear("")

    def forget(self, age: float) -> int:
        """Delete the tables that were finished before the house had this age, and say how many."""
        self.weight += A_BATCH
        with self._writing():
            return self._change(_FORGET, (age,))

    def finished(self) -> Sequence[FinishedRow]:
        """List the tables that were retired, the latest first."""
        return [FinishedRow(*row) for row in self._ask(_FINISHED)]

    def read_finished(self, table: str) -> bytes | None:
        """Read the compact record of the last table of that code that was retired."""
        rows = self._ask(_NEWEST, (table,))
        return rows[0][0] if rows else None
