"""A thread for work that anybody may ask for and nobody may feel: one piece at a time, behind all else."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorFromThreads
from twisted.python.failure import Failure

NICE = 15


class QuietThread:
    """Does what it is called with in one thread of its own, which gives way to whatever else there is to do."""

    def __init__(self, reactor: IReactorFromThreads) -> None:
        """``reactor`` hears of what is done; the thread is there from the first call on."""
        self._reactor = reactor
        self._waiting: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def __call__(self, work: Callable[..., object], *what: object) -> Deferred[Any]:
        """Call a function there; fires in the reactor's thread with what it gives, or fails as it does."""
        done: Deferred[Any] = Deferred()

        def do() -> None:
            try:
                result = work(*what)
            except Exception:
                result = Failure()
            self._reactor.callFromThread(done.callback, result)

        self._waiting.put(do)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="passwords", daemon=True)
            self._thread.start()
        return done

    def stop(self) -> None:
        """Let the thread end behind what is called already; another call begins another."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread = None

    def _work(self) -> None:
        # Linux has a priority for each thread; elsewhere it would be that of all.
        if hasattr(os, "sched_setaffinity"):
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while (do := self._waiting.get()) is not None:
            do()
