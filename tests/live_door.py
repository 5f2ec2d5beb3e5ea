"""A door on a real socket, played at by ``parlour play`` in processes of their own."""

from __future__ import annotations

from random import Random

from twisted.internet import reactor
from twisted.internet.defer import inlineCallbacks
from twisted.trial.unittest import TestCase

from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from tests.processes import said_by


class LiveDoor(TestCase):
    """A subclass says what its door is, by ``build``, a function of the Host."""

    timeout = 60

    @staticmethod
    def build(host):
        raise NotImplementedError

    def setUp(self):
        self.hall = Hall(Registry(installed_rules()))
        self.host = Host(self.hall, MemoryJournal(reactor), reactor, lambda: 1e9, Random(1))
        self.factory = self.build(self.host)
        self.port = reactor.listenTCP(0, self.factory, interface="127.0.0.1")
        self.where = f"127.0.0.1:{self.port.getHost().port}"

    @inlineCallbacks
    def tearDown(self):
        yield self.port.stopListening()
        yield self.host.close()
        yield self.factory.dismiss_all("closing")

    def play(self, typed, game, *arguments):
        """Let somebody type at this door; gives what is printed, what is complained of, and the status."""
        command = ["-m", "protocols.cli.main", "play", game, self.where, *arguments]
        return said_by(*command, typed=typed)
