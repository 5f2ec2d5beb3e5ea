"""The one transport of tests: the far end of a connection, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import ServerFactory
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

ADDRESS = "192.0.2.1"  # of TEST-NET-1, RFC 5737: nobody's


class Peer(StringTransport):
    """Whoever connected, and what the daemon writes to them.

    ``link`` is the daemon's side, None if it let nobody in. ``writes`` are all writes with the seconds at which
    they came, ``ends`` in the same way the words ``ended``, ``closed`` and ``aborted`` for what the daemon did at
    last. While ``reads`` is unset, ``room`` bytes fit, and then the link is told to pause. A connection that the
    daemon closes is lost in the next turn, once nothing waits to be written or read. Where a subclass ``settles``,
    all that needs no time has happened behind whatever it does.
    """

    room = 64 * 1024
    settles = False

    def __init__(
        self,
        clock: Clock,
        factory: ServerFactory,
        address: str | None = ADDRESS,
        port: int = 40_000,
    ) -> None:
        peer = None if address is None else IPv4Address("TCP", address, port)
        super().__init__(peerAddress=peer)
        self.clock = clock
        self.writes: list[tuple[float, bytes]] = []
        self.ends: list[tuple[float, str]] = []
        self.reads = True
        self._unread = 0
        self.read_to = 0
        # What stands in Twisted for a protocol is anything that was built.
        self.link: Any = factory.buildProtocol(peer)
        self.protocol = self.link
        if self.link is None:
            self.disconnected = True
        else:
            self.link.makeConnection(self)

    # -- what a test does -------------------------------------------------------------

    def say(self, data: bytes) -> None:
        """Send bytes, unless the connection is lost."""
        if not self.disconnected:
            self.link.dataReceived(data)
        self._settle()

    def end_input(self) -> None:
        """Half-close, as netcat does at the end of its input."""
        self.link.readConnectionLost()
        self._settle()

    def hang_up(self) -> None:
        """Be gone altogether."""
        if not self.disconnected:
            self.disconnected = True
            self.link.connectionLost(Failure(ConnectionDone()))
        self._settle()

    def read_on(self) -> None:
        """Take all that fitted no more, and all that follows."""
        full, self._unread, self.reads = self._unread > self.room, 0, True
        if full and self.producer is not None:
            self.producer.resumeProducing()
        self._lose_soon()

    @property
    def closed(self) -> bool:
        """Whether the daemon has closed its side, or the connection is lost."""
        return self.ended or self.disconnected

    @property
    def ended(self) -> bool:
        """Whether the daemon has ended its side, or let nobody in."""
        return bool(self.ends) or self.link is None

    @property
    def face(self) -> Any:
        """What the Host knows the daemon's side as: a session of its own, or the link."""
        return getattr(self.link, "session", None) or self.link

    def got(self) -> bytes:
        """Give all bytes that were ever written, whatever was cleared."""
        return b"".join(data for _, data in self.writes)

    def fresh(self) -> bytes:
        """Give the bytes that came since this was asked last, or from ``read_to`` on, if that was set."""
        whole = self.got()
        fresh, self.read_to = whole[self.read_to :], len(whole)
        return fresh

    def forget(self) -> bytes:
        """Start afresh, and give all bytes that came before."""
        got = self.got()
        self.writes.clear()
        self.clear()
        self.read_to = 0
        return got

    def _settle(self) -> None:
        if self.settles:
            self.clock.advance(0)

    # -- what the link asks of a transport --------------------------------------------

    def write(self, data: bytes) -> None:
        if self.disconnected:
            return
        super().write(data)
        self.writes.append((self.clock.seconds(), data))
        if not self.reads:
            self._unread += len(data)
            if self._unread > self.room and self.producer is not None:
                self.producer.pauseProducing()

    def writeSequence(self, data: Iterable[bytes]) -> None:
        self.write(b"".join(data))

    def loseConnection(self) -> None:
        super().loseConnection()
        self._note("closed")
        self._lose_soon()

    def unregisterProducer(self) -> None:
        super().unregisterProducer()
        self._lose_soon()

    def _lose_soon(self) -> None:
        """Lose a connection that is closed, once its producer has written all, and all of it is read."""
        if self.disconnecting and self.producer is None and self.reads:
            self.clock.callLater(0, self.hang_up)

    def loseWriteConnection(self) -> None:
        self._note("ended")

    def abortConnection(self) -> None:
        self.disconnecting = True
        self._note("aborted")
        self.clock.callLater(0, self.hang_up)

    def _note(self, end: str) -> None:
        self.ends.append((self.clock.seconds(), end))
