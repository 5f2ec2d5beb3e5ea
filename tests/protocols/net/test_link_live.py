"""What every connection has in common, on real sockets."""

from __future__ import annotations

import socket
from tempfile import TemporaryDirectory

from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults, inlineCallbacks
from twisted.internet.endpoints import TCP4ClientEndpoint, UNIXClientEndpoint, connectProtocol
from twisted.internet.error import ConnectionAborted, ConnectionDone
from twisted.internet.interfaces import IListeningPort, IStreamClientEndpoint
from twisted.internet.protocol import Protocol, connectionDone
from twisted.internet.task import deferLater
from twisted.python.failure import Failure
from twisted.trial.unittest import TestCase

from protocols.net.cork import write_now
from protocols.net.link import Link
from protocols.net.link_factory import LinkFactory


class Visitor(Protocol):
    """A client that writes down what it hears."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.lost: Deferred[BaseException] = Deferred()

    def dataReceived(self, data: bytes) -> None:
        self.heard += data

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self.lost.callback(reason.value)


class LiveWire(Link):
    """A wire that says when it is connected and when it is gone."""

    def __init__(self, arrived: Deferred[LiveWire]) -> None:
        self.heard = bytearray()
        self.arrived = arrived
        self.over: Deferred[BaseException] = Deferred()

    def connectionMade(self) -> None:
        super().connectionMade()
        self.arrived.callback(self)

    def received(self, data: bytes) -> None:
        self.heard += data

    def farewell(self, reason: str) -> bytes:
        return f"BYE {reason}\n".encode()

    def gone(self, reason: Failure) -> None:
        self.over.callback(reason.value)


class TestLive(TestCase):
    """A link on a real socket."""

    timeout = 20

    def meet(self, port: IListeningPort, client: IStreamClientEndpoint):
        """Connect a visitor; gives both ends."""
        self.addCleanup(port.stopListening)
        visiting = connectProtocol(client, Visitor())
        return gatherResults([self.arrived, visiting])

    def setUp(self) -> None:
        self.arrived: Deferred[LiveWire] = Deferred()
        self.house = LinkFactory(reactor)
        self.house.protocol = lambda: LiveWire(self.arrived)

    def meet_on_tcp(self):
        port = reactor.listenTCP(0, self.house, interface="127.0.0.1")
        client = TCP4ClientEndpoint(reactor, "127.0.0.1", port.getHost().port)
        return self.meet(port, client)

    @inlineCallbacks
    def test_small_lines_are_not_held_up_and_a_dead_peer_is_noticed(self):
        link, visitor = yield self.meet_on_tcp()
        assert link.transport.getTcpNoDelay() and link.transport.getTcpKeepAlive()
        handle = link.transport.getHandle()
        assert handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60
        assert handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 120_000
        assert link.peer == "127.0.0.1"
        link.close()
        assert isinstance((yield visitor.lost), ConnectionDone)
        assert isinstance((yield link.over), ConnectionDone)

    @inlineCallbacks
    def test_what_is_sent_goes_to_the_socket_at_once_and_stays_in_order(self):
        """Holds Twisted to what ``write_now`` looks at: with nothing buffered nothing waits for the reactor."""
        link, visitor = yield self.meet_on_tcp()
        transport = link.transport
        link.send(b"now")
        assert not transport._tempDataBuffer and not transport.dataBuffer
        assert transport not in reactor.getWriters()
        transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        visitor.transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        visitor.transport.pauseProducing()
        pieces = [b"now"]
        while not transport.dataBuffer:  # what the kernel did not take
            pieces.append(b"%07d\n" % len(pieces) * 5_000)
            write_now(transport, pieces[-1])
            yield turn()
        visitor.transport.resumeProducing()
        for _ in range(50):  # behind what waits there, or straight out if nothing does by now
            pieces.append(b"%07d\n" % len(pieces) * 5_000)
            write_now(transport, pieces[-1])
            yield turn()
        while len(visitor.heard) < sum(map(len, pieces)):
            yield turn()
        link.dismiss("done")
        yield visitor.lost
        assert visitor.heard == b"".join(pieces) + b"BYE done\n"
        yield link.over

    @inlineCallbacks
    def test_what_is_sent_to_a_peer_that_is_gone_is_no_error(self):
        link, visitor = yield self.meet_on_tcp()
        visitor.transport.abortConnection()
        yield visitor.lost
        link.send(b"to nobody")
        link.send(b"nor this")
        yield link.over
        link.send(b"nor that")

    @inlineCallbacks
    def test_a_unix_socket_serves_as_well(self):
        room = TemporaryDirectory()
        self.addCleanup(room.cleanup)
        path = f"{room.name}/door"
        port = reactor.listenUNIX(path, self.house)
        link, visitor = yield self.meet(port, UNIXClientEndpoint(reactor, path))
        assert link.peer == "unix"
        link.dismiss("done")
        assert isinstance((yield visitor.lost), ConnectionDone)
        assert visitor.heard == b"BYE done\n"
        yield link.over

    @inlineCallbacks
    def test_a_peer_that_does_not_read_is_dropped(self):
        link, visitor = yield self.meet_on_tcp()
        visitor.transport.pauseProducing()
        most = 0
        while not link.closing:
            for _ in range(100):
                link.send(b"x" * 1000)
                most = max(most, link.waiting)
            yield turn()
        assert isinstance((yield link.over), ConnectionAborted)
        assert 0 < most <= link.backlog
        visitor.transport.resumeProducing()
        yield visitor.lost

    @inlineCallbacks
    def test_a_reader_that_keeps_up_with_effort_is_kept(self):
        link, visitor = yield self.meet_on_tcp()
        for _ in range(100):
            link.send(b"x" * 100_000)
            link.send(b"y" * 100_000)
            while link.waiting:
                yield turn()
        link.dismiss("done")
        yield visitor.lost
        assert len(visitor.heard) == 200 * 100_000 + len(b"BYE done\n")
        yield link.over

    @inlineCallbacks
    def test_the_last_line_reaches_a_peer_that_is_still_talking(self):
        link, visitor = yield self.meet_on_tcp()
        visitor.transport.write(b"A" * 5_000_000)
        link.dismiss("enough")
        yield visitor.lost
        assert visitor.heard == b"BYE enough\n"
        yield link.over

    @inlineCallbacks
    def test_a_half_closed_peer_hears_its_answer(self):
        link, visitor = yield self.meet_on_tcp()

        def answer() -> None:
            link.send(b"answer\n")
            link.close()

        link.input_ended = lambda: reactor.callLater(0.01, answer)
        visitor.transport.write(b"question")
        visitor.transport.loseWriteConnection()
        assert isinstance((yield visitor.lost), ConnectionDone)
        assert visitor.heard == b"answer\n" and link.heard == b"question"
        yield link.over

    @inlineCallbacks
    def test_a_peer_that_will_not_close_is_cut_off(self):
        link, visitor = yield self.meet_on_tcp()
        link.linger = 0.05
        visitor.transport.pauseProducing()
        link.dismiss("done")
        assert isinstance((yield link.over), ConnectionAborted)
        visitor.transport.resumeProducing()
        yield visitor.lost


def turn() -> Deferred[None]:
    """Let the reactor go round once."""
    return deferLater(reactor, 0, lambda: None)
