"""What a session speaks over, and what it may be waiting for, each with all that is born and dies with it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from twisted.internet.interfaces import IDelayedCall, IReactorTime

MOST_LINES = 100  # that wait their turn; then the link is not read for a while

Step = Callable[[], None]


class Line(Protocol):
    """The link of a session, as far as the session needs it; every ``BoundedLine`` is one."""

    came_from: str | None
    closing: bool
    half_closed: bool

    def send(self, data: bytes) -> None:
        """Send bytes to the peer, or keep them while it does not read."""

    def stop_reading(self) -> None:
        """Take nothing in for now."""

    def go_on_reading(self) -> None:
        """Take in again what the peer sends."""

    def settled(self) -> None:
        """Stop the deadline: the peer has said something sensible."""

    def forget_waiting(self) -> None:
        """Drop what was kept for a peer that does not read."""

    def ask_size(self) -> None:
        """Ask how large the peer's window is, where there is a way to."""

    def dismiss(self, reason: str) -> None:
        """Tell the peer why, and close."""

    def close(self) -> None:
        """Close without a word, once all that was sent has gone out."""


class PendingRequest:
    """Something that was asked for and is not answered yet, and the steps that follow if it is done.

    ``comes`` where the answer is also to bring the session to a table, which ``password`` opens.
    """

    __slots__ = ("comes", "password", "steps")

    def __init__(self, steps: tuple[Step, ...], comes: bool = False, password: str = "") -> None:
        self.steps = steps
        self.comes = comes
        self.password = password


class TypeAhead:
    """Lines that were typed before those in front of them were obeyed; too many, and the link is not read."""

    __slots__ = ("_line", "_lines", "_stopped")

    def __init__(self, line: Line) -> None:
        self._line = line
        self._lines: deque[str] = deque()
        self._stopped = False

    def __bool__(self) -> bool:
        return bool(self._lines)

    def push(self, line: str) -> None:
        """Put a line behind the others."""
        self._lines.append(line)

    def pop(self) -> str:
        """Take the first line."""
        return self._lines.popleft()

    def bound(self) -> None:
        """Read no more of the link while too many lines wait, until all of them are obeyed."""
        if not self._stopped and len(self._lines) > MOST_LINES:
            self._stopped = True
            self._line.stop_reading()
        elif self._stopped and not self._lines:
            self._stopped = False
            self._line.go_on_reading()


class BotWait:
    """Waits for bots, so that what is typed meets the table as they leave it, but not for ever."""

    __slots__ = ("_timer", "seconds")

    def __init__(self, clock: IReactorTime, seconds: float, then: Callable[[], object]) -> None:
        """Begins at once; ``then`` is called when it has taken longer than ``seconds``."""
        self.seconds = seconds
        self._timer: IDelayedCall = clock.callLater(seconds, then)

    @property
    def over(self) -> bool:
        """Whether it has taken too long."""
        return not self._timer.active()

    def end(self) -> None:
        """Wait no longer."""
        if self._timer.active():
            self._timer.cancel()
