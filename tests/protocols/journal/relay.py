"""What lies between a daemon and its PostgreSQL, and can lose a connection so that the server does not know."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress


class Relay:
    """Hands on what either side says, for as many connections as are made."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._clients: list[socket.socket] = []
        self._servers: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://parlour@127.0.0.1:{self._listener.getsockname()[1]}/postgres"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._clients.append(client)
                self._servers.append(server)
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=_hand_on, args=(one, other), daemon=True).start()

    def cut(self) -> None:
        """Lose all connections at the daemon's side alone: nothing tells the server that it waits for nobody."""
        for client in list(self._clients):
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of everybody."""
        self._listener.close()
        for each in (*self._clients, *self._servers):
            each.close()


def _hand_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)


@contextmanager
def relayed(folder: str) -> Iterator[Relay]:
    """Put a relay before the server in a folder."""
    with closing(Relay(f"{folder}/.s.PGSQL.5432")) as relay:
        yield relay
