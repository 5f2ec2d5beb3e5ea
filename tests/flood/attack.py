"""
One attack, in a process of its own.

    python -m tests.flood.attack KIND PORTS CODE SECONDS [--seed N] [--core C]

``PORTS`` is a JSON object of doors; ``CODE`` names the canary's table.  It says "ready" when all is prepared, and
attacks when a line is said to it; what it did is printed as one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import suppress

import attrs

from tests.bench.links import allow_files

from .attackers import Attack
from .kinds import KINDS, Field

_FILES = 4096
_BEHIND_THE_CANARY = (
    0  # nice: what is measured is how long the daemon takes, and not who else has the canary's core
)


def main() -> None:
    """Attack as the command line says."""
    parser = argparse.ArgumentParser(description="Flood a house.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("ports", type=json.loads)
    parser.add_argument("code")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--core", type=int)
    options = parser.parse_args()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, _BEHIND_THE_CANARY)
    allow_files(_FILES)
    attack = Attack(KINDS[options.kind](Field(options.ports, options.code, options.seed)))
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(attrs.asdict(attack.work(options.seconds))))


if __name__ == "__main__":
    main()
