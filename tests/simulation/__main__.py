"""
Run whole halls in one process: every game, every door, and a storm around them, all from one integer.

    python -m tests.simulation [--seed S] [--steps N] [--total M]

Seeds S, S + 1 and so on are run, N steps each, until there were M steps.  What fails says its seed and its step;
the same seed with the same number of steps does the same again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from twisted.logger import globalLogBeginner

from tests.simulation.world import Figures, run


def parse_options():
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation", description="Simulate whole halls."
    )
    parser.add_argument("--seed", type=int, help="of the first hall [drawn]")
    parser.add_argument("--steps", type=int, default=2000, help="in each hall [%(default)s]")
    parser.add_argument("--total", type=int, default=0, help="in all halls [those of one]")
    return parser.parse_args()


def main():
    """Run hall after hall, and print what was counted."""
    options = parse_options()
    globalLogBeginner.beginLoggingTo(
        [], redirectStandardIO=False
    )  # what is amiss is told by the run
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    total, began = Figures(), time.monotonic()
    while total.steps < max(options.total, 1):
        print(f"seed {seed}", flush=True)
        world = run(seed, options.steps)
        total.add(world.figures())
        seconds = time.monotonic() - began
        print(f"  holds ({world.digest()}); {seconds:.0f} s: {total}", flush=True)
        seed += 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
