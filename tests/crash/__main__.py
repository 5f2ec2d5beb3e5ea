"""
Kill the daemon again and again while people play, and check that nothing they were told is lost.

    python -m tests.crash [--kills 1000] [--seed S] [--tables 12]

Each trial of up to 25 kills has a journal and a seed of its own: S, S + 1 and so on.  A seed draws the same
people and the same numbers again, not the same instants: those are for the machine to say.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from tests.crash.trial import TABLES, Figures, run_trial

KILLS_A_TRIAL = 25


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.crash", description="Kill the daemon while people play."
    )
    parser.add_argument("--kills", type=int, default=1000, help="how often [%(default)s]")
    parser.add_argument("--seed", type=int, help="of the first trial [drawn]")
    parser.add_argument("--tables", type=int, default=TABLES, help="at once [%(default)s]")
    return parser.parse_args()


def main() -> int:
    """Run trial after trial until there were enough kills, and print what was counted."""
    options = parse_options()
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    total, began = Figures(), time.monotonic()
    while total.kills < options.kills:
        kills = min(KILLS_A_TRIAL, options.kills - total.kills)
        total.add(run_trial(seed, kills, options.tables))
        seconds = time.monotonic() - began
        print(
            f"{total.kills}/{options.kills} kills, {seconds:.0f} s, seed {seed} holds", flush=True
        )
        seed += 1
    print(total)
    return 0


if __name__ == "__main__":
    sys.exit(main())
