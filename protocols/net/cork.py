"""What links have to say in one batch: gathered, and sent with one write a link once the batch is done."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, cast

from twisted.internet.interfaces import ITransport
from twisted.internet.tcp import Client, Connection, Server
from twisted.logger import Logger


class Gathering(Protocol):
    """A link that gathers what it has to say."""

    def flush(self) -> None:
        """Send what was gathered."""

    def abort(self) -> None:
        """Close at once."""


class Cork:
    """Holds back what is sent within a ``with`` block, and lets each link write once at its end."""

    __slots__ = ("_gathering", "held")
    _log = Logger()

    def __init__(self) -> None:
        self.held = False
        """Whether a batch is under way, so that a link is to gather."""
        self._gathering: list[Gathering] = []

    def gather(self, link: Gathering) -> None:
        """Let a link send what it gathers once the batch is done."""
        self._gathering.append(link)

    def __enter__(self) -> None:
        self.held = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.held = False
        gathering, self._gathering = self._gathering, []
        for link in gathering:
            try:
                link.flush()
            except Exception:  # one link's trouble is not to keep the news from the others
                self._log.failure("a link could not send, and is closed")
                link.abort()


_BARE = (Server, Client)  # what is a TCP connection and nothing besides


def write_now(transport: ITransport, data: bytes) -> None:
    """Write to the socket at once if nothing waits before it; what does not fit waits in the transport.

    A transport would wait for the reactor to find its socket writable, which costs three more system calls.
    An error is left to it as well: it meets the same one, and ends the connection.  Asked of the type: TLS, which
    would be passed by, and whatever else is no bare TCP connection is written to as usual.
    """
    if type(transport) in _BARE and _sends_at_once(cast(Connection, transport)):
        try:
            sent = cast(Connection, transport).socket.send(data)
        except OSError:
            sent = 0
        if sent == len(data):
            return
        data = data[sent:]
    transport.write(data)


def _sends_at_once(transport: Connection) -> bool:
    """Say whether bytes given to a transport would be the next on its socket.

    What is looked at is not all Twisted's to promise; a test with a real socket holds it to that.
    """
    return cast(bool, transport.connected) and not (
        transport._tempDataBuffer
        or transport.dataBuffer
        or transport.disconnecting
        or transport._writeDisconnecting
        or transport._writeDisconnected
        or transport.TLS
    )
