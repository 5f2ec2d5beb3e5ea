"""What signals say to the daemon: to end, or to open its log anew and read its file again.

SIGTERM and SIGINT end it. SIGHUP is what logrotate and ``systemctl reload`` send, and so does a terminal that
is closed: then it ends as well. SIGUSR1 and SIGUSR2 are noted and do nothing, but that twistd turns the pages of
a log file that it writes at SIGUSR1.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

from twisted.logger import Logger
from twisted.python.logfile import BaseLogFile

_TERMINAL = "/dev/tty"


class Signals:
    """Hands each signal to the reactor: ``end`` is called to end, ``reread`` to read the file again."""

    _log = Logger()

    def __init__(self, reactor: Any, end: Callable[[], None], reread: Callable[[], None]) -> None:
        self._reactor = reactor
        self._end = end
        self._reread = reread
        self._had_terminal = _has_terminal()
        self._log_files: list[BaseLogFile] = []

    def take_harmless(self) -> None:
        """See that what is only meant to tell us something does not kill us; what is ignored or taken stays so."""
        # As twistd tells nobody which file it writes to; later they are out of the collector's sight.
        self._log_files = [each for each in gc.get_objects() if isinstance(each, BaseLogFile)]
        for number, heard in (
            (signal.SIGHUP, self._hung_up),
            (signal.SIGUSR1, self._noted),
            (signal.SIGUSR2, self._noted),
        ):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, self._in_turn(heard))

    def take_endings(self) -> None:
        """End like anything that has done its work: twistd would die of the signal itself."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._in_turn(self._end))

    def _in_turn(self, do: Callable[[], None]) -> Callable[[int, FrameType | None], object]:
        return lambda number, frame: self._reactor.callFromThread(do)

    def _hung_up(self) -> None:
        if self._had_terminal and not _has_terminal():
            self._end()
            return
        for each in self._log_files:
            each.reopen()
        self._log.info("the log is opened anew")
        self._reread()

    def _noted(self) -> None:
        self._log.info("SIGUSR1 and SIGUSR2 mean nothing here")


def _has_terminal() -> bool:
    """Say whether there is a terminal that governs us, and that is still there."""
    try:
        os.close(os.open(_TERMINAL, os.O_RDONLY | os.O_NOCTTY))
    except OSError:
        return False
    return True
