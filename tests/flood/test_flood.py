"""Short floods of the real daemon fail nobody, and the table tells what went wrong in longer ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from attrs import evolve

from tests.bench.contenders import ROOT
from tests.patience import SECONDS

from .attackers import Done
from .canary import Felt, seat_canary
from .house import Seen, open_house
from .report import HEAD, row, wrong
from .trial import Trial, run_trial

SOME = ("fuzz", "presence", "half_closed", "udp", "thinking", "sources", "everything")
QUICK = 0.2  # seconds
FELT = Felt(moves=300, p50=0.001, p99=0.002, most=0.003, timed_out=0)
SEEN = Seen(resident=60_000_000, files=20)
GOOD = Trial("fuzz", "memory", FELT, FELT, Done(100, 10, 5), 0, SEEN, SEEN, SEEN)


def test_a_pair_plays_on_through_floods_and_no_bug_shows_itself() -> None:
    with open_house("memory", None) as house, seat_canary(house.ports["json"]) as canary:
        for kind in SOME:
            trial = run_trial(house, canary, "memory", kind, QUICK, quiet=0.1, settle=0.0, seed=7)
            assert trial.tracebacks == 0, (kind, house.last_words())
            assert not trial.quiet.timed_out and not trial.flood.timed_out, kind
            assert trial.done.sent and trial.done.links, f"the flood of {kind} did nothing"
            assert trial.flood.moves, kind


def test_nothing_is_wrong_where_all_is_as_quiet_as_before() -> None:
    assert wrong([GOOD]) == []
    assert len(row([GOOD])) == len(HEAD)


def test_what_is_over_its_bound_is_named() -> None:
    bad = evolve(
        GOOD,
        kind="talk",
        flood=evolve(FELT, p99=0.021, timed_out=1),
        tracebacks=1,
        after=Seen(resident=130_000_000, files=26),
    )
    assert wrong([bad]) == ["p99", "time-out", "traceback", "RSS", "files"]


def test_of_several_rounds_the_middle_one_counts_for_times_and_each_for_failures() -> None:
    slow = evolve(GOOD, flood=evolve(FELT, p99=5.0))
    failed = evolve(GOOD, tracebacks=1)
    assert wrong([GOOD, slow, GOOD]) == []
    assert wrong([GOOD, failed, GOOD]) == ["traceback"]


def test_a_canary_may_wait_ten_times_as_long_as_when_all_was_quiet() -> None:
    busy = evolve(GOOD, quiet=evolve(FELT, p99=0.02), flood=evolve(FELT, p99=0.19))
    assert wrong([busy]) == []


def _runs(process: int) -> bool:
    """Say whether a process runs; of one that nobody has waited for no command line is left."""
    with suppress(OSError):
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="processes are listed in /proc")
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_whoever_ends_the_measuring_ends_its_daemon_too(ending: int) -> None:
    command = [sys.executable, "-m", "tests.flood", "--kind", "udp", "--journal", "memory"]
    with subprocess.Popen([*command, "--quiet", "600"], cwd=ROOT) as process:
        end = time.monotonic() + SECONDS

        def daemons() -> list[int]:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            return [int(each) for each in children]

        while len(started := daemons()) < 2:  # the daemon, and the attack
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.05)
        os.kill(process.pid, ending)
        process.wait(SECONDS)
        while any(map(_runs, started)):
            assert time.monotonic() < end
            time.sleep(0.05)
