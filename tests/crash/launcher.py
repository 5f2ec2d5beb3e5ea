"""
The daemon, as twistd starts it, in a process whose time of day is the harness's to set.

    python -m tests.crash.launcher CLOCK [options of twistd] parlour [options]

Whatever asks for the time of day is told what the clock in that file shows: the records that are stamped with it
as well as all of Twisted.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from unittest import mock

from tests.crash.wall import Wall


def main() -> None:
    """Serve until told to stop."""
    clock = Wall(Path(sys.argv.pop(1)))
    sys.argv[0] = "twistd"
    with mock.patch.object(time, "time", clock.time):  # before anything has taken hold of it
        from twisted.scripts.twistd import run

        run()


if __name__ == "__main__":
    main()
