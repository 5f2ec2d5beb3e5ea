"""A port takes in few connections at a time, however many there are."""

from __future__ import annotations

import socket
from contextlib import ExitStack

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.tcp import Port
from twisted.internet.testing import MemoryReactorClock
from twisted.python.failure import Failure

from protocols.daemon.listening import AT_A_TIME, take_few

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
