"""A daemon under test: one journal, its own ports, and as many processes after each other as are killed."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from protocols.host.door import installed_doors
from tests.daemons.wall import HOUR, hang, lasted
from tests.daemons.wrong import Wrong
from tests.doors import shut
from tests.ports import free_port
from tests.processes import start

ROOT = Path(__file__).parents[2]
SECONDS = 30  # for the daemon to end
# What may be said at length and is no bug: a table was looked up when the writer was killed, or the daemon was
# killed before it had told its writer anything.
WRITER_GONE = (
    "the journal is lost: the journal's writer is gone",
    "the journal's writer did not start: process",  # it was killed before it had the journal
)
# No house lives as long in a trial as it keeps a table that rests or has ended.
_FORGOTTEN = re.compile(r".*(given up|are forgotten)")


class Daemon:
    """Starts a daemon with some doors, ends it this way or that, and keeps what it says and when it died."""

    def __init__(
        self,
        folder: Path,
        doors: Sequence[str],
        ini: str,
        journal: str | None = None,
        more: Sequence[str] = (),
    ) -> None:
        """``more`` are other options of the daemon's."""
        self.journal = journal or str(folder / "parlour.db")
        self.door = doors[0]
        self.addresses = {door: ("127.0.0.1", free_port()) for door in doors}
        self.wall = hang(folder / "clock")
        self.deaths: list[float] = []  # seconds of the trial until each process was seen to be gone
        self.bound = False  # connections are taken, at least by the system
        self.open = False
        self.lines = 0  # that this process has said
        self._title = next(each.title for each in installed_doors() if each.kind == self.door)
        self._said: list[str] = []
        self._rest = b""
        self._voice = -1
        self._process: subprocess.Popen[bytes] | None = None
        config = folder / "parlour.ini"
        config.write_text(ini)
        self._began = time.monotonic()
        self._command = [sys.executable, "-m", "tests.daemons.launcher", str(folder / "clock")]
        self._command += ["--nodaemon", "--pidfile=", "parlour"]
        self._command += ["--config", str(config), "--journal", self.journal]
        for door, address in self.addresses.items():
            self._command += [f"--{door}", "tcp:{1}:interface={0}".format(*address)]
        self._command += [*shut(*doors), "--discovery", "off", *more]

    @property
    def address(self) -> tuple[str, int]:
        """Where its first door is."""
        return self.addresses[self.door]

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

    @property
    def last_words(self) -> str:
        """All that the process has said that runs now, or ran last."""
        return "".join(self._said[-self.lines :])

    def check_log(self) -> None:
        """Check that no bug has shown itself, and that nothing was forgotten."""
        found = self.log.split("Traceback")[1:]
        if found:
            raise Wrong(f"there is a traceback in the log: {found[0][:4000]}")
        forgotten = _FORGOTTEN.search(self.log)
        if forgotten:
            raise Wrong(f"something was forgotten: {forgotten[0]}")

    def start(self) -> None:
        """Start a process on the same journal and port."""
        self.bound = self.open = False
        self.lines = 0
        self._process = start(
            self._command,
            cwd=ROOT,
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
        self.bound = self.bound or f"{self._title} at" in line
        self.open = self.open or "Parlour is open" in line

    # -- the end of a process ---------------------------------------------------------

    @property
    def writer(self) -> int | None:
        """The process that writes the journal, if it is there."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return int(children[0]) if children else None

    def kill(self) -> None:
        """End the process in the middle of whatever it does."""
        self.process.kill()
        self.see_out()

    def kill_writer(self) -> bool:
        """End the process that writes the journal, and no other; False if it is not there."""
        writer = self.writer
        if writer is not None:
            os.kill(writer, signal.SIGKILL)
        return writer is not None

    def terminate(self) -> None:
        """Ask the process to end, and do not wait for it."""
        self.process.send_signal(signal.SIGTERM)

    def see_out(self) -> int:
        """Wait until the process is gone, hear its last words, and give its exit status."""
        status = self.process.wait(SECONDS)
        self.deaths.append(lasted(self.wall.time()))
        if time.monotonic() - self._began > HOUR:
            raise Wrong("the trial has lasted an hour, and its clock can be read no more")
        while self.hear():  # until its writer is gone too
            if not select.select([self._voice], [], [], SECONDS)[0]:
                raise Wrong("the writer of the journal has outlived its daemon")
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def see_out_without_writer(self) -> None:
        """Check how the process ends that has lost its writer: with a status, and a word in the log."""
        status = self.see_out()
        if status != 1 or not any(word in self.last_words for word in WRITER_GONE):
            raise Wrong(
                f"without its writer the daemon ended with status {status}: {self.last_words}"
            )

    def close(self) -> None:
        """End whatever still runs."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
