"""A pooler before a PostgreSQL: hands each transaction, or each session, to one of two connections."""

from __future__ import annotations

import queue
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

_INT = struct.Struct("!I")
_ENDS_ASKING = (b"Q", b"S")  # a simple query; Sync, behind all of an extended one
_IDLE = b"I"
_RESET = b"Q" + _INT.pack(16) + b"DISCARD ALL\0"


class Link:
    """One end of the protocol: messages of a byte for the kind, a length, and the rest."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self._file = sock.makefile("rb")

    def close(self) -> None:
        """Let go of the peer."""
        self._file.close()
        self.sock.close()

    def read(self) -> tuple[bytes, bytes]:
        """Give the kind of the next message, and all of it; raises EOFError."""
        kind = self._read(1)
        length = self._read(4)
        return kind, kind + length + self._read(_INT.unpack(length)[0] - 4)

    def read_start(self) -> bytes:
        """Give the first message, which has no kind."""
        while True:
            length = self._read(4)
            rest = self._read(_INT.unpack(length)[0] - 4)
            if rest[:4] not in (b"\x04\xd2\x16\x2f", b"\x04\xd2\x16\x30"):
                return length + rest
            self.sock.sendall(b"N")  # neither TLS nor GSS

    def read_answer(self) -> tuple[bytes, bytes]:
        """Give all up to where the server is ready again, and its state."""
        told = b""
        while True:
            kind, message = self.read()
            told += message
            if kind == b"Z":
                return told, message[-1:]

    def _read(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) < count:
            raise EOFError
        return data


class Pooler:
    """Listens on loopback; ``by_session`` is whether a client keeps the connection that it was given."""

    def __init__(self, server: str, by_session: bool, latest_first: bool) -> None:
        self._server = server
        self._by_session = by_session
        self._free: queue.Queue[Link] = queue.LifoQueue() if latest_first else queue.Queue()
        self._servers: list[Link] = []
        self._greeting: bytes | None = None
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._clients: list[tuple[Link, threading.Thread]] = []
        self._serving = threading.Thread(target=self._serve, daemon=True)
        self._serving.start()

    def close(self) -> None:
        """Take nobody any more, and let go of the server once nobody has it lent."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._serving.join()
        self._listener.close()
        for client, _ in self._clients:
            with suppress(OSError):  # it has gone by itself
                client.sock.shutdown(socket.SHUT_RDWR)
        for _, attending in self._clients:
            attending.join()
        for server in self._servers:
            server.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client = Link(self._listener.accept()[0])
                attending = threading.Thread(target=self._attend, args=(client,), daemon=True)
                self._clients.append((client, attending))
                attending.start()

    def _attend(self, client: Link) -> None:
        with closing(client), suppress(EOFError, OSError):
            greeting = self._open(client.read_start())
            client.sock.sendall(greeting)
            while True:
                self._converse(client)

    def _open(self, start: bytes) -> bytes:
        """Make the connections for the first who comes, and give what each of them was told."""
        with self._lock:
            if self._greeting is None:
                for _ in range(2):
                    server = Link(socket.socket(socket.AF_UNIX))
                    self._servers.append(server)
                    server.sock.connect(self._server)
                    server.sock.sendall(start)
                    self._greeting, _ = server.read_answer()
                    self._free.put(server)
            assert self._greeting is not None
            return self._greeting

    def _converse(self, client: Link) -> None:
        """Lend a connection to a client for one transaction, or for as long as it is there."""
        asked = self._asked(client)
        server = self._free.get()
        try:
            while True:
                server.sock.sendall(asked)
                told, state = server.read_answer()
                client.sock.sendall(told)
                if state == _IDLE and not self._by_session:
                    return
                asked = self._asked(client)
        finally:
            if self._by_session:
                server.sock.sendall(_RESET)
                server.read_answer()
            self._free.put(server)

    def _asked(self, client: Link) -> bytes:
        asked = b""
        while True:
            kind, message = client.read()
            if kind == b"X":
                raise EOFError
            asked += message
            if kind in _ENDS_ASKING:
                return asked


@contextmanager
def pooled(server: str, by_session: bool, latest_first: bool = True) -> Iterator[Pooler]:
    """Put a pooler before the server on a Unix socket."""
    with closing(Pooler(server, by_session, latest_first)) as pooler:
        yield pooler
