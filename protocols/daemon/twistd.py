"""``twistd parlour``: the daemon, whose start either succeeds or says in one line why it cannot."""

from __future__ import annotations

import signal
import sys
from typing import Any

from twisted.application.service import MultiService
from twisted.internet.error import CannotListenError
from twisted.logger import Logger
from twisted.python import usage

from protocols.daemon import options
from protocols.daemon.service import makeService as make_parlour

__all__ = ["Options", "makeService"]


class Options(options.Options):
    """The daemon's options, that say in one line what is wrong with them."""

    def parseOptions(self, arguments: list[str] | None = None) -> None:
        """Read the command line; ends the process with status 2 if it cannot be understood."""
        try:
            super().parseOptions(arguments)
        except usage.UsageError as problem:
            print(f"twistd parlour: {problem} (see twistd parlour --help)", file=sys.stderr)
            raise SystemExit(2) from None


class Process(MultiService):
    """What the daemon is to its process: one line if it cannot start, status 0 if it was asked to end."""

    _log = Logger()

    def __init__(self, reactor: Any) -> None:
        super().__init__()
        self._reactor = reactor

    def privilegedStartService(self) -> None:
        """Open the doors."""
        try:
            super().privilegedStartService()
        except (CannotListenError, OSError) as problem:
            self._log.error("parlour: {problem}", problem=problem)
            raise SystemExit(1) from None

    def startService(self) -> None:
        """Start all else, and listen for the signals that end it."""
        super().startService()
        self._reactor.callLater(0, self._take_signals)  # behind the reactor, which sets its own

    def _take_signals(self) -> None:
        """End on a signal like anything that has done its work: twistd would die of the signal itself."""
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, lambda number, frame: self._reactor.callFromThread(self._end))

    def _end(self) -> None:
        if self.running and self._reactor.running:
            self._log.info("asked to end")
            self._reactor.stop()


def makeService(options: Options) -> MultiService:
    """Build the service that twistd runs."""
    from twisted.internet import reactor

    process = Process(reactor)
    make_parlour(options).setServiceParent(process)
    return process
