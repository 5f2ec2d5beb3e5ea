"""Messages kept apart in time, for clients that take whatever one read gives for one message."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial

from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.python.failure import Failure

from protocols.net.link import Link


class Pacer:
    """Writes messages in order, none sooner than ``gap`` seconds after the one before it."""

    __slots__ = ("_clock", "_gap", "_last", "_then", "_timer", "_waiting", "_write")

    def __init__(self, clock: IReactorTime, gap: float, write: Callable[[bytes], None]) -> None:
        self._clock = clock
        self._gap = gap
        self._write = write
        self._last = float("-inf")
        self._waiting: deque[bytes] = deque()
        self._timer: IDelayedCall | None = None
        self._then: Callable[[], None] | None = None

    def send(self, message: bytes) -> None:
        """Write a message now, or as soon as its turn has come."""
        self._waiting.append(message)
        if self._timer is None:
            self._go_on()

    def when_out(self, then: Callable[[], None]) -> None:
        """Call ``then`` once nothing waits any more: now, or behind the last message."""
        if self._timer is None:
            then()
        else:
            self._then = then

    def stop(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._then = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _go_on(self) -> None:
        self._timer = None
        while self._waiting:
            now = self._clock.seconds()
            wait = self._last + self._gap - now
            if wait > 0:
                self._timer = self._clock.callLater(wait, self._go_on)
                return
            self._last = now
            self._write(self._waiting.popleft())
        then, self._then = self._then, None
        if then is not None:
            then()


class PacedLink(Link):
    """A link that can keep its messages apart in time; what ends it waits behind them."""

    _pacer: Pacer | None = None

    def send_paced(self, message: bytes, gap: float) -> None:
        """Send a message, no sooner than ``gap`` seconds after the one sent so before it; the first gap stays."""
        if self._pacer is None:
            self._pacer = Pacer(self.factory.clock, gap, self.send_alone)
        self._pacer.send(message)

    def end_pacing(self) -> None:
        """Send without gaps, once nothing waits any more."""
        self.when_out(self._forget_pacer)

    def _forget_pacer(self) -> None:
        self._pacer = None

    def when_out(self, then: Callable[[], None]) -> None:
        """Call ``then`` once all that was sent is on its way; the last one asked for counts."""
        if self._pacer is None:
            then()
        else:
            self._pacer.when_out(then)

    def dismiss(self, reason: str) -> None:
        """Say why and close, behind all that still waits for its gap."""
        self.when_out(partial(super().dismiss, reason))

    def gone(self, reason: Failure) -> None:
        """Forget what waits; a wire that overrides this calls it."""
        if self._pacer is not None:
            self._pacer.stop()
