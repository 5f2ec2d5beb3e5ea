"""The card room knows nothing of the hall."""

from __future__ import annotations

import subprocess
import sys

from tests.patience import SECONDS

IMPORT_EVERYTHING = """
import sys
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import walk_packages

BARRED = {"twisted", "zope", "protocols", "sqlite3", "_sqlite3", "asyncio", "selectors", "secrets"}


class Doorkeeper:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BARRED:
            raise ImportError(f"{name} has no place in the card room")


for name in [name for name in sys.modules if name.partition(".")[0] in BARRED]:
    del sys.modules[name]
games = [point.value.partition(":")[0] for point in entry_points(group="parlour.rules")]
before = set(sys.modules)
sys.meta_path.insert(0, Doorkeeper())

import gamecore

names = [each.name for each in walk_packages(gamecore.__path__, "gamecore.")]
for name in [*names, *games]:
    import_module(name)
assert "gamecore.table" in names and "gamecore.games.nim" in games
came_along = {name.partition(".")[0] for name in set(sys.modules) - before}
assert not came_along & BARRED, came_along & BARRED
print(len(names))
"""


def test_gamecore_imports_where_neither_twisted_nor_a_store_can_be_imported():
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_EVERYTHING],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 10


def test_the_doorkeeper_would_notice_twisted():
    script = IMPORT_EVERYTHING.replace("import gamecore\n", "import twisted\n")
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=SECONDS
    )
    assert run.returncode == 1
    assert "twisted has no place in the card room" in run.stderr
