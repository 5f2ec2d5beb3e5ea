"""How the servers that are measured are started."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .contenders import ROOT

ENDED_AS_IT_FORKS = """
import os, signal, sys
from tests.bench.contenders import start

signal.signal(signal.{0}, lambda *_: sys.exit(77))
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.{0}))
start([sys.executable, "-c", "import time; time.sleep(600)"])
sys.exit("nothing was heard of it")
"""


@pytest.mark.parametrize("ending", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_who_is_ended_while_a_server_is_started_ends(ending: str) -> None:
    script = ENDED_AS_IT_FORKS.format(ending)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE)
    assert done.returncode == 77, done.stderr
