"""
Measure a start with many stored tables, and the rate of play beside them.

    python -m tests.bench.stored [--tables 10000] [--seconds 4]

Prints how long the daemon takes to let people in on a journal with that many live tables and with ten, and the
moves/s of a hundred games on each.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from gamecore.commands import Open, Play, Sit
from gamecore.games.nim import RULES, Take
from gamecore.hall import CODE_LETTERS
from gamecore.record import FIRST, Record, write_record
from gamecore.settings import plain_settings
from gamecore.table import Table
from gamecore.table_options import TableOptions
from protocols.journal.durable import rows_of
from protocols.journal.sqlite.lock import make_private
from protocols.journal.sqlite.store import SqliteStore

from .__main__ import load
from .contenders import Contender, parlour, running
from .report import Figures, table

FEW = 10
GAMES = 100
A_BATCH = 500
NOW = 1e9


def code_of(number: int) -> str:
    """Give each number a code of its own."""
    letters = []
    for _ in range(5):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    return "".join(letters)


def records_of(code: str, moves: int = 6) -> list[Record]:
    """Write the record of a game that stands in its middle."""
    house = {**plain_settings(TableOptions()), "absent": "wait"}
    options = plain_settings(RULES.options())
    opened = Open(code, RULES.kind, 1, 1, 1, "", "00" * 32, options, house)
    lively = Table(opened, RULES)
    commands = [Sit(0, "north", "hash"), Sit(1, "south", "hash")]
    commands += [Play(turn % 2, Take(1)) for turn in range(moves)]
    records = [write_record(code, 0, 0.0, NOW, opened, FIRST)]
    for command in commands:
        lively.apply(command, 1.0)
        previous = records[-1].hash
        records.append(write_record(code, lively.sequence, 1.0, NOW, command, previous))
    return records


def fill(path: str, tables: int) -> None:
    """Store so many live tables in a new journal."""
    make_private(path)
    store = SqliteStore(path)
    store.open()
    for begin in range(0, tables, A_BATCH):
        codes = [code_of(number) for number in range(begin, min(begin + A_BATCH, tables))]
        batch = [record for code in codes for record in records_of(code)]
        store.keep(rows_of(batch), {code: (RULES.kind, "playing", False, 0.0) for code in codes})
    store.close()


def measure(tables: int, seconds: float) -> tuple[float, Figures]:
    """Start the daemon on a journal with so many tables, and play beside them."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "parlour.db")
        fill(path, tables)
        contender = Contender(f"{tables} stored", "nim", parlour(path))
        began = time.perf_counter()
        with running(contender, None) as server:
            while b"Parlour is open" not in server.log.read_bytes():
                time.sleep(0.01)
            opened = time.perf_counter() - began
            return opened, load(contender, server, GAMES, seconds, None)


def main() -> None:
    """Measure few and many, and print both."""
    options = argparse.ArgumentParser(description="Measure a start with many stored tables.")
    options.add_argument("--tables", type=int, default=10_000)
    options.add_argument("--seconds", type=float, default=4.0)
    given = options.parse_args()
    rows = []
    for tables in (FEW, given.tables):
        opened, figures = measure(tables, given.seconds)
        rows.append((figures.contender, f"{opened:.2f}", f"{figures.rate:.0f}"))
    print(table(("journal", "lets people in after s", "moves/s"), rows))


if __name__ == "__main__":
    main()
