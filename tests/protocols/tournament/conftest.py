"""Tournaments written as files, and run as a class would run them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from gamecore.rules import Registry, installed_rules
from protocols.tournament.plan import Plan
from protocols.tournament.plan_file import read_plan
from tests.patience import SECONDS
from tests.processes import run

REGISTRY = Registry(installed_rules())


class Desk:
    """A folder with a tournament in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "night.ini"
        self.run_folder = folder / "night.run"

    def write(self, text: str, **programs: str) -> None:
        self.file.write_text(dedent(text))
        for name, source in programs.items():
            (self.folder / f"{name}.py").write_text(dedent(source))

    def plan(self) -> Plan:
        return read_plan(self.file, REGISTRY)

    def command(self, *more: str) -> list[str]:
        folder = ["-o", str(self.run_folder)]
        return [
            sys.executable,
            "-m",
            "protocols.cli.main",
            "tournament",
            "run",
            str(self.file),
            *folder,
            *more,
        ]

    def run(self, *more: str) -> subprocess.CompletedProcess[str]:
        return run(
            self.command(*more), capture_output=True, text=True, timeout=4 * SECONDS, check=False
        )

    @property
    def games(self) -> bytes:
        return (self.run_folder / "games.jsonl").read_bytes()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def house(bots: Mapping[str, str], **settings: object) -> str:
    """Write a tournament of house bots, by name; behind a level may stand how many playouts it takes."""
    lines = ["[tournament]", *(f"{name} = {value}" for name, value in settings.items())]
    for name, level in bots.items():
        level, *playouts = level.split()
        lines += [f"[bot {name}]", f"level = {level}"]
        lines += [f"playouts = {each}" for each in playouts]
    return "\n".join(lines) + "\n"
