"""The runs of a house in SQLite: one for each start of a daemon, of which the last alone may write."""

from __future__ import annotations

import sqlite3

from protocols.journal.age import Age
from protocols.journal.sqlite.file import transaction

_NEWEST = "SELECT (SELECT run FROM meta), coalesce(max(age), 0.0) FROM runs"
_DRAINING = "SELECT draining FROM runs WHERE run = ?"
_BEAT = "UPDATE runs SET lived = ?, age = ? WHERE run = ?"
_OURS = "SELECT 1 FROM meta WHERE run = ?"


class Runs:
    """Our run, the age of the house, and for how long it may wait for its players if it was asked to end."""

    def __init__(self) -> None:
        self.run = 0
        self.draining: float | None = None
        self._age = Age()

    @property
    def age(self) -> float:
        """How many seconds the house has lived."""
        return self._age.seconds

    def begin(self, db: sqlite3.Connection) -> None:
        """Begin a run, within a transaction."""
        last, age = db.execute(_NEWEST).fetchone()
        self.run = last + 1
        self._age.begin(age)
        db.execute("UPDATE meta SET run = ?", (self.run,))
        db.execute("INSERT INTO runs (run, age) VALUES (?, ?)", (self.run, age))

    def beat(self, db: sqlite3.Connection, lived: float, matters: bool) -> bool | None:
        """Give a sign of life, and say whether our run lives; None if it was not the time to write it down."""
        self._age.live(lived)
        found = db.execute(_DRAINING, (self.run,)).fetchone()
        self.draining = None if found is None else found[0]
        if not matters and not self._age.is_due():
            return None
        with transaction(db):
            lives = is_ours(db, self)
            if lives:
                db.execute(_BEAT, (lived, self.age, self.run))
        self._age.keep()
        return lives


def is_ours(db: sqlite3.Connection, runs: Runs) -> bool:
    """Say whether our run may write, which nobody changes within a transaction."""
    return db.execute(_OURS, (runs.run,)).fetchone() is not None
