"""A process of a run's own that is asked in lines and answers in lines; it ends when its input does."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from twisted.internet.error import ProcessExitedAlready
from twisted.internet.interfaces import IProcessTransport
from twisted.internet.protocol import ProcessProtocol
from twisted.python.failure import Failure

_MOST_COMPLAINT = 2000  # bytes of what it says on standard error


class LineProcess(ProcessProtocol):
    """One process: ``told`` hears each line, ``failed`` what it complained of as it ended."""

    def __init__(self, told: Callable[[bytes], None], failed: Callable[[str], None]) -> None:
        self._told = told
        self._failed = failed
        self._begun = b""
        self._complaint = b""

    def ask(self, question: object) -> None:
        """Send it plain data, as a line of JSON."""
        cast(IProcessTransport, self.transport).write(json.dumps(question).encode() + b"\n")

    def stop(self) -> None:
        """End it."""
        with suppress(ProcessExitedAlready):
            cast(IProcessTransport, self.transport).signalProcess("KILL")

    def outReceived(self, data: bytes) -> None:
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._told(line)

    def errReceived(self, data: bytes) -> None:
        self._complaint = (self._complaint + data)[-_MOST_COMPLAINT:]

    def processEnded(self, reason: Failure) -> None:
        self._failed(self._complaint.decode(errors="replace") or str(reason.value))
