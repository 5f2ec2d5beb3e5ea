"""Where a daemon keeps what it must not forget, if nobody says otherwise."""

from __future__ import annotations

import os

JOURNAL_NAME = "parlour.db"


def default_journal() -> str:
    """Name the journal in the folder that systemd gives us, else in the user's state folder."""
    given, _, _ = os.environ.get("STATE_DIRECTORY", "").partition(":")  # systemd may give several
    if given:
        return os.path.join(given, JOURNAL_NAME)
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):  # as its specification says: any other is to be ignored
        state = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "parlour", JOURNAL_NAME)
