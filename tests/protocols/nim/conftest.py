"""A stub of a server, for what plays against one."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Self

import pytest

from tests.patience import SECONDS

HEAR = None


class Stub(threading.Thread):
    """A server for one client that plays a script: bytes to send, or HEAR a line."""

    def __init__(self, script: Sequence[bytes | None], *later: Sequence[bytes | None]) -> None:
        """``later`` are the scripts of the links that follow, one for each."""
        super().__init__()
        self.heard: list[bytes] = []
        self._scripts = (script, *later)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(SECONDS)
        self.address: tuple[str, int] = self._listener.getsockname()
        self.ip_port = "{}:{}".format(*self.address)

    def run(self) -> None:
        for script in self._scripts:
            self._serve(script)

    def _serve(self, script: Sequence[bytes | None]) -> None:
        link, _ = self._listener.accept()
        # A client that leaves in the middle may reset the connection.
        with link, link.makefile("rb") as lines, suppress(ConnectionError):
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.settimeout(SECONDS)
            for step in script:
                if step is HEAR:
                    self.heard.append(lines.readline())
                else:
                    link.sendall(step)
            with suppress(OSError):  # it is no connection any more, if the client has gone
                link.shutdown(socket.SHUT_WR)
            self.heard += lines.readlines()  # until the client has closed too

    def moves(self) -> list[tuple[int, bool]]:
        """Tell which moves came after the hello."""
        said = [json.loads(line) for line in self.heard[1:]]
        return [(move["num_stones"], move["reset"]) for move in said]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.join(SECONDS)
        self._listener.close()
        assert not self.is_alive(), "the client never closed"


@pytest.fixture
def serve() -> Callable[[Sequence[bytes | None]], Stub]:
    """Give ``serve(script)``, which is a server for as long as a ``with`` lasts."""
    return Stub
