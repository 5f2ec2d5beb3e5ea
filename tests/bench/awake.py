"""
The memory of tables that are awake: games of chance moves through the Host, stopped in their midst.

    python -m tests.bench.awake [--tables 200] [--moves 40] [--only nim,castle]

The journal keeps nothing, and what players were told last is not counted: it is theirs.
"""

from __future__ import annotations

import argparse
import gc
import tracemalloc
from collections.abc import Sequence
from random import Random

from twisted.internet.task import Clock

from gamecore.hall import Hall
from gamecore.record import Record
from gamecore.rules import Registry, installed_rules
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal

from .report import table
from .whole_games import Party, settle

HEAD = ("game", "tables", "KB a table")


class Forgetful(MemoryJournal):
    """A journal that keeps nothing at all."""

    def _keep(self, batch: Sequence[Record]) -> None:
        self.pending -= len(batch)


def play(host: Host, clock: Clock, kind: str, tables: int, moves: int, chance: Random) -> object:
    """Play so many moves at each of so many tables; gives what keeps them awake."""
    parties = [Party(host, kind) for _ in range(tables)]
    for _ in range(moves):
        for party in parties:
            party.move(chance)
        settle(clock)
    for party in parties:
        party.forget_turns()
    return parties


def measure(kind: str, tables: int = 200, moves: int = 40) -> float:
    """Say how many bytes a table of a game takes."""
    clock, chance = Clock(), Random(1)
    hall = Hall(Registry(installed_rules()))
    host = Host(hall, Forgetful(clock), clock, lambda: 1e9, chance)
    first = play(host, clock, kind, 20, moves, chance)  # much is only loaded once
    gc.collect()
    tracemalloc.start()
    more = play(host, clock, kind, tables, moves, chance)
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del first, more
    return taken / tables


def main() -> None:
    """Measure the games that are named, or all."""
    options = argparse.ArgumentParser(description="Measure the memory of tables that are awake.")
    options.add_argument("--tables", type=int, default=200)
    options.add_argument("--moves", type=int, default=40)
    known = [rules.kind for rules in installed_rules()]
    options.add_argument("--only", type=lambda text: text.split(","), default=known)
    given = options.parse_args()
    rows = [
        (kind, str(given.tables), f"{measure(kind, given.tables, given.moves) / 1e3:.1f}")
        for kind in given.only
    ]
    print(table(HEAD, rows))


if __name__ == "__main__":
    main()
