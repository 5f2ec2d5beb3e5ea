"""The servers that are measured, each as a process of its own on a free port of loopback."""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen

from tests import postgres
from tests.doors import shut
from tests.ports import free_port

from .seating import HOST

ROOT = Path(__file__).parents[2]
TO_START = 15.0
_PR_SET_PDEATHSIG = 1
_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
TO_STOP = 5.0
HOUSE = """\
[nim]
stones = 1000000

[json]
requests_a_second = 1000000
requests_at_once = 1000000
"""

TWISTD = {"lobby": [sys.executable, "-m", f"{__package__}.unhurried"]}

Command = Callable[[int, Path], list[str]]


class NoStart(Exception):
    """A server did not open its port."""


@frozen
class Contender:
    """One server: what it is called, what it speaks, and how it is started."""

    name: str
    wire: str
    command: Command


@frozen
class Server:
    """A server that runs; it leads a process group of its own."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def await_words(self, words: str) -> None:
        """Return when the server has said this."""
        deadline = time.monotonic() + TO_START
        while words not in self.log.read_text(errors="replace"):
            if time.monotonic() > deadline:
                raise NoStart(self.last_words(1))
            time.sleep(0.02)

    def last_words(self, lines: int) -> str:
        """Give the end of what the server has printed."""
        said = self.log.read_text(errors="replace").strip().splitlines()
        return "\n".join(said[-lines:]) or "it said nothing"


def module(name: str, *more: str) -> Command:
    """Start a module of this package with the port and the names of new files as its arguments."""
    return lambda port, folder: [
        *(sys.executable, "-m", f"{__package__}.{name}", str(port)),
        *(str(folder / each) for each in more),
    ]


@cache
def database() -> postgres.Server:
    """Start a PostgreSQL, as big as it is by itself, on the disk where the files of SQLite are; it ends with us."""
    server = postgres.Server(room=None)
    atexit.register(server.remove)
    server.stop()
    server.start("shared_buffers=128MB", "max_wal_size=1GB")
    return server


def where(journal: str, folder: Path) -> str:
    """Say where a journal is: ``sqlite`` is a new file each time, ``postgres`` a new schema of a server of ours."""
    if journal == "sqlite":
        return str(folder / "parlour.db")
    if journal == "postgres":
        return postgres.new_journal(database().url)
    return journal


def parlour(journal: str, door: str = "nim", house: str = HOUSE, *more: str) -> Command:
    """Start the real daemon with one door and the journal given, or one of ``where``, perhaps with ``more`` said.

    ``house`` is its ini file: tables that last, and programs that may be fast.
    """

    def command(port: int, folder: Path) -> list[str]:
        config = folder / "parlour.ini"
        config.write_text(house)
        return [
            *TWISTD.get(door, [str(Path(sys.executable).with_name("twistd"))]),
            *("--nodaemon", "--pidfile=", "parlour"),
            *(f"--{door}", f"tcp:{port}:interface={HOST}"),
            *shut(door),
            *("--discovery", "off"),
            *("--journal", where(journal, folder)),
            *("--config", str(config)),
            *more,
        ]

    return command


def choose(names: Sequence[str], journals: Sequence[str]) -> list[Contender]:
    """List the contenders asked for; the daemon stands once for each journal."""
    known = {
        "spike": [Contender("spike", "nim", module("spike"))],
        "spike_sqlite": [Contender("spike sqlite", "nim", module("spike_sqlite", "spike.db"))],
        "parlour": [Contender(f"parlour {j}", "nim", parlour(j)) for j in journals],
        "lobby": [Contender(f"lobby {j}", "lobby", parlour(j, "lobby")) for j in journals],
        "json": [Contender(f"json {j}", "json", parlour(j, "json")) for j in journals],
        "echo": [Contender("echo", "echo", module("echo"))],
    }
    return [contender for name in names for contender in known[name]]


def wait_for_port(server: Server) -> None:
    """Return when the server accepts connections."""
    deadline = time.monotonic() + TO_START
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            raise NoStart(server.last_words(1))
        # From another address, since a socket that calls a free port may reach itself.
        with suppress(OSError):
            socket.create_connection((HOST, server.port), 1.0, ("127.0.0.2", 0)).close()
            return
        time.sleep(0.02)
    raise NoStart(f"its port was not open after {TO_START:g} s")


def start(command: Sequence[str], **how: Any) -> subprocess.Popen[Any]:
    """Start a process that is killed when whoever started it is gone, however that came about.

    What ends us is heard behind it: whatever a handler raises while a process forks is lost.
    """
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)

    def begin() -> None:
        if _LIBC is not None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)

    try:
        return subprocess.Popen(command, preexec_fn=begin, **how)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server and whatever it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(TO_STOP)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def running(contender: Contender, core: int | None) -> Iterator[Server]:
    """Run a server on one core for as long as it is needed."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        port = free_port()
        log = folder / "log"
        with log.open("wb") as out:
            process = start(
                contender.command(port, folder),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            if core is not None:
                with suppress(ProcessLookupError):  # wait_for_port will see that it is gone
                    os.sched_setaffinity(process.pid, {core})
            server = Server(process, port, log)
            wait_for_port(server)
            yield server
        finally:
            stop(process)
