"""One daemon of a house: its processes, one after the other, and whether each ended as it should."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tests.daemons.daemon import WRITER_GONE, Daemon
from tests.daemons.wrong import Wrong
from tests.relay import Relay

_FENCED = "another daemon has taken over the journal"
_NO_DATABASE = ("cannot be used", "connection failed")  # at its start, and before it has read all
_UNTOLD = "nobody was told"  # of commands that were not in the journal at the end
_AGAIN = 0.3  # seconds before one that ended by itself is started again, as by systemd
_AFTER_TROUBLE = (
    15.0  # seconds in which a daemon that was stopped, or had no database, may be declared dead
)


class Node:
    """Starts a daemon, does things to it, and starts it again when it is gone and wanted."""

    def __init__(
        self, daemon: Daemon, has_database: Callable[[], bool], relay: Relay | None = None
    ) -> None:
        """``relay`` is what the others reach it through, where daemons are linked."""
        self.daemon = daemon
        self.relay = relay
        self._has_database = has_database
        self.running = False
        self.stopped: Sequence[int] = ()
        self.fenced = 0
        self.troubled_at = float("-inf")  # when it last stood still, or the database was away
        self._wanted = False
        self._due: float | None = None  # when it is started, None if that waits for something
        self._expected: Sequence[str] | None = None  # how it was made to end

    @property
    def up(self) -> bool:
        """Whether it serves, and nothing was done to it that is not mended."""
        return self.running and self.daemon.open and not self.stopped and self._expected is None

    # -- what is done to it -----------------------------------------------------------

    def launch(self) -> None:
        """Start it, once the process before is gone."""
        self._wanted, self._due = True, time.monotonic()

    def kill(self) -> None:
        """End the daemon in the middle of whatever it does."""
        self._expected = ("killed",)
        self.daemon.process.kill()

    def kill_writer(self) -> bool:
        """End the process that writes the journal; False if it is not there."""
        if not self.daemon.kill_writer():
            return False
        self._expected = WRITER_GONE
        return True

    def terminate(self) -> None:
        """Ask the daemon to end."""
        self._expected = ("terminated",)
        self._wanted = False
        self.daemon.terminate()

    def pids(self) -> list[int]:
        """Give the daemon's process, and then its children's."""
        pid = self.daemon.process.pid
        with suppress(OSError):
            return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        return [pid]

    def stop(self, pids: Sequence[int]) -> None:
        """Let some of its processes stand still."""
        self.stopped = pids
        _send(pids, signal.SIGSTOP)

    def cont(self) -> None:
        """Let them go on."""
        _send(self.stopped, signal.SIGCONT)
        self.stopped = ()
        self.troubled_at = time.monotonic()

    # -- its life ---------------------------------------------------------------------

    @property
    def voice(self) -> int:
        """The descriptor of what it says."""
        return self.daemon.voice

    def start_if_due(self) -> bool:
        """Start it if it is gone and it is time, and say whether it was."""
        if self.running or not self._wanted or self._due is None or time.monotonic() < self._due:
            return False
        self._due, self._expected = None, None
        self.daemon.start()
        self.running = True
        return True

    def hear(self) -> bool:
        """Take in what it says; False once it is gone, which was as it should be."""
        if self.daemon.hear():
            return True
        status = self.daemon.see_out()
        self.running = False
        self._check_end(status)
        if self._expected is None:
            self._due = time.monotonic() + _AGAIN
        return False

    def _check_end(self, status: int) -> None:
        """Check that it ended as it was made to, or because another had declared it dead, with reason."""
        words = self.daemon.last_words
        expected = self._expected or ()
        if expected == ("killed",) and status == -signal.SIGKILL:
            return
        if expected == ("terminated",) and (status == 0 or _UNTOLD in words):
            return
        if expected and status == 1 and any(each in words for each in expected):
            return
        recently = time.monotonic() < self.troubled_at + _AFTER_TROUBLE or not self._has_database()
        if status == 1 and _FENCED in words and (recently or self.stopped):
            self.fenced += 1
            return
        refused = any(each in words for each in _NO_DATABASE)
        if status == 1 and refused and not self.daemon.open and recently:
            return
        raise Wrong(f"a daemon ended with status {status}, to which {expected} was done: {words}")

    def close(self) -> None:
        """End whatever still runs."""
        _send(self.stopped, signal.SIGCONT)
        self.daemon.close()
        if self.relay is not None:
            self.relay.close()


def _send(pids: Sequence[int], what: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, what)
