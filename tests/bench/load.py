"""
The load: one process that plays all games at once, as fast as they are answered.

    python -m tests.bench.load PORT --wire nim|lobby|json|echo --games G --seconds S
                               [--server GROUP] [--core C]

Each player moves as soon as it has read the opponent's move, so there is always one move under way
in every game.  What was measured is printed as one JSON object.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import select
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from .links import MANNERS, Broken, Link, Note
from .seating import seated

WARM_UP = 0.5
PATIENCE = 3.0  # when nobody is answered for so long, the server is stuck


def drive(poll: select.epoll, links: dict[int, Link], until: float, note: Note) -> None:
    """Let everyone move until the time has come."""
    while perf_counter() < until:
        events = poll.poll(PATIENCE)
        if not events:
            raise Broken(f"no answer for {PATIENCE:g} s")
        for descriptor, _ in events:
            links[descriptor].hear(note)


def find_stuck(links: Sequence[Link], began: float) -> None:
    """Make sure that no game stood still while the others went on."""
    stuck = sum(link.sent_at < began for link in links)
    if stuck:
        raise Broken(f"{stuck} of {len(links)} connections never came to move")


def group_cpu(group: int) -> float:
    """Add up the processor seconds of all processes in a group, a journal's writer included."""
    return _cpu_where(2, group)


def children_cpu(parent: int) -> float:
    """Add up the processor seconds of the children of a process: the back ends of a database."""
    return _cpu_where(1, parent)


def _cpu_where(column: int, value: int) -> float:
    """Add up the processor seconds of the processes in whose state (proc(5), behind the name) this stands."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended while we looked
            continue
        if int(fields[column]) == value:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], percent: float) -> float:
    """Give the least value that at least so many percent of all values do not exceed."""
    rank = math.ceil(len(values) * percent / 100)
    return sorted(values)[max(rank, 1) - 1]


def measure(
    ports: Sequence[int],
    wire: str,
    games: int,
    seconds: float,
    server_cpu: Callable[[], float] | None,
    apart: bool = False,
) -> dict[str, float | None]:
    """Play, first to warm up and then in earnest, and say how it went; at which ports, as ``seated`` has it.

    ``server_cpu`` gives the processor seconds that the server has taken.
    """
    warm: list[float] = []
    taken: list[float] = []
    with seated(ports, wire, games, apart) as (everyone, first), select.epoll() as poll:
        links = {link.sock.fileno(): link for link in everyone}
        for link in everyone:
            link.sock.setblocking(False)
            poll.register(link.sock, select.EPOLLIN)
        # The server's processor time is read outside the measured time: reading it is slow.
        server_before = server_cpu() if server_cpu else 0.0
        for link in first:
            link.move()
        drive(poll, links, perf_counter() + WARM_UP, warm.append)
        began, worked = perf_counter(), process_time()
        drive(poll, links, began + seconds, taken.append)
        elapsed, worked = perf_counter() - began, process_time() - worked
        server_took = server_cpu() - server_before if server_cpu else 0.0
        find_stuck(everyone, began)
    return {
        "rate": len(taken) / elapsed,
        "p50": percentile(taken, 50),
        "p99": percentile(taken, 99),
        "load_share": worked / elapsed,
        "server_per_move": server_took / (len(warm) + len(taken)) if server_cpu else None,
    }


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Play many games at once, and measure.")
    parser.add_argument("port", type=int)
    parser.add_argument("--wire", choices=["nim", *MANNERS, "echo"], required=True)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--server", type=int, help="process group of the server")
    parser.add_argument("--core", type=int, help="the core to stay on")
    return parser.parse_args()


def main() -> None:
    """Measure one server; say what was wrong with it if it cannot be measured."""
    options = parse_options()
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})
    try:
        server_cpu = partial(group_cpu, options.server) if options.server else None
        figures = measure(
            *([options.port], options.wire, options.games, options.seconds, server_cpu)
        )
    except (Broken, OSError) as problem:
        raise SystemExit(str(problem)) from problem
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
