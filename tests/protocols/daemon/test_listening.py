"""A port takes in few connections at a time, however many there are."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest
from twisted.internet.defer import Deferred, succeed
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.selectreactor import SelectReactor
from twisted.internet.tcp import Port
from twisted.internet.testing import MemoryReactorClock
from twisted.python.failure import Failure

from protocols.daemon import listening
from protocols.daemon.listening import AT_A_TIME, Listening, take_few

GONE = Failure(ConnectionDone())


class Counting(Factory):
    """Counts who comes."""

    noisy = False
    protocol = Protocol

    def __init__(self) -> None:
        self.came = 0

    def buildProtocol(self, addr: object) -> Protocol:
        self.came += 1
        return Protocol()


@pytest.mark.parametrize("crowd", [1, AT_A_TIME, 5 * AT_A_TIME + 1])
def test_a_crowd_is_taken_in_a_few_at_a_time(crowd: int) -> None:
    factory = Counting()
    port = Port(0, factory, interface="127.0.0.1", reactor=MemoryReactorClock())
    port.startListening()
    take_few(port)
    with ExitStack() as stack:
        for _ in range(crowd):
            stack.enter_context(socket.create_connection(("127.0.0.1", port.getHost().port)))
        turns = 0
        while factory.came < crowd:
            before = factory.came
            port.doRead()
            assert before < factory.came <= before + AT_A_TIME
            turns += 1
        assert turns == -(-crowd // AT_A_TIME)
        for each in list(port.reactor.getReaders()):
            if each is not port:
                each.connectionLost(GONE)
    port.connectionLost(GONE)


class AsSystemd:
    """An endpoint that is handed a socket, as systemd does by the environment."""

    def __init__(self, sock: socket.socket, reactor: SelectReactor) -> None:
        self._sock, self._reactor = sock, reactor

    def listen(self, factory: Factory) -> Deferred[Port]:
        port = Port._fromListeningDescriptor(
            self._reactor, self._sock.fileno(), socket.AF_INET, factory
        )
        port.startListening()
        return succeed(port)


def test_a_port_that_others_share_is_left_to_them_and_one_of_our_own_is_not(monkeypatch) -> None:
    usual = listening.serverFromString
    reactor, factory = SelectReactor(), Counting()
    with socket.create_server(("127.0.0.1", 0)) as theirs:

        def served(reactor: SelectReactor, endpoint: str) -> object:
            handed = endpoint.startswith("systemd:")
            return AsSystemd(theirs, reactor) if handed else usual(reactor, endpoint)

        monkeypatch.setattr(listening, "serverFromString", served)
        endpoints = ["systemd:domain=INET:index=0", "tcp:0:interface=127.0.0.1"]
        opened = Listening("nim", "Nim", factory, endpoints, reactor)
        opened.startService()
        shared = theirs.getsockname()
        assert opened.port == shared[1]
        opened.leave_shared()
        reactor.iterate(0)
        own = opened.port
        assert own not in (None, shared[1])
        for port in (shared[1], own):
            with socket.create_connection(("127.0.0.1", port)):
                for _ in range(5):
                    reactor.iterate(0.01)
        assert factory.came == 1
        theirs.settimeout(5)
        theirs.accept()[0].close()  # whoever else has it takes them in
        opened.stopService()
        reactor.iterate(0)
