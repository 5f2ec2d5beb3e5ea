"""
Play at three daemons of one house while they, their database and their clocks meet with every fault; check it all.

    python -m tests.house [--faults 1000] [--seed S] [--tables 6] [--minutes M]

Each trial of up to 60 faults has a journal and a seed of its own: S, S + 1 and so on. A seed draws the same
players and the same faults again, not the same instants: those are for the machine to say. What is checked is what
the players sent and heard, the records, and whose the database saw each table to be. In every third trial the
daemons are not linked.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from tests import postgres
from tests.house.trial import TABLES, Figures, run_trial

_A_TRIAL = 60
_UNLINKED_EACH = 3  # trials


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.house", description="Play in a house that meets with faults."
    )
    parser.add_argument("--faults", type=int, default=1000, help="how many [%(default)s]")
    parser.add_argument("--seed", type=int, help="of the first trial [drawn]")
    parser.add_argument("--tables", type=int, default=TABLES, help="at once [%(default)s]")
    parser.add_argument("--minutes", type=float, help="begin no trial after so many [no limit]")
    return parser.parse_args()


def main() -> int:
    """Run trial after trial until there were enough faults, and print what was counted."""
    options = parse_options()
    why = postgres.why_not()
    if why is not None:
        print(why)
        return 1
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    total, began = Figures(), time.monotonic()
    server = postgres.Server()
    try:
        while total.faults.total() < options.faults:
            if options.minutes and time.monotonic() - began > 60 * options.minutes:
                break
            wanted = min(_A_TRIAL, options.faults - total.faults.total())
            linked = seed % _UNLINKED_EACH > 0
            total.add(run_trial(seed, wanted, options.tables, server, linked=linked))
            print(f"{total.faults.total()}/{options.faults} faults: seed {seed} holds", flush=True)
            seed += 1
    finally:
        server.remove()
    print(total)
    return 0


if __name__ == "__main__":
    sys.exit(main())
