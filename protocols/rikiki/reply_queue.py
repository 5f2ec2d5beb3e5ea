"""The replies of one connection: one for each command and in their order, however late some of them are known."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence

from protocols.rikiki.wire import Request


class ReplyQueue:
    """Keeps each reply back until all before it are out; ``send`` takes the lines."""

    __slots__ = ("_asked", "_send")

    def __init__(self, send: Callable[[Iterable[str]], None]) -> None:
        self._asked: deque[Request] = deque()
        self._send = send

    @property
    def oldest(self) -> Request | None:
        """The command that has waited longest for its answer."""
        return self._asked[0] if self._asked else None

    def awaits(self, verbs: Collection[str]) -> bool:
        """Say whether a command of certain verbs waits for its answer."""
        return any(each.verb in verbs and each.answer is None for each in self._asked)

    def expect(self, request: Request) -> None:
        """Expect an answer to a command, behind those before it."""
        self._asked.append(request)

    def settle(self, request: Request, lines: Sequence[str]) -> None:
        """Answer a command; does nothing for one that is answered."""
        if request.answer is not None:
            return
        request.answer = lines
        ready: list[str] = []
        while self._asked and self._asked[0].answer is not None:
            ready += self._asked.popleft().answer or ()
        if ready:
            self._send(ready)
