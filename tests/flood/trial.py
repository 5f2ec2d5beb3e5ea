"""One trial: a canary plays, quietly at first, then while one kind of flood comes; and what was felt of it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from attrs import frozen

from tests.bench.contenders import ROOT, start

from .attackers import Done
from .canary import Canary, Felt
from .house import House, Seen

_LONGER = 0.5  # seconds that a long attack still goes on while the process is looked at


@frozen
class Trial:
    """What one flood did; ``before``, ``within`` and ``after`` tell what the process had."""

    kind: str
    journal: str
    quiet: Felt
    flood: Felt
    done: Done
    tracebacks: int
    before: Seen
    within: Seen
    after: Seen


@contextmanager
def attacked(
    ports: Mapping[str, int], code: str, kind: str, seconds: float, seed: int, core: int | None
) -> Iterator[subprocess.Popen[str]]:
    """Prepare an attack in a process of its own; ``begin`` lets it begin, and its end ends it."""
    command = [sys.executable, "-m", "tests.flood.attack", kind, json.dumps(ports), code]
    command += [str(seconds + min(seconds, _LONGER)), "--seed", str(seed)]
    command += ["--core", str(core)] if core is not None else []
    pipe = subprocess.PIPE
    with start(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise RuntimeError(f"the flood of {kind} could not be prepared")
            yield process
        finally:
            process.kill()


def begin(process: subprocess.Popen[str]) -> None:
    """Let an attack begin that is prepared."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def run_trial(
    house: House,
    canary: Canary,
    journal: str,
    kind: str,
    seconds: float,
    *,
    quiet: float,
    settle: float,
    seed: int = 0,
    core: int | None = None,
) -> Trial:
    """Flood the house for so long; ``quiet`` seconds are measured before, ``settle`` are waited after."""
    tracebacks = house.tracebacks()
    with attacked(house.ports, canary.code, kind, seconds, seed, core) as process:
        before = house.look()
        calm = canary.play(quiet)
        begin(process)
        felt = canary.play(seconds)
        within = house.look()
        assert process.stdout is not None
        done = Done(**json.loads(process.stdout.read()))
    if settle:
        time.sleep(settle)
    return Trial(
        kind,
        journal,
        calm,
        felt,
        done,
        house.tracebacks() - tracebacks,
        before,
        within,
        house.look(),
    )
