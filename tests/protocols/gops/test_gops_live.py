"""Two people play GOPS with ``parlour play`` against the real door on a real socket."""

from __future__ import annotations

from twisted.internet import reactor
from twisted.internet.defer import gatherResults, inlineCallbacks
from twisted.internet.task import deferLater

from gamecore.games.gops import RULES
from protocols.gops.server import DOOR, GopsFactory
from protocols.host.door import read_defaults
from tests.live_door import LiveDoor


class TestLive(LiveDoor):
    """The whole way of a card, from one terminal to the other."""

    @staticmethod
    def build(host):
        return GopsFactory(host, read_defaults(RULES, DOOR, {"cards": 3, "order": "ascending"}))

    @inlineCallbacks
    def test_two_people_play_a_game_from_pipes(self):
        north = self.play("start\nA\n2\n3\nquit\n", "gops", "--name", "north")
        while not list(self.host.directory.joinable("gops")):
            yield deferLater(reactor, 0.02)
        (table,) = self.host.directory.joinable("gops")
        south = self.play("3\nnothing\n1\n2\n", "gops", "--name", "south", "--table", table.code)
        (said, wrong, status), (other, _, other_status) = yield gatherResults([north, south])
        assert (status, other_status) == (0, 0), (said, wrong, other)
        for heard in (said.decode(), other.decode()):
            assert "north [A♠] : [3♣] south" in heard
            assert "north's Points: 5, south's Points: 1" in heard
            assert "north wins the game!" in heard
        assert len(self.hall) == 0

    @inlineCallbacks
    def test_a_table_that_is_not_there_is_a_failure(self):
        said, _, status = yield self.play("", "gops", "--table", "NOSUCH")
        assert status == 1
        assert "Game does does not exist" in said.decode()
