"""A connection in memory: what the kernel and the network do between a link of the daemon and a robot."""

from __future__ import annotations

from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.python.failure import Failure

ADDRESSES = 250


class Cable:
    """One connection; bytes reach the link in pieces, and what the link writes waits to be read.

    ``room`` is how much of that fits before the link is told to pause.
    """

    def __init__(self, clock, factory, number, room=64 * 1024):
        self.clock = clock
        self.room = room
        self.producer = None
        self.closed = (
            False  # the link has heard that the connection is lost, or there is no link any more
        )
        self.write_ended = False
        self._losing = False
        self._full = False
        self._takes = True  # the link reads
        self._to_link = b""
        self._ended = False  # the robot says no more
        self._from_link = []
        address = IPv4Address("TCP", f"192.0.2.{1 + number % ADDRESSES}", 1024 + number % 60_000)
        self._peer = address
        self.link = factory.buildProtocol(address)
        if self.link is None:
            self.closed = True
        else:
            self.link.makeConnection(self)

    # -- what the robot does ----------------------------------------------------------

    def send(self, data):
        """Put bytes on their way."""
        if not self._ended:
            self._to_link += data

    def end(self):
        """Say no more; what is on its way still arrives."""
        self._ended = True

    def read(self):
        """Take all that has come."""
        data, self._from_link = b"".join(self._from_link), []
        if self._full and not self.closed:
            self._full = False
            if self.producer is not None:
                self.producer.resumeProducing()
        if self._losing:
            self._lose_soon()
        return data

    def hang_up(self):
        """Be gone altogether."""
        self._lost()

    def cut(self):
        """Lose the link without its knowing: its process is gone."""
        self.closed = True

    @property
    def over(self):
        """Whether the daemon has closed its side, or is gone."""
        return self.closed or self.write_ended or self._losing

    @property
    def on_its_way(self):
        """How many bytes have not arrived yet."""
        return len(self._to_link)

    # -- what the network does --------------------------------------------------------

    def carry(self, most):
        """Let some of the bytes arrive, if the link reads."""
        if self.closed or not self._takes:
            return
        piece, self._to_link = self._to_link[:most], self._to_link[most:]
        if piece:
            self.link.dataReceived(piece)
        if self._ended and self._ended != "heard" and not self._to_link and not self.closed:
            self._ended = "heard"
            self._hear_end()

    def _hear_end(self):
        heard = getattr(self.link, "readConnectionLost", None)
        if heard is None:
            self._lost()
        else:
            heard()

    def _lose_soon(self):
        self._losing = True
        if not self.closed and not self._from_link:
            self.clock.callLater(0, self._lost)

    def _lost(self):
        if not self.closed:
            self.closed = True
            self.link.connectionLost(Failure(ConnectionDone()))

    # -- what the link asks of a transport --------------------------------------------

    def write(self, data):
        if self.closed or self.write_ended:
            return
        self._from_link.append(data)
        if sum(map(len, self._from_link)) > self.room and self.producer is not None:
            self._full = True
            self.producer.pauseProducing()

    def writeSequence(self, data):
        self.write(b"".join(data))

    def loseConnection(self):
        self._lose_soon()

    def loseWriteConnection(self):
        self.write_ended = True

    def abortConnection(self):
        self._losing = True
        self.clock.callLater(0, self._lost)

    def registerProducer(self, producer, streaming):
        self.producer = producer

    def unregisterProducer(self):
        self.producer = None

    def pauseProducing(self):
        self._takes = False

    def resumeProducing(self):
        self._takes = True

    def getPeer(self):
        return self._peer

    def getHost(self):
        return IPv4Address("TCP", "192.0.2.254", 1)
