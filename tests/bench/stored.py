"""
Measure a start with many stored tables beside an empty one, and newcomers in a full hall beside an empty one.

    python -m tests.bench.stored [--tables 50000] [--hall 10000] [--pairs 500] [--rounds 3]

The tables are opened at the door of JSON lines, and are stored by the daemon that opened them.  A start is timed
until its ports take connections, and until one who came at once and asked for the last of the tables has an
answer: then the daemon knows all that is stored.  Newcomers come to Nim's own door two by two, and cost the daemon
and its writer what is given in microseconds of the processor for two.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from attrs import frozen

from tests.doors import shut
from tests.ports import free_port

from .contenders import HOUSE, Contender, Server, running
from .report import table
from .seating import HOST, connect, read_until, seat_at_nim

A_BATCH = 500
A_ROUND = 50  # pairs of newcomers, before it is the other hall's turn
PATIENCE = 60.0  # seconds
_TURN = re.compile(r"turn (\S+) (\S+)$", re.MULTILINE)
TICK = os.sysconf("SC_CLK_TCK")
MANY = (
    HOUSE + "\n[admission]\ntables_a_minute = 100000000\ntables_at_once = 1000000\n"
    "tables_waiting = 1000000\nseats_at_once = 1000000\n"
)


@frozen
class Start:
    """Seconds until the ports were open and until all was known; milliseconds of the longest turn meanwhile."""

    ports: float
    answer: float
    found: bool
    turn_spent: float
    turn_lasted: float


@frozen
class Hall:
    """A daemon with the door of JSON lines, on the server's port, and Nim's own."""

    server: Server
    nim_port: int

    @property
    def spent(self) -> float:
        """Seconds of the processor that the daemon and its writer have had."""
        pid = self.server.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return sum(map(_spent, [pid, *map(int, children)]))


def _spent(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def open_hall(journal: Path | str) -> Iterator[Hall]:
    """Run a daemon whose turns are timed."""
    nim_port = free_port()

    def command(port: int, folder: Path) -> list[str]:
        config = folder / "parlour.ini"
        config.write_text(MANY)
        return [
            *(sys.executable, "-m", f"{__package__}.turns", "--nodaemon", "--pidfile=", "parlour"),
            *("--nim", f"tcp:{nim_port}:interface={HOST}"),
            *("--json", f"tcp:{port}:interface={HOST}"),
            *(*shut("nim", "json"), "--discovery", "off"),
            *("--journal", str(journal), "--config", str(config)),
        ]

    with running(Contender("hall", "json", command), None) as server:
        yield Hall(server, nim_port)


# -- asking ---------------------------------------------------------------------------


def ask(sock: socket.socket, requests: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Send requests, all at once, and wait for the reply to each."""
    lines = [json.dumps({"id": number, **each}) for number, each in enumerate(requests)]
    sock.sendall("".join(f"{line}\n" for line in lines).encode())
    said = read_until(sock, lambda data: data.count(b'"reply":') >= len(requests))
    return [each for each in map(json.loads, said.splitlines()) if "reply" in each]


def open_tables(hall: Hall, count: int) -> str:
    """Open so many tables of Nim with stones of their own, and give the code of the last."""
    code = ""
    with connect(hall.server.port) as sock:
        sock.settimeout(PATIENCE)
        for begin in range(0, count, A_BATCH):
            numbers = range(begin, min(begin + A_BATCH, count))
            stones = ({"stones": 100 + number % 1000} for number in numbers)
            replies = ask(sock, [{"do": "open", "game": "nim", "options": s} for s in stones])
            code = str(replies[-1]["table"])
    return code


# -- starts ---------------------------------------------------------------------------


def store(journal: Path, tables: int) -> str:
    """Store so many tables in a new journal, and give the code of the last."""
    with open_hall(journal) as hall:
        return open_tables(hall, tables) or "AAAAA"


def time_start(journal: Path, code: str) -> Start:
    """Start the daemon on a journal, and ask for a table before anybody else does."""
    began = time.perf_counter()
    with open_hall(journal) as hall:
        ports = time.perf_counter() - began
        with connect(hall.server.port) as sock:
            sock.settimeout(PATIENCE)
            (reply,) = ask(sock, [{"do": "watch", "table": code}])
            answer = time.perf_counter() - began
        spent, lasted = _TURN.findall(hall.server.log.read_text())[-1]
    return Start(ports, answer, bool(reply.get("ok")), float(spent), float(lasted))


def compare_starts(tables: int, rounds: int) -> str:
    """Time starts with so many tables and with none in turn, and show the medians, and the worst of the turns."""
    starts: dict[int, list[Start]] = {0: [], tables: []}
    with TemporaryDirectory() as folder:
        journals = {count: Path(folder) / f"{count}.db" for count in starts}
        codes = {count: store(journals[count], count) for count in starts}
        for _ in range(rounds):
            for count, some in starts.items():
                some.append(time_start(journals[count], codes[count]))
    rows = [_row(f"{count} stored", some) for count, some in starts.items()]
    few, many = (median(each.ports for each in some) for some in starts.values())
    head = ("start", "ports s", "answer s", "finds it", "turn ms, processor", "turn ms, clock")
    return f"{table(head, rows)}\nports, {tables} stored / none: {many / few:.2f}"


def _row(name: str, starts: Sequence[Start]) -> tuple[str, ...]:
    ports, answer = (
        median(values) for values in zip(*((s.ports, s.answer) for s in starts), strict=True)
    )
    found = "yes" if all(each.found for each in starts) else "no"
    spent = max(each.turn_spent for each in starts)
    lasted = max(each.turn_lasted for each in starts)
    return name, f"{ports:.2f}", f"{answer:.2f}", found, f"{spent:.1f}", f"{lasted:.1f}"


# -- newcomers ------------------------------------------------------------------------


def seat_newcomers(hall: Hall, first: int, pairs: int) -> float:
    """Let people come two by two, begin, and go; gives the seconds of the processor that it took."""
    before = hall.spent
    for game in range(first, first + pairs):
        socks = [connect(hall.nim_port, game // 40) for _ in "ab"]
        seat_at_nim(socks, game)
        for sock in socks:
            sock.close()
    return hall.spent - before


def compare_newcomers(tables: int, pairs: int) -> str:
    """Let newcomers come to a hall with so many tables and to an empty one in turn, and show what two cost."""
    with open_hall("memory") as empty, open_hall("memory") as crowded:
        open_tables(crowded, tables)
        spent: dict[str, float] = {"empty hall": 0.0, f"{tables} tables": 0.0}
        for first in range(0, pairs, A_ROUND):
            for name, hall in zip(spent, (empty, crowded), strict=True):
                spent[name] += seat_newcomers(hall, first, A_ROUND)
    rows = [(name, f"{1e6 * seconds / pairs:.0f}") for name, seconds in spent.items()]
    few, many = spent.values()
    return f"{table(('two newcomers in', 'us'), rows)}\n{tables} tables / none: {many / few:.2f}"


def main() -> None:
    """Measure both, and print them."""
    options = argparse.ArgumentParser(description="Measure a start with many stored tables.")
    options.add_argument("--tables", type=int, default=50_000)
    options.add_argument("--hall", type=int, default=10_000)
    options.add_argument("--pairs", type=int, default=500)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    print(compare_starts(given.tables, given.rounds), flush=True)
    print(compare_newcomers(given.hall, given.pairs))


if __name__ == "__main__":
    main()
