"""Where a daemon keeps what it must not forget, if nobody says otherwise."""

from __future__ import annotations

import os

JOURNAL_NAME = "parlour.db"


def state_folder() -> str:
    """Name the folder that systemd gives us, else ours in the user's state folder."""
    given, _, _ = os.environ.get("STATE_DIRECTORY", "").partition(":")  # systemd may give several
    if given:
        return given
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):  # as its specification says: any other is to be ignored
        state = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "parlour")


def default_journal() -> str:
    """Name the journal of a daemon that was told of none."""
    return os.path.join(state_folder(), JOURNAL_NAME)
