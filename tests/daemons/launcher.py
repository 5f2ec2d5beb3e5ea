"""
The daemon, as twistd starts it, in a process whose time of day is the harness's to set.

    python -m tests.daemons.launcher CLOCK [options of twistd] parlour [options]

Whatever asks for the time of day is told what the clock in that file shows: the records that are stamped with it
as well as all of Twisted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.daemons.wall import Wall

_shown: list[Callable[[], float]] = [time.time]  # by the clock that the time of day is told


def load() -> dict[str, Callable[[], object]]:
    """Hang the clock before anything has taken hold of the time of day, and import the daemon."""
    time.time = lambda: _shown[0]()
    from tests.fork_server import load

    load()
    return {"tests.daemons.launcher": main}


def main() -> None:
    """Serve until told to stop."""
    _shown[0] = Wall(Path(sys.argv.pop(1))).time
    sys.argv[0] = "twistd"
    from twisted.scripts.twistd import run

    run()


if __name__ == "__main__":
    load()
    main()
