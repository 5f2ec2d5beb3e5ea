"""Where the commands find finished games: in a record file, or in the journal of a daemon.

A table that is still being played is shown to nobody: its journal holds the seed and every hidden card.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from gamecore.record import Unreadable
from gamecore.rules import Registry, installed_rules
from protocols.journal.compaction import expand_game
from protocols.journal.paths import default_journal

_UNSEEN = "table {} is still being played: its seed and hidden parts are shown to nobody"
_FINISHED = "SELECT record FROM finished WHERE code = ? ORDER BY id DESC LIMIT 1"
_LIVE = (
    "SELECT 1 FROM places WHERE code = ?1 UNION ALL"
    " SELECT 1 FROM records WHERE id > (SELECT filed FROM meta) AND code = ?1 LIMIT 1"
)


class Unavailable(Exception):
    """There is no such game to be had; the text says why."""


class Finished(Protocol):
    """The finished games of one journal."""

    def read(self, code: str) -> bytes | None:
        """Read the record file of a table that has ended; None if there is none."""

    def is_live(self, code: str) -> bool:
        """Say whether a table may still go on."""

    def close(self) -> None:
        """Let go of the journal."""


class SqliteFinished:
    """The finished games in a journal of SQLite, which is only read; raises Unavailable."""

    def __init__(self, path: str) -> None:
        self._path = path
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        try:
            self._database = sqlite3.connect(uri, uri=True)
        except sqlite3.Error as problem:
            raise self._unreadable(problem) from problem

    def read(self, code: str) -> bytes | None:
        """Read the record file of the last table of that code that has ended; None if there is none."""
        row = self._first(_FINISHED, code)
        try:
            return None if row is None else expand_game(row[0], Registry(installed_rules()))
        except Unreadable as problem:
            raise Unavailable(f"table {code} cannot be read: {problem}") from problem

    def is_live(self, code: str) -> bool:
        """Say whether there is a record of a table that has not ended."""
        return self._first(_LIVE, code) is not None

    def _first(self, query: str, code: str) -> Any:
        try:
            return self._database.execute(query, (code,)).fetchone()
        except sqlite3.Error as problem:
            raise self._unreadable(problem) from problem

    def _unreadable(self, problem: sqlite3.Error) -> Unavailable:
        return Unavailable(f"the journal {self._path} cannot be read: {problem}")

    def close(self) -> None:
        """Let go of the journal."""
        self._database.close()


def open_finished(path: str | None) -> Finished:
    """Open the finished games of a journal, None being the usual one; raises Unavailable."""
    path = default_journal() if path is None else path
    if not os.path.exists(path):
        raise Unavailable(f"there is no journal {path}; name one with --journal")
    return SqliteFinished(path)


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a journal."""
    parser.add_argument(
        "--journal",
        metavar="PATH",
        help=f"the journal to find the table in (default: {default_journal().replace('%', '%%')})",
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a finished game, and the option that goes with it."""
    parser.add_argument(
        "game", metavar="FILE|TABLE", help="a record file, or the code of a table that has ended"
    )
    add_journal(parser)


def load_game(name: str, journal: str | None) -> bytes:
    """Load a record file by its path or by the code of its table; raises Unavailable."""
    if journal is None and (os.path.exists(name) or not name.isalnum()):
        return _load_file(name)
    return load_table(name, journal)


def load_table(code: str, journal: str | None) -> bytes:
    """Load the record file of a table from a journal; raises Unavailable."""
    code = code.upper()
    with closing(open_finished(journal)) as finished:
        known = code.isascii()  # as all codes are, and not everything that can be typed
        if known and finished.is_live(code):
            raise Unavailable(_UNSEEN.format(code))
        data = finished.read(code) if known else None
    if data is None:
        raise Unavailable(
            f"no table {code} has ended in the journal {journal or default_journal()}"
        )
    return data


def _load_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as problem:  # the latter for what can be no path
        reason = getattr(problem, "strerror", None) or problem
        raise Unavailable(f"{path}: {reason}") from problem
