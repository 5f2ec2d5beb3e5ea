"""
The bare spike with a durable journal: every move is on the disk before either player is told.

One SQLite file (WAL, synchronous=FULL), one thread, and group commit: all that comes while one commit
runs is the next.  No index, no chain, no care for failure: the least that a durable move costs.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any

from .spike import Game, NimFactory, NimLine, Settings, State

Row = tuple[int, int, str]
Letter = Callable[[], None]


class Journal:
    """Rows on their way to the disk, and what is to be told when they are there."""

    def __init__(self, path: str, reactor: Any) -> None:
        self._path = path
        self._reactor = reactor
        self._rows: list[Row] = []
        self._letters: list[Letter] = []
        self._busy = False
        self._batches: SimpleQueue[tuple[list[Row], list[Letter]]] = SimpleQueue()
        Thread(target=self._run, daemon=True).start()

    def add(self, row: Row, letter: Letter) -> None:
        """Put a row into the next batch and tell when it is committed."""
        self._rows.append(row)
        self._letters.append(letter)
        if not self._busy:
            self._busy = True
            self._reactor.callLater(0, self._commit)

    def _commit(self) -> None:
        self._batches.put((self._rows, self._letters))
        self._rows, self._letters = [], []

    def _committed(self, letters: list[Letter]) -> None:
        for letter in letters:
            letter()
        self._busy = bool(self._rows)
        if self._busy:
            self._commit()

    def _run(self) -> None:
        db = sqlite3.connect(self._path, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("CREATE TABLE records (game INTEGER, sequence INTEGER, line TEXT)")
        while True:
            rows, letters = self._batches.get()
            db.execute("BEGIN")
            db.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)
            db.execute("COMMIT")
            self._reactor.callFromThread(self._committed, letters)


class DurableGame(Game):
    """A game whose moves are in the journal before they are told."""

    games = 0

    def __init__(
        self, journal: Journal, lines: tuple[NimLine, NimLine], settings: Settings
    ) -> None:
        super().__init__(lines, settings)
        self._journal = journal
        DurableGame.games += 1
        self._number = DurableGame.games
        self._sequence = 0

    def _tell(self, state: State) -> None:
        self._sequence += 1
        move = {"stones": state["stones_removed"], "reset": state["reset_used"]}
        line = json.dumps({"game": self._number, "sequence": self._sequence, **move})
        tell = super()._tell
        self._journal.add((self._number, self._sequence, line), lambda: tell(state))


def main() -> None:
    """Serve Expanding Nim on the port given, with the journal given, until told to stop."""
    from twisted.internet import reactor

    journal = Journal(sys.argv[2], reactor)
    factory = NimFactory(Settings(), lambda lines, settings: DurableGame(journal, lines, settings))
    reactor.listenTCP(int(sys.argv[1]), factory, 512, "127.0.0.1")
    reactor.run()


if __name__ == "__main__":
    main()
