"""A reactor that stands still: sockets are read when a test says so."""

from __future__ import annotations

from protocols.discovery.responder_socket import ResponderSocket
from protocols.testing.clock import ManualClock


class StillReactor(ManualClock):
    """Knows who wants to read, and reads for nobody until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.readers: list[ResponderSocket] = []

    def addReader(self, reader: ResponderSocket) -> None:
        self.readers.append(reader)

    def removeReader(self, reader: ResponderSocket) -> None:
        if reader in self.readers:
            self.readers.remove(reader)

    def read_all(self) -> None:
        """Give each reader a turn: on loopback, what was sent has arrived."""
        for sock in list(self.readers):
            sock.doRead()
