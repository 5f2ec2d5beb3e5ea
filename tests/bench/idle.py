"""
The memory of people who are there and do nothing: a daemon with thousands of visitors at one door.

    python -m tests.bench.idle [--visitors 5000] [--only lobby,json]

Each door has a daemon of its own, with its journal in memory.  At the doors of the whole hall every visitor has
asked for one thing and was answered; at a game's own door nobody has said a word, so that a deadline runs for
each; at the pages each connection has fetched one and stays open.  What the first visitors cost is not counted:
much of it is only loaded once.  The kernel's buffers are in none of these figures.
"""

from __future__ import annotations

import argparse
import os
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from attrs import frozen

from protocols.host.door import installed_doors

from .contenders import Contender, NoStart, Server, parlour, running
from .links import READ, Broken, allow_files
from .report import table
from .seating import connect

FIRST = 100
AN_ADDRESS = 250
SPARE_FILES = 200
PATIENCE = 20.0
HEAD = ("door", "visitors", "RSS MB before", "RSS MB", "KB a visitor")


@frozen
class Errand:
    """What a visitor asks for before it falls silent, and what its answer holds."""

    asks: bytes
    hears: bytes


ERRANDS: Mapping[str, Errand] = {
    "lobby": Errand(b"NAME\r\n", b"[hall]"),
    "json": Errand(b'{"do":"hello","id":1}\n', b'"ok":true'),
    "web": Errand(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"</html>"),
}
HOUSES = {"web": "[web]\nlink_file = none\n"}


@frozen
class Crowd:
    """How much memory a daemon needed with few and with many visitors, in bytes."""

    door: str
    visitors: int
    few: int
    many: int

    @property
    def each(self) -> float:
        """The bytes of one visitor."""
        return (self.many - self.few) / (self.visitors - FIRST)


def doors() -> list[str]:
    """Name all doors."""
    return [door.kind for door in installed_doors()]


def resident(process: int) -> int:
    """Say how many bytes of memory a process has."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "VmRSS":
            return int(value.split()[0]) * 1024
    raise Broken(f"process {process} says nothing of its memory")


def open_files(process: int) -> int:
    """Count the open files of a process, its connections among them."""
    return len(os.listdir(f"/proc/{process}/fd"))


def wait_for_files(process: int, wanted: int) -> None:
    """Return when a server has taken in all who came."""
    deadline = time.monotonic() + PATIENCE
    while open_files(process) < wanted:
        if time.monotonic() > deadline:
            missing = wanted - open_files(process)
            raise Broken(f"{missing} visitors were not let in, or sent away")
        time.sleep(0.02)


def ask(sock: socket.socket, errand: Errand) -> None:
    """Do an errand, and wait for the end of it."""
    sock.sendall(errand.asks)
    said = b""
    while errand.hears not in said:
        chunk = sock.recv(READ)
        if not chunk:
            raise Broken(f"a visitor was sent away: {said.decode(errors='replace').strip()}")
        said += chunk


def come(server: Server, numbers: Iterable[int], errand: Errand | None, stack: ExitStack) -> None:
    """Let visitors come, one after the other."""
    for number in numbers:
        sock = stack.enter_context(connect(server.port, number // AN_ADDRESS))
        if errand is not None:
            ask(sock, errand)


def measure(door: str, visitors: int) -> Crowd:
    """Start a daemon with one door, and fill it."""
    allow_files(visitors + SPARE_FILES)
    command = parlour("memory", door, HOUSES.get(door, ""))
    errand = ERRANDS.get(door)
    with running(Contender(door, door, command), None) as server, ExitStack() as stack:
        process = server.process.pid
        before = open_files(process) - 1  # the call that found the port open may still be there
        come(server, range(FIRST), errand, stack)
        wait_for_files(process, before + FIRST)
        few = resident(process)
        come(server, range(FIRST, visitors), errand, stack)
        wait_for_files(process, before + visitors)
        return Crowd(door, visitors, few, resident(process))


def show(crowds: Sequence[Crowd]) -> str:
    """Show what was measured."""
    body = [
        (
            crowd.door,
            str(crowd.visitors),
            f"{crowd.few / 1e6:.1f}",
            f"{crowd.many / 1e6:.1f}",
            f"{crowd.each / 1e3:.2f}",
        )
        for crowd in crowds
    ]
    return table(HEAD, body)


def measure_all(kinds: Sequence[str], visitors: int) -> tuple[list[Crowd], list[str]]:
    """Fill one door after another; say also which could not be filled, and why."""
    crowds, failed = [], []
    for kind in kinds:
        try:
            crowds.append(measure(kind, visitors))
        except (Broken, NoStart, OSError) as problem:
            failed.append(f"{kind}: {problem}")
    return crowds, failed


def main() -> int:
    """Fill the doors that are named."""
    options = argparse.ArgumentParser(description="Measure the memory of idle visitors.")
    options.add_argument("--visitors", type=int, default=5000)
    options.add_argument("--only", type=lambda text: text.split(","), default=doors())
    given = options.parse_args()
    crowds, failed = measure_all(given.only, max(given.visitors, FIRST + 1))
    print(show(crowds))
    for problem in failed:
        print(problem)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
