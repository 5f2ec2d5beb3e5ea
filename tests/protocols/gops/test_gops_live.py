"""Two people play GOPS with ``parlour play`` against the real door on a real socket."""

from __future__ import annotations

from random import Random

from twisted.internet import reactor
from twisted.internet.defer import gatherResults, inlineCallbacks
from twisted.internet.task import deferLater
from twisted.trial.unittest import TestCase

from gamecore.games.gops import RULES
from gamecore.hall import Hall
from gamecore.rules import Registry
from protocols.gops.server import DOOR, GopsFactory
from protocols.host.door import read_defaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from tests.processes import said_by


class TestLive(TestCase):
    """The whole way of a card, from one terminal to the other."""

    timeout = 60

    def setUp(self):
        hall = Hall(Registry([RULES]))
        host = Host(hall, MemoryJournal(reactor), reactor, lambda: 1e9, Random(1))
        given = {"cards": 3, "order": "ascending"}
        self.hall, self.factory = hall, GopsFactory(host, read_defaults(RULES, DOOR, given))
        self.port = reactor.listenTCP(0, self.factory, interface="127.0.0.1")

    @inlineCallbacks
    def tearDown(self):
        yield self.port.stopListening()
        yield self.factory.when_empty()

    def play(self, typed, *arguments):
        where = f"127.0.0.1:{self.port.getHost().port}"
        command = ["-m", "protocols.cli.main", "play", "gops", where, *arguments]
        return said_by(*command, typed=typed)

    @inlineCallbacks
    def test_two_people_play_a_game_from_pipes(self):
        north = self.play("start\nA\n2\n3\nquit\n", "--name", "north")
        while not list(self.factory.host.directory.joinable("gops")):
            yield deferLater(reactor, 0.02)
        (table,) = self.factory.host.directory.joinable("gops")
        south = self.play("3\nnothing\n1\n2\n", "--name", "south", "--table", table.code)
        (said, wrong, status), (other, _, other_status) = yield gatherResults([north, south])
        assert (status, other_status) == (0, 0), (said, wrong, other)
        for heard in (said.decode(), other.decode()):
            assert "north [A♠] : [3♣] south" in heard
            assert "north's Points: 5, south's Points: 1" in heard
            assert "north wins the game!" in heard
        assert len(self.hall) == 0

    @inlineCallbacks
    def test_a_table_that_is_not_there_is_a_failure(self):
        said, _, status = yield self.play("", "--table", "NOSUCH")
        assert status == 1
        assert "Game does does not exist" in said.decode()
