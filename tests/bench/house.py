"""
What a house of two daemons costs beside one daemon, on one PostgreSQL, in one run.

    python -m tests.bench.house [--games 20] [--seconds 4] [--rounds 3]

``one`` daemon has all tables; ``two`` linked ones have half of them each; ``apart``, each table has one player
at either of them, so that every move goes over their link. Played is Nim over JSON lines. The processor seconds are
those of daemons, writers and database, without the players.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median

from tests import postgres

from .contenders import HOUSE, Contender, Server, database, parlour, running
from .load import children_cpu, group_cpu, measure
from .report import ratio, table

ARRANGEMENTS = ("one", "two", "apart")
LINK = ("--link", "tcp:0:interface=127.0.0.1")
HEAD = ("house", "moves/s", "p50 ms", "p50/one", "cpu us/move", "cpu/one")


@contextmanager
def house(arrangement: str) -> Iterator[Sequence[Server]]:
    """Run the daemons of a house, which are linked where they are two."""
    journal = postgres.new_journal(database().url)
    count, more = (1, ()) if arrangement == "one" else (2, LINK)
    with ExitStack() as stack:
        command = parlour(journal, "json", HOUSE, *more)
        servers = [
            stack.enter_context(running(Contender(arrangement, "json", command), None))
            for _ in range(count)
        ]
        if count > 1:
            servers[-1].await_words("linked to run")
        yield servers


def play(arrangement: str, games: int, seconds: float) -> tuple[float, float, float]:
    """Measure a house; gives moves a second, the median of a move, and processor seconds a move."""
    with house(arrangement) as servers:

        def cpu() -> float:
            daemons = sum(group_cpu(each.process.pid) for each in servers)
            return daemons + children_cpu(database().pid)

        ports = [each.port for each in servers]
        figures = measure(ports, "json", games, seconds, cpu, arrangement == "apart")
    assert figures["server_per_move"] is not None
    assert figures["rate"] is not None and figures["p50"] is not None
    return figures["rate"], figures["p50"], figures["server_per_move"]


def show(rounds: Sequence[dict[str, tuple[float, float, float]]]) -> str:
    """Show the medians of some rounds, and how they stand to those of one daemon."""
    middles = {
        name: [median(figures) for figures in zip(*(each[name] for each in rounds), strict=True)]
        for name in ARRANGEMENTS
    }
    _, one_p50, one_cpu = middles["one"]
    rows = [
        (
            *(name, f"{rate:.0f}", f"{p50 * 1e3:.2f}", ratio(p50, one_p50)),
            *(f"{cpu * 1e6:.0f}", ratio(cpu, one_cpu)),
        )
        for name, (rate, p50, cpu) in middles.items()
    ]
    return table(HEAD, rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure two linked daemons beside one.")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rounds = [
        {name: play(name, options.games, options.seconds) for name in ARRANGEMENTS}
        for _ in range(options.rounds)
    ]
    print(show(rounds))


if __name__ == "__main__":
    main()
