"""How much of what a program sends is taken in: no more than it is owed replies for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from protocols.net.link import Link

MOST_UNANSWERED = 64  # no more is read while so many requests wait for their replies


class Intake:
    """Reads a link, or leaves alone what it sends, as all that is under way there allows."""

    __slots__ = ("_full", "_held", "_link", "_paused", "_reads", "_unanswered")

    def __init__(self, link: Link) -> None:
        self._link = link
        self._reads = True
        self._unanswered = 0
        self._held: deque[str] | None = None  # lines that wait for a request that takes a while
        self._paused = False  # play is
        self._full = False  # the program does not read

    @property
    def idle(self) -> bool:
        """Whether everything that was asked for has been answered."""
        return not self._unanswered and self._held is None

    def ask(self) -> None:
        """Count a request that is to be answered."""
        self._unanswered += 1
        self.review()

    def answered(self) -> None:
        """Count its answer; ``review`` follows when that is sent."""
        self._unanswered -= 1

    def hold(self) -> None:
        """Let the lines that follow wait, if they do not."""
        if self._held is None:
            self._held = deque()
        self.review()

    def holds(self, line: str) -> bool:
        """Put a line behind those that wait, if they do."""
        if self._held is None:
            return False
        self._held.append(line)
        return True

    def release(self) -> Iterator[str]:
        """Give the lines that have waited, one by one, until one of them lets the others wait again."""
        held, self._held = self._held, None
        while held and self._held is None and not self._link.closing:
            yield held.popleft()
        if held and self._held is not None:
            self._held.extend(held)
        self.review()

    def pause(self, paused: bool) -> None:
        """Take nothing in while play is paused."""
        self._paused = paused
        self.review()

    def fill(self, full: bool) -> None:
        """Take nothing in while the program does not read, so that nobody owes it ever more replies."""
        self._full = full
        self.review()

    def review(self) -> None:
        """Read or stop reading, if that has changed."""
        busy = self._full or self._paused or self._held is not None
        reads = not busy and self._unanswered < MOST_UNANSWERED
        if reads != self._reads and not (self._link.half_closed or self._link.closing):
            self._reads = reads
            self._link.read_while(reads)
