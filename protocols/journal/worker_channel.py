"""The writer's end of the socket: what it is told comes in here, and what it has to say goes out."""

from __future__ import annotations

import select
import socket
import time
from collections import deque

from protocols.journal.frames import READ, Frames, Message, frame


class HungUp(Exception):
    """The daemon is gone."""


class WorkerChannel:
    """Messages in their order; ``closing`` is known as soon as it was said, ahead of what waits before it."""

    def __init__(self, sock: socket.socket) -> None:
        self.closing = False
        self._gone = False
        self._socket = sock
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        self._frames = Frames()
        self._waiting: deque[Message] = deque()

    def say(self, *message: object) -> None:
        """Tell the daemon; raises HungUp."""
        try:
            self._socket.sendall(frame(message))
        except OSError as problem:
            raise HungUp from problem

    def next(self, seconds: float | None = None) -> Message | None:
        """Give what comes next, or None if nothing does for so long; raises HungUp behind the last."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._waiting:
            if self._gone:
                raise HungUp
            if not self._receive(deadline):
                return None
        return self._waiting.popleft()

    def quiet(self) -> bool:
        """Tell whether nothing waits to be done."""
        return not self._waiting and not self._poll.poll(0)

    def closes_within(self, seconds: float) -> bool:
        """Wait for so long, or until it is to close, which includes that the daemon is gone."""
        deadline = time.monotonic() + seconds
        while not self.closing and self._receive(deadline):
            pass
        return self.closing

    def _receive(self, deadline: float | None) -> bool:
        """Read what there is, and wait for it if need be; False if the time is up."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        if not self._poll.poll(left):
            return False
        try:
            data = self._socket.recv(READ)
        except OSError:
            data = b""
        self._gone = not data
        self._waiting += self._frames.take(data)
        self.closing = self._gone or ("close",) in self._waiting
        return True
