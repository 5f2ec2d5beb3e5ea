"""The example of a game of another package, installed once for all tests of a run and all its processes."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "etc" / "games" / "connect_four"


def install(folders: pytest.TempPathFactory) -> Path:
    """Install it with nothing from any network, unless that was done in this run; gives what to put on the path."""
    base = folders.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = run / "another_game"
    with open(run / "another_game.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not site.exists():
            fresh = folders.mktemp("another_game")
            shutil.copytree(SOURCE, fresh / "source")
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
            place = ["--no-build-isolation", "--target", str(fresh / "site"), str(fresh / "source")]
            subprocess.run([*pip, *place], check=True, timeout=120)
            (fresh / "site").rename(site)  # whole, or not at all
    return site


def without_looks(site: Path, folder: Path) -> Path:
    """Give a copy in a folder, as if it had been installed without looks of its own."""
    bare = folder / "bare"
    shutil.copytree(site, bare)
    shutil.rmtree(bare / "connect_four" / "pages")
    (told,) = bare.glob("*.dist-info/entry_points.txt")
    text, count = re.subn(r"\[parlour\.pages\]\n(?:[^\[\n].*\n)+", "", told.read_text())
    assert count == 1, text
    told.write_text(text)
    return bare
