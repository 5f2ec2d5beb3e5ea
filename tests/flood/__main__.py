"""
Flood the daemon, and measure what a pair at another table feels of it.

    python -m tests.flood [--kind one_address,fuzz] [--journal memory,sqlite] [--rounds 3]
                          [--seconds 6] [--quiet 3] [--settle 30] [--seed 0]

The daemon has one core, its attackers and the canary the other. Each trial has a daemon of its own: the canary
moves every 20 ms, for a while quietly, then under the flood; 30 s after it the process is looked at again. Times
are in ms, medians of the rounds, and each trial has a line as soon as it is done; "wrong" names what is over its
bound (``report.py``). ``--seed`` draws the same fuzz again. Only figures of one run compare: machines have busy
hours.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import suppress

from tests.bench.__main__ import cores
from tests.bench.contenders import NoStart
from tests.bench.links import Broken

from .canary import seat_canary
from .house import JOURNALS, has_tls, open_house
from .kinds import KINDS, TLS
from .report import group, row, show, wrong
from .trial import Trial, run_trial

_CANARY_FIRST = -10  # nice: its attackers share its core

TO_LOAD = 3.0  # seconds for which a daemon that has just begun still loads words and pages, a piece at a time


def _names(known: list[str]) -> object:
    def read(text: str) -> list[str]:
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(f"nothing is called {name!r}: {', '.join(known)}")
        return chosen

    return read


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.flood", description="Flood the daemon.")
    kinds = [kind for kind in KINDS if kind != TLS or has_tls()]
    parser.add_argument("--kind", type=_names(list(KINDS)), default=",".join(kinds))  # type: ignore[arg-type]
    parser.add_argument("--journal", type=_names(list(JOURNALS)), default=",".join(JOURNALS))  # type: ignore[arg-type]
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--quiet", type=float, default=3.0)
    parser.add_argument("--settle", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def measure(kind: str, journal: str, options: argparse.Namespace, seed: int) -> Trial:
    """Start a daemon, flood it and stop it."""
    theirs, ours = cores()
    with open_house(journal, theirs) as house, seat_canary(house.ports["json"]) as canary:
        canary.play(TO_LOAD)
        trial = run_trial(
            house,
            canary,
            journal,
            kind,
            options.seconds,
            quiet=options.quiet,
            settle=options.settle,
            seed=seed,
            core=ours,
        )
        if trial.tracebacks:
            print(house.last_words(), file=sys.stderr)
        return trial


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def main() -> int:
    """Run all floods that are asked for; 1 if something is not as it should be."""
    options = parse_options()
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _end)  # so that the daemon is stopped, and its folder removed
    _, ours = cores()
    if ours is not None:
        os.sched_setaffinity(0, {ours})
    trials: list[Trial] = []
    failed: list[str] = []
    for round in range(options.rounds):
        for kind in options.kind:
            for journal in options.journal:
                try:
                    trials.append(measure(kind, journal, options, options.seed + round))
                    print(" | ".join(row(trials[-1:])), flush=True)
                except (Broken, NoStart, OSError, RuntimeError) as problem:
                    failed.append(f"{kind}, {journal}: {problem}")
    print(show(trials))
    for failure in failed:
        print(failure)
    return 1 if failed or any(map(wrong, group(trials))) else 0


if __name__ == "__main__":
    with suppress(OSError):  # only root may
        os.setpriority(os.PRIO_PROCESS, 0, _CANARY_FIRST)
    raise SystemExit(main())
