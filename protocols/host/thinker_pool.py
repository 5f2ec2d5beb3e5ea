"""A few processes that think for the bots: one that is slow, silent or dead costs a seat time, and nobody else."""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from contextlib import suppress
from typing import Any

from attrs import define, field
from twisted.internet.defer import Deferred, fail
from twisted.internet.error import ProcessExitedAlready
from twisted.internet.interfaces import IDelayedCall
from twisted.internet.protocol import ProcessProtocol
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.bots import THINKING_SECONDS
from gamecore.rules import Move
from protocols.host.thinker_process import LENGTH, frame
from protocols.host.thinking import NotThought, Question

_MODULE = "protocols.host.thinker_process"
_MOST_WAITING = 64  # questions: whoever comes then would think far too late
_PATIENCE = 5.0  # seconds beyond the longest thought, and beyond the start of a process


@define(eq=False)
class _Asked:
    question: Question
    move: Deferred[Move] = field(factory=Deferred)


class ThinkerPool:
    """Starts processes when there is something to think about, and asks each one thing at a time."""

    _log = Logger()

    def __init__(
        self,
        reactor: Any,
        most: int | None = None,
        patience: float = max(THINKING_SECONDS.values()) + _PATIENCE,
    ) -> None:
        """Have at most so many processes; by default one less than there are processors for us, and at least one.

        Each is ended that does not answer within ``patience``, in seconds.
        """
        self._reactor = reactor
        self._patience = patience
        self._most = max(1, _processors() - 1) if most is None else most
        self._waiting: deque[_Asked] = deque()
        self._thinkers: list[_Thinker] = []
        self._stopped = False

    def think(self, question: Question) -> Deferred[Move]:
        """Find a move; fails with NotThought where too many wait, or a process dies or is too slow."""
        if self._stopped or len(self._waiting) >= _MOST_WAITING:
            return fail(NotThought())
        asked = _Asked(question)
        self._waiting.append(asked)
        self._go_on()
        return asked.move

    def stop(self) -> None:
        """End all processes; whatever is asked and not answered fails."""
        self._stopped = True
        waiting, self._waiting = self._waiting, deque()
        for asked in waiting:
            if not asked.move.called:
                asked.move.errback(NotThought())
        for thinker in list(self._thinkers):
            thinker.kill()

    def _go_on(self) -> None:
        """Give what waits to those who have nothing to do, or to new ones."""
        while self._waiting:
            if self._waiting[0].move.called:  # nobody waits for it any more
                self._waiting.popleft()
                continue
            free = next((each for each in self._thinkers if each.asked is None), None)
            if free is None:
                if len(self._thinkers) >= self._most:
                    return
                free = self._start()
            free.ask(self._waiting.popleft())

    def _start(self) -> _Thinker:
        thinker = _Thinker(self._reactor, self._patience, self._go_on, self._lost)
        self._thinkers.append(thinker)
        self._reactor.spawnProcess(
            thinker, sys.executable, [sys.executable, "-m", _MODULE], env=os.environ
        )
        return thinker

    def _lost(self, thinker: _Thinker) -> None:
        self._thinkers.remove(thinker)
        if not self._stopped:
            self._log.warn("a process that thought for bots has ended")
            self._go_on()


def _processors() -> int:
    """Count the processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 2


class _Thinker(ProcessProtocol):
    """One process, and what it was asked."""

    _log = Logger()
    transport: Any

    def __init__(self, reactor: Any, patience: float, free: Any, lost: Any) -> None:
        self.asked: _Asked | None = None
        self._reactor, self._patience, self._free, self._lost = reactor, patience, free, lost
        self._heard = b""
        self._timer: IDelayedCall | None = None

    def ask(self, asked: _Asked) -> None:
        """Have it think about something, for a bounded time."""
        self.asked = asked
        self._timer = self._reactor.callLater(self._patience, self.kill)
        self.transport.write(frame(asked.question))

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._fail()
        with suppress(ProcessExitedAlready):
            self.transport.signalProcess("KILL")

    def outReceived(self, data: bytes) -> None:
        """Hear a move, in pieces."""
        self._heard += data
        if len(self._heard) < LENGTH.size:
            return
        (length,) = LENGTH.unpack(self._heard[: LENGTH.size])
        if len(self._heard) < LENGTH.size + length:
            return
        body, self._heard = self._heard[LENGTH.size : LENGTH.size + length], b""
        asked = self._done()
        if asked is not None:
            asked.move.callback(pickle.loads(body))
        self._free()

    def errReceived(self, data: bytes) -> None:
        """Note what goes wrong in it."""
        self._log.error("a process that thinks says: {said}", said=data.decode(errors="replace"))

    def processEnded(self, reason: Failure) -> None:
        """Be there no more."""
        self._fail()
        self._lost(self)

    def _fail(self) -> None:
        asked = self._done()
        if asked is not None:
            asked.move.errback(NotThought())

    def _done(self) -> _Asked | None:
        asked, self.asked = self.asked, None
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None
        return asked
