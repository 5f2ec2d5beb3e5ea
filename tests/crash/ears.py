"""Who has something to say: the links of everybody who plays, and the daemon itself."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Sequence
from typing import Generic, TypeVar

from tests.daemons.daemon import Daemon

L = TypeVar("L")

PATIENCE = 30.0  # seconds without a word of anybody's, after which something is wrong


class Ears(Generic[L]):
    """Waits for whoever speaks; what the daemon says goes to the house by itself."""

    def __init__(self, house: Daemon) -> None:
        self._house = house
        self._selector = selectors.DefaultSelector()

    def listen(self) -> None:
        """Hear what a new process of the daemon says."""
        self._selector.register(self._house.voice, selectors.EVENT_READ, None)

    @property
    def listening(self) -> bool:
        """Whether the daemon can still say something."""
        return self._house.voice in self._selector.get_map()

    def stop_listening(self) -> None:
        """Hear the daemon no more, if it has not fallen silent already."""
        if self.listening:
            self._selector.unregister(self._house.voice)

    def follow(self, sock: socket.socket, link: L) -> None:
        """Hear what comes on a link."""
        self._selector.register(sock, selectors.EVENT_READ, link)

    def forget(self, sock: socket.socket) -> None:
        """Hear a link no more."""
        self._selector.unregister(sock)

    def wait(self) -> Sequence[L] | None:
        """Give the links where there is something; None if nobody said a word for too long."""
        ready = self._selector.select(PATIENCE)
        if not ready:
            return None
        if any(key.data is None for key, _ in ready) and not self._house.hear():
            self._selector.unregister(self._house.voice)
        return [key.data for key, _ in ready if key.data is not None]

    def close(self) -> None:
        """Hear nobody any more."""
        self._selector.close()


def connect(address: tuple[str, int]) -> socket.socket:
    """Open a connection that neither waits nor lets small things wait."""
    sock = socket.create_connection(address, PATIENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setblocking(False)
    return sock
