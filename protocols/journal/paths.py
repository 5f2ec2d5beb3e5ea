"""Where a daemon keeps what it must not forget, if nobody says otherwise."""

from __future__ import annotations

import os
from hashlib import sha256

from protocols.journal.location import is_url, shown

JOURNAL_NAME = "parlour.db"
_OWN = 8  # hexadecimal digits that tell one database from another


def state_folder() -> str:
    """Name the folder that systemd gives us, else ours in the user's state folder."""
    given, _, _ = os.environ.get("STATE_DIRECTORY", "").partition(":")  # systemd may give several
    if given:
        return given
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):  # as its specification says: any other is to be ignored
        state = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "parlour")


def state_file(journal: str | None, run: str, name: str) -> str:
    """Name a file that a daemon keeps beside its journal, so that no other daemon takes it for its own.

    It lies in the state folder, as ``name``, where the default journal is; beside any other journal, whose own name
    comes first. One whose journal is in a database has a name of its own for each of those in the state folder.
    One whose journal is in memory (None) has nothing that is its own but ``run``, drawn at its start.
    """
    if journal is None:
        return os.path.join(state_folder(), f"{name}.{run}")
    if is_url(journal):
        own = sha256(shown(journal).encode()).hexdigest()[:_OWN]
        return os.path.join(state_folder(), f"{name}.{own}")
    if os.path.abspath(journal) == os.path.abspath(default_journal()):
        return os.path.join(state_folder(), name)
    return f"{os.path.abspath(journal)}.{name}"


def default_journal() -> str:
    """Name the journal of a daemon that was told of none."""
    return os.path.join(state_folder(), JOURNAL_NAME)
