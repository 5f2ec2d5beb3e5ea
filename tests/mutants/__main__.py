"""
Plant one bug after another in a copy of the tree, and see that the tests named for it fail.

    python -m tests.mutants [--only WORDS]

First all those tests have to pass with nothing planted.  Exit status 1: a bug was not found.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.planted import PLANTED, Mutant

ROOT = Path(__file__).parents[2]
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "_build", "*.egg-info")
_FAILED = 1  # what pytest says of tests that failed, and of nothing else


def copy_tree(folder: Path) -> Path:
    """Copy all that tests need, so that nothing planted is ever left in the real tree."""
    return Path(shutil.copytree(ROOT, folder / "tree", ignore=_LEFT_OUT))


def plant(mutant: Mutant, tree: Path) -> str:
    """Plant a bug, and give what stood in the file; ValueError unless the place is there just once."""
    path = tree / mutant.path
    text = path.read_text()
    if text.count(mutant.before) != 1:
        raise ValueError(f"{mutant.name}: {text.count(mutant.before)} such places in {mutant.path}")
    write(path, text.replace(mutant.before, mutant.after))
    return text


def write(path: Path, text: str) -> None:
    """Write a file anew at a time of its own, as Python tells what it compiled before by time and length alone."""
    later = path.stat().st_mtime_ns + 2_000_000_000
    path.write_text(text)
    os.utime(path, ns=(later, later))


def run_tests(tests: Iterable[str], tree: Path) -> int:
    """Run tests of the copy until one fails; gives the exit status of pytest."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    # Whatever is imported, also by a process that a test starts, is that of the copy.
    env = {**os.environ, "PYTHONPATH": str(tree)}
    # Compiled once for all of them, in the copy, and gone with it.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(command, cwd=tree, env=env, stdout=subprocess.DEVNULL).returncode


def main() -> int:
    """Plant what was asked for and tell what was found; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Plant bugs.")
    parser.add_argument("--only", default="", help="those with these words in their names")
    wanted = parser.parse_args().only
    chosen = [each for each in PLANTED if wanted in each.name]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(Path(folder))
        if run_tests(sorted({test for each in chosen for test in each.tests}), tree) != 0:
            print("the tests fail with nothing planted")
            return 1
        for mutant in chosen:
            before = plant(mutant, tree)
            found = run_tests(mutant.tests, tree) == _FAILED
            write(tree / mutant.path, before)
            missed += not found
            print(f"{'found ' if found else 'MISSED'} {mutant.name}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
