"""
The daemon, as twistd starts it, with a lobby that lets people type as fast as they can.

    python -m tests.bench.unhurried [options of twistd] parlour [options]

What one visitor may say each second is bounded; here it is to be measured what the server can do.
"""

from __future__ import annotations

import sys
from math import inf

from protocols.lobby.face import LobbyFace
from protocols.lobby.server import LobbyFactory


class Unhurried(LobbyFace):
    """A visitor who may type without end."""

    rate = burst = inf


def main() -> None:
    """Serve until told to stop."""
    from twisted.scripts.twistd import run

    LobbyFactory.protocol = Unhurried
    sys.argv[0] = "twistd"
    run()


if __name__ == "__main__":
    main()
