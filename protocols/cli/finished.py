"""Where the commands find finished games: in a record file, or in the journal of a daemon.

A game that is still being played is shown to nobody: the journal holds its seed and every hidden card.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from gamecore.record import Unreadable
from gamecore.replay import write_ended
from gamecore.rules import Registry, installed_rules
from protocols.journal.archive import Archive
from protocols.journal.compaction import expand_game
from protocols.journal.engines import MEMORY, open_archive
from protocols.journal.errors import JournalFailed, JournalRefused
from protocols.journal.location import is_url, shown
from protocols.journal.paths import default_journal

T = TypeVar("T")

_UNSEEN = "table {} is still being played: its seed and hidden parts are shown to nobody"


class Unavailable(Exception):
    """There is no such game to be had; the text says why."""


class Finished:
    """The finished games of one journal; raises Unavailable."""

    def __init__(self, where: str) -> None:
        try:
            self._archive = open_archive(where)
        except (JournalFailed, JournalRefused) as problem:
            raise Unavailable(str(problem)) from problem

    def read(self, code: str) -> bytes | None:
        """Read the record file of what is over at a table, if it is there; raises Unavailable.

        Of a table that may go on it ends with the last game that is over; else it is that of the last table of
        that code that has ended.
        """
        registry = Registry(installed_rules())
        try:
            data = write_ended(self._archive.lines(code), registry) if self.is_live(code) else None
            kept = self._archive.read(code) if data is None else None
            return data if kept is None else expand_game(kept, registry)
        except JournalFailed as problem:
            raise Unavailable(str(problem)) from problem
        except Unreadable as problem:
            raise Unavailable(f"table {code} cannot be read: {problem}") from problem

    def is_live(self, code: str) -> bool:
        """Say whether a table may still go on; raises Unavailable."""
        try:
            return bool(self._archive.lines(code))
        except JournalFailed as problem:
            raise Unavailable(str(problem)) from problem

    def look(self, question: Callable[[Archive], T]) -> T:
        """Ask the journal for something else; raises Unavailable."""
        try:
            return question(self._archive)
        except JournalFailed as problem:
            raise Unavailable(str(problem)) from problem

    def copy_to(self, path: str) -> None:
        """Copy the whole journal, as it stands at this moment, into a new file; raises Unavailable."""
        try:
            self._archive.copy_to(path)
        except JournalFailed as problem:
            raise Unavailable(str(problem)) from problem

    def close(self) -> None:
        """Let go of the journal."""
        self._archive.close()


def open_finished(path: str | None) -> Finished:
    """Open the finished games of a journal, None being the usual one; raises Unavailable."""
    path = default_journal() if path is None else path
    if path == MEMORY:
        raise Unavailable("a journal in memory is for its daemon alone; there is nothing to read")
    if not is_url(path):
        _check_file(path)
    return Finished(path)


def _check_file(path: str) -> None:
    """See that there is a file, as far as this user may see it; raises Unavailable."""
    try:
        os.stat(path)
    except PermissionError as problem:
        raise Unavailable(f"the journal {path} cannot be read: {problem.strerror}") from problem
    except (OSError, ValueError):  # the latter for what can be no path
        named = f"no journal {path}" if path else "no journal without a name"
        raise Unavailable(f"there is {named}; name one with --journal") from None


def add_journal(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a journal."""
    parser.add_argument(
        "--journal",
        metavar="WHERE",
        help="the journal: a file, or the URL of a database"
        f" (default: {default_journal().replace('%', '%%')})",
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
        data = finished.read(code) if known else None
        if data is None and known and finished.is_live(code):
            raise Unavailable(_UNSEEN.format(code))
    if data is None:
        raise Unavailable(
            f"no table {code} has ended in the journal {shown(journal or default_journal())}"
        )
    return data


def _load_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as problem:  # the latter for what can be no path
        reason = getattr(problem, "strerror", None) or problem
        raise Unavailable(f"{path}: {reason}") from problem
