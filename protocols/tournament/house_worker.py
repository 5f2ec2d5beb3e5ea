"""A process that plays games of house bots: takes games by its standard input, gives results by its output.

The first line that comes in tells what is played, and by whom (``Plan.written``), each other one is a list of
games; each line that goes out is one result, as in ``games.jsonl``.  It ends when its input does, so it never
outlives the run that it works for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import BinaryIO

from gamecore.codec import Plain
from gamecore.record import build
from gamecore.rules import Registry, installed_rules
from protocols.tournament.games import Game
from protocols.tournament.games_file import write_line
from protocols.tournament.house_games import HouseBots
from protocols.tournament.plan import Plan, read_back


def work(plan: Plan, asked: Iterable[bytes], told: BinaryIO) -> None:
    """Play what is asked for until nothing more is."""
    bots = HouseBots(plan)
    for line in asked:
        games: list[Plain] = json.loads(line)
        for written in games:
            told.write(write_line(bots.play(build(Game, written))))
            told.flush()


def main() -> None:
    """Hear what is played, and by whom, and work."""
    plan = read_back(json.loads(sys.stdin.buffer.readline()), Registry(installed_rules()))
    work(plan, sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
