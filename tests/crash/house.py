"""The daemon under test: one journal, one port, and as many processes after each other as are killed."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.doors import shut

BIN = Path(sys.executable).parent
SECONDS = 30  # for the daemon to end
_PORTS = range(20_000, 32_000)  # below those that the system gives out to others meanwhile


def free_port() -> int:
    """Find a TCP port on loopback that nobody has."""
    for port in random.SystemRandom().sample(_PORTS, 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")


class House:
    """Starts the daemon, ends it this way or that, and keeps what it says and when it died."""

    def __init__(self, folder: Path, ini: str) -> None:
        self.journal = folder / "parlour.db"
        self.address = ("127.0.0.1", free_port())
        self.deaths: list[float] = []  # in wall time, once each process was seen to be gone
        self.bound = False  # connections are taken, at least by the system
        self.open = False
        self.lines = 0  # that this process has said
        self._said: list[str] = []
        self._rest = b""
        self._voice = -1
        self._process: subprocess.Popen[bytes] | None = None
        config = folder / "parlour.ini"
        config.write_text(ini)
        self._command = [str(BIN / "twistd"), "--nodaemon", "--pidfile=", "parlour"]
        self._command += ["--config", str(config), "--journal", str(self.journal)]
        self._command += ["--nim", "tcp:{1}:interface={0}".format(*self.address)]
        self._command += [*shut("nim"), "--discovery", "off"]
        self._folder = folder

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process that runs now, or ran last."""
        assert self._process is not None
        return self._process

    @property
    def voice(self) -> int:
        """The descriptor of what the process says."""
        return self._voice

    @property
    def log(self) -> str:
        """All that any of the processes has said."""
        return "".join(self._said)

    def start(self) -> None:
        """Start a process on the same journal and port."""
        self.bound = self.open = False
        self.lines = 0
        self._process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        self._voice = self._process.stdout.fileno()
        os.set_blocking(self._voice, False)

    def hear(self) -> bool:
        """Take in what the process has said; False once it will say no more."""
        try:
            data = os.read(self._voice, 65536)
        except BlockingIOError:
            return True
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._note(line.decode(errors="replace"))
        return bool(data)

    def _note(self, line: str) -> None:
        self.lines += 1
        self._said.append(line + "\n")
        self.bound = self.bound or "Expanding Nim at" in line
        self.open = self.open or "Parlour is open" in line

    def kill(self) -> None:
        """End the process in the middle of whatever it does."""
        self.process.kill()
        self.see_out()

    def terminate(self) -> None:
        """Ask the process to end, and do not wait for it."""
        self.process.send_signal(signal.SIGTERM)

    def see_out(self) -> int:
        """Wait until the process is gone, hear its last words, and give its exit status."""
        status = self.process.wait(SECONDS)
        self.deaths.append(time.time())
        while self.hear():
            pass
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def close(self) -> None:
        """End whatever still runs."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
