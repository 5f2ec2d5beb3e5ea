"""The real daemon as a process, on ports of its own choosing on loopback."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TypeVar

import pytest
from attrs import Factory, define

from tests.doors import TITLES, opened
from tests.patience import SECONDS
from tests.ports import free_port
from tests.processes import BIN, start

T = TypeVar("T")
D = TypeVar("D", bound="Daemon")


@define
class Daemon:
    """One running ``twistd parlour``: where it is, and what it has said so far."""

    process: subprocess.Popen[str]
    said: list[str]
    ports: dict[str, int] = Factory(dict)  # by the kind of the door, or metrics
    discovery: int = 0

    @property
    def nim(self) -> int:
        """The port of Expanding Nim's own wire."""
        return self.ports["nim"]

    def wait_until_open(self) -> None:
        """Read what it says until it is open, and learn its ports."""
        self.wait_until("Parlour is open")

    def wait_until(self, text: str) -> None:
        """Read what it says until it says this, and learn its ports."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"\] (.*) at \S+ \(port (\d+)\)", line):
                self.ports[TITLES.get(found[1], found[1].lower())] = int(found[2])
            if found := re.search(r"on UDP port (\d+)", line):
                self.discovery = int(found[1])
            if text in line:
                return
        raise AssertionError("".join(self.said))

    def stop(self) -> int:
        """End it as systemd would, and give its exit status."""
        self.process.terminate()
        rest, _ = self.process.communicate(timeout=SECONDS)
        self.said.append(rest)
        return self.process.returncode

    @property
    def log(self) -> str:
        """All that it has said."""
        return "".join(self.said)


def launch(*options: str, cwd: Path, kind: type[D] = Daemon) -> D:
    """Start a daemon; it is not open yet."""
    command = [str(BIN / "twistd"), "--nodaemon", "--pidfile=", "parlour", *options]
    process = start(
        command,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return kind(process, [])


@pytest.fixture
def start_daemon(tmp_path: Path) -> Iterator[Callable[..., Daemon]]:
    """Start daemons on free ports; each must end well, without a traceback."""
    started: list[Daemon] = []

    def open_house(
        *options: str, ini: str = "", discovery: str = "off", journal: str = "memory"
    ) -> Daemon:
        config = tmp_path / f"{len(started)}.ini"
        config.write_text(ini)
        ports = [*opened(), "--discovery", discovery]
        keeps = ["--journal", journal]
        daemon = launch("--config", str(config), *ports, *keeps, *options, cwd=tmp_path)
        started.append(daemon)
        daemon.wait_until_open()
        return daemon

    yield open_house
    for daemon in started:
        status = daemon.stop() if daemon.process.poll() is None else daemon.process.returncode
        assert daemon.process.stdout is not None
        daemon.process.stdout.close()
        assert "Traceback" not in daemon.log, daemon.log
        assert status == 0, daemon.log


@pytest.fixture
def bin_dir() -> Path:
    """Where the commands of Parlour and Twisted are."""
    return BIN


@pytest.fixture
def free_udp_port() -> int:
    """Find a UDP port that nobody has."""
    return free_port()


@pytest.fixture
def clients() -> Iterator[Callable[[AbstractContextManager[T]], T]]:
    """Close all clients before the daemon ends."""
    with ExitStack() as stack:
        yield stack.enter_context
