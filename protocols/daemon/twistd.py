"""``twistd parlour``: the daemon, whose start either succeeds or says in one line why it cannot."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from twisted.application.service import MultiService, Service
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.error import CannotListenError
from twisted.logger import Logger
from twisted.python import usage
from twisted.python.failure import Failure

from protocols.daemon import options
from protocols.daemon.fair_poll import see_to_players_first
from protocols.daemon.listening import CannotOpen
from protocols.daemon.load_ahead import LoadAhead, load_ahead
from protocols.daemon.memory import Memory
from protocols.daemon.service import JournalRefused, Parlour
from protocols.daemon.service import makeService as make_parlour
from protocols.daemon.signals import Signals
from protocols.host.place import is_seated

__all__ = ["Options", "makeService"]

SWITCH_SECONDS = 0.0005  # for which a thread may keep the reactor waiting: a tenth of Python's own


class Options(options.Options):
    """The daemon's options, that say in one line what is wrong with them."""

    def parseOptions(self, arguments: list[str] | None = None) -> None:
        """Read the command line; raises SystemExit(2) if it cannot be understood."""
        try:
            super().parseOptions(arguments)
        except usage.UsageError as problem:
            print(f"twistd parlour: {problem} (see twistd parlour --help)", file=sys.stderr)
            raise SystemExit(2) from None


class Process(MultiService):
    """What the daemon is to its process: one line if it cannot start, a status that says how it ended."""

    _log = Logger()

    def __init__(self, reactor: Any, parlour: Parlour) -> None:
        super().__init__()
        self._reactor = reactor
        self._failed = False
        self._parlour = parlour
        self._signals = Signals(reactor, self._end, self._reread)
        parlour.host.on_lost = self._lost
        parlour.draining.end = self._end
        self._memory = Memory(reactor)
        factories = [each.factory for each in parlour.doors.values()]
        self._ahead = LoadAhead(load_ahead(parlour.host.hall.registry.kinds, factories), reactor)
        parlour.on_open = self._opened
        parlour.setServiceParent(self)

    def privilegedStartService(self) -> None:
        """Open the doors; raises SystemExit(1) if one cannot be opened."""
        self._signals.take_harmless()
        try:
            super().privilegedStartService()
        except (CannotListenError, JournalRefused, OSError) as problem:
            # Doors say which one they are; else it is the responder whose port cannot be had.
            udp = isinstance(problem, CannotListenError) and not isinstance(problem, CannotOpen)
            option = "--discovery: " if udp else ""
            self._log.error("parlour: {option}{problem}", option=option, problem=problem)
            raise SystemExit(1) from None

    def startService(self) -> None:
        """Start all else, and listen for the signals that end it."""
        # Behind the reactor, which sets its own, and before anybody is told that we are open.
        self._reactor.addSystemEventTrigger("after", "startup", self._signals.take_endings)
        self._reactor.addSystemEventTrigger("after", "startup", self._loaded)
        super().startService()
        self._reactor.addSystemEventTrigger("after", "shutdown", self._exit)

    def _loaded(self) -> None:
        self._memory.loaded(self._parlour.is_open)

    def _opened(self) -> None:
        self._memory.opened()
        self._ahead.start()

    def stopService(self) -> Deferred[object]:
        """Close everything; what is not in the journal then was told to nobody."""
        self._ahead.stop()
        self._memory.stop()
        Service.stopService(self)  # that of MultiService passes over what goes wrong in its parts
        return maybeDeferred(self._parlour.stopService).addErrback(self._undone)

    def _undone(self, failure: Failure) -> None:
        self._failed = True
        self._log.error(
            "parlour: {problem}; {untold} commands were told to nobody",
            problem=failure.value,
            untold=self._parlour.host.untold,
        )

    def _lost(self, problem: Exception) -> None:
        """End at once: another daemon may be writing where we were, or the journal that was waited for is none."""
        self._failed = True
        lost = "" if isinstance(problem, JournalRefused) else "the journal is lost: "
        self._log.critical("parlour: {lost}{problem}", lost=lost, problem=problem)
        self._reactor.callLater(0, self._exit)

    def _exit(self) -> None:
        """Say by the status that something went wrong; twistd itself knows only 0."""
        if self._failed:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)

    def _end(self) -> None:
        if self.running and self._reactor.running:
            self._log.info("asked to end")
            self._reactor.stop()

    def _reread(self) -> None:
        """Read the file again; what is wrong with it is said, and all stays as it was."""
        begun_with = self._parlour.options
        try:
            options = begun_with.reread()
        except usage.UsageError as problem:
            self._log.error("parlour: {problem}; all stays as it was", problem=problem)
            return
        self._parlour.follow(options)
        if fixed := begun_with.fixed(options):
            names = ", ".join(fixed)
            self._log.warn("what is new of {names} holds only from the next start", names=names)
        self._log.info("the options are read again, for what begins from now on")


def makeService(options: Options) -> MultiService:
    """Build the service that twistd runs."""
    from twisted.internet import reactor

    _let_no_timer_go_by_the_wall(reactor)
    sys.setswitchinterval(SWITCH_SECONDS)
    parlour = make_parlour(options)
    see_to_players_first(reactor, is_seated, time.monotonic)
    return Process(reactor, parlour)


def _let_no_timer_go_by_the_wall(reactor: Any) -> None:
    """Let the reactor, which is ours alone, wake by a clock that nobody can set.

    Twisted's own goes by the time of day: set back by an hour, every timer would come an hour late.
    """
    if isinstance(reactor, ReactorBase) and not reactor.getDelayedCalls():
        vars(reactor)["seconds"] = time.monotonic
