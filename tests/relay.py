"""What lies between two programs, and can lose their connections, be slow, or fall silent."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

Address = str | tuple[str, int]  # of a Unix socket, or a TCP port


class Relay:
    """Hands on what either side says, for as many connections as are made; ``port`` is where it listens.

    While ``cut_off`` nobody gets through; ``delay`` is for how many seconds each piece waits. Where it is
    ``discreet`` it tells nobody that the other has hung up.
    """

    def __init__(self, target: Address) -> None:
        self.cut_off = False
        self.delay = 0.0
        self.discreet = False
        self._target = target
        self._callers: list[socket.socket] = []
        self._called: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._serving = threading.Thread(target=self._serve, daemon=True)
        self._serving.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._listener.accept()
                if self.cut_off or not self._connect(caller):
                    caller.close()

    def _connect(self, caller: socket.socket) -> bool:
        called = socket.socket(socket.AF_UNIX if isinstance(self._target, str) else socket.AF_INET)
        try:
            called.connect(self._target)
        except OSError:
            called.close()
            return False
        self._callers.append(caller)
        self._called.append(called)
        for one, other in ((caller, called), (called, caller)):
            threading.Thread(target=self._hand_on, args=(one, other), daemon=True).start()
        return True

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                time.sleep(self.delay)
                other.sendall(data)
            if not self.discreet:
                other.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Lose all connections, at both sides."""
        _shut([*self._callers, *self._called])

    def cut_callers(self) -> None:
        """Lose all connections at the callers' side alone: nothing tells who was called that nobody is there."""
        self.discreet = True
        _shut(self._callers)

    def close(self) -> None:
        """Let go of everybody, also of who has just come."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._serving.join()
        self._listener.close()
        self.cut()
        for each in (*self._callers, *self._called):
            each.close()


def _shut(sockets: list[socket.socket]) -> None:
    for each in list(sockets):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed(target: Address) -> Iterator[Relay]:
    """Put a relay before a program."""
    with closing(Relay(target)) as relay:
        yield relay
