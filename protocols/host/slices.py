"""Work that takes long, done a few milliseconds a turn, so that nobody who plays waits for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import Any, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime

T = TypeVar("T")

A_TURN = 0.003  # seconds of a turn of the reactor that all such work takes together

Work = Generator[None, None, T]
"""Work that may pause at every ``yield``, and returns what it was done for."""


class Slices:
    """Does pieces of all such work by turns: at once as far as this turn has time for it, else in the next ones."""

    def __init__(self, reactor: IReactorTime) -> None:
        self._reactor = reactor
        self._works: deque[tuple[Work[Any], Deferred[Any]]] = deque()
        self._left = A_TURN
        self._called = False

    def run(self, work: Work[T]) -> Deferred[T]:
        """Do some work behind all that waits; fires with what it returns, or fails with what it raises."""
        done: Deferred[T] = Deferred()
        self._works.append((work, done))
        self._go_on()
        return done

    def _go_on(self) -> None:
        while self._works and self._left > 0:
            self._do_a_piece(*self._works[0])
        if self._left < A_TURN and not self._called:
            self._called = True
            self._reactor.callLater(0, self._next_turn)

    def _do_a_piece(self, work: Work[Any], done: Deferred[Any]) -> None:
        began = self._reactor.seconds()
        try:
            next(work)
        except StopIteration as end:
            self._works.popleft()
            done.callback(end.value)
        except Exception:
            self._works.popleft()
            done.errback()
        else:
            # One who waits for little does not wait for all of what takes long.
            self._works.rotate(-1)
        self._left -= self._reactor.seconds() - began

    def _next_turn(self) -> None:
        self._called = False
        self._left = A_TURN
        self._go_on()
