"""Agents that learn: the worked example learns, and then sits at a table and in a tournament."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]
AGENTS = ROOT / "etc" / "agents"
_SHARES = re.compile(r"after (\d+) games it wins (\d+)% against random, (\d+)% against regret")


def run(*words: object, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=4 * SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> tuple[Path, str]:
    """Let the example learn for a little, and give its folder, and what it said."""
    pytest.importorskip("pettingzoo")
    pytest.importorskip("pyspiel")
    folder = tmp_path_factory.mktemp("agents")
    short = ("--games", 600, "--trials", 60, "--checks", 2)
    said = run(
        AGENTS / "gops.py", *short, "--picture", "gops.svg", "--weights", "gops.npz", cwd=folder
    )
    return folder, said


def test_it_learns_to_win(learned):
    folder, said = learned
    shares = [tuple(map(int, each)) for each in _SHARES.findall(said)]
    assert [games for games, _, _ in shares] == [0, 300, 600]
    assert shares[-1][1] > shares[0][1] + 10
    picture = (folder / "gops.svg").read_text()
    assert picture.count("<polyline") == 2
    assert "600 games" in picture


def test_what_it_learned_sits_at_a_table(learned, start_daemon):
    folder, _ = learned
    daemon = start_daemon()
    said = run(AGENTS / "sit.py", "gops.npz", "127.0.0.1", daemon.ports["json"], cwd=folder)
    assert re.fullmatch(r"places: [12] [12]\n", said)


def test_what_it_learned_is_an_entrant_of_a_tournament(learned):
    folder, _ = learned
    (folder / "night.ini").write_text(
        "[tournament]\ngame = gops\nformat = roundrobin\ngames = 4\nseed = 3\n"
        "cards = 4\nties = discard\n"
        f"[bot learned]\nrun = {sys.executable} {AGENTS / 'sit.py'} gops.npz\nspeaks = json\n"
        "[bot lucky]\nlevel = random\n"
    )
    run("-m", "protocols.cli.main", "tournament", "run", "night.ini", "-o", "night", cwd=folder)
    lines = (folder / "night" / "games.jsonl").read_text().splitlines()
    games = [json.loads(line) for line in lines]
    assert len(games) == 4
    assert {game["outcome"] for game in games} == {"points"}
