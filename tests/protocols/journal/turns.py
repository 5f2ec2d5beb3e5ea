"""A reactor of which little is left, for who uses a journal and nothing else."""

from __future__ import annotations

import select
from collections.abc import Callable
from typing import Any

from twisted.internet.error import ConnectionDone
from twisted.python.failure import Failure

from tests.patience import SECONDS


class Turns:
    """A reactor of which nothing is left but that it looks at what can be read and written."""

    def __init__(self) -> None:
        self._readers: list[Any] = []
        self._writers: list[Any] = []

    def addReader(self, reader: Any) -> None:
        if reader not in self._readers:
            self._readers.append(reader)

    def removeReader(self, reader: Any) -> None:
        if reader in self._readers:
            self._readers.remove(reader)

    def addWriter(self, writer: Any) -> None:
        if writer not in self._writers:
            self._writers.append(writer)

    def removeWriter(self, writer: Any) -> None:
        if writer in self._writers:
            self._writers.remove(writer)

    @property
    def listens(self) -> bool:
        """Whether anything may still come."""
        return bool(self._readers)

    def drop_all(self) -> None:
        """Part with every link, as a reactor does that stops."""
        dropped, self._readers, self._writers = self._readers, [], []
        for each in dropped:
            each.connectionLost(Failure(ConnectionDone()))

    def turn_until(self, come: Callable[[], Any]) -> None:
        """Let what comes happen until something is so."""
        while not come():
            self.turn()

    def turn(self) -> None:
        """Wait until something can be read or written, and let that happen."""
        ready = select.select(self._readers, self._writers, [], SECONDS)
        assert any(ready), "nothing comes any more"
        for reader in ready[0]:
            reader.doRead()
        for writer in ready[1]:
            if writer in self._writers:
                writer.doWrite()
