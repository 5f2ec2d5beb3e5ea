"""The class of twelve that is given along: all of them play by the rules, in whatever language."""

from __future__ import annotations

import shutil
import sys
from collections import Counter

import pytest

from protocols.tournament.games_file import read_line
from protocols.tournament.plan_file import read_plan
from tests.docs.blocks import ROOT
from tests.patience import SECONDS
from tests.processes import run

from .conftest import REGISTRY

CLASS = ROOT / "etc" / "tournaments" / "nim_class.ini"
LANGUAGES = {"bash", "awk", "perl", "node", "tclsh", "{python}"}


def test_the_class_is_of_twelve_in_six_languages():
    plan = read_plan(CLASS, REGISTRY)
    assert len(plan.entrants) == 12
    assert {each.run.split()[0] for each in plan.entrants} == LANGUAGES
    assert {each.speaks for each in plan.entrants} == {"pipe", "json", "nim"}


@pytest.mark.skipif(
    not all(map(shutil.which, LANGUAGES - {"{python}"})), reason="not all languages are here"
)
def test_all_of_them_play(tmp_path):
    folder = tmp_path / "class"
    shutil.copytree(CLASS.parent, folder)
    file = folder / CLASS.name
    file.write_text(
        file.read_text().replace("roundrobin ", "swiss ").replace("games = 4", "games = 2")
    )
    command = [sys.executable, "-m", "protocols.cli.main", "tournament", "run", str(file)]
    ended = run(command, capture_output=True, text=True, timeout=2 * SECONDS, cwd=ROOT, check=False)
    assert ended.returncode == 0, ended.stderr
    results = [
        read_line(line) for line in (folder / "nim_class.run/games.jsonl").read_bytes().splitlines()
    ]
    assert len(results) == 6 * 2 * 5  # five rounds of six pairings
    assert Counter((each.reason, each.outcome) for each in results) == {
        ("played", "last-stone"): 60
    }
