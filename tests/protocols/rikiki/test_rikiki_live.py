"""Three bots of a few lines play Rikiki through its door on a real socket, and somebody looks on."""

from __future__ import annotations

from twisted.internet import reactor
from twisted.internet.defer import gatherResults, inlineCallbacks
from twisted.internet.task import deferLater

from gamecore.games.rikiki import RULES
from protocols.host.door import read_defaults
from protocols.rikiki.server import DOOR, RikikiFactory
from tests.live_door import LiveDoor
from tests.processes import said_by

BOTS = """
import asyncio, sys
from protocols.rikiki.client import Client

async def play(name, port, code):
    async with Client(name, "127.0.0.1", port) as client:
        await client.do("JOIN", code)
        async for told in client:
            match told.words:
                case ["TURN", _, verb, choice, *_]:
                    await client.do(verb, choice)
                case ["ROUNDOVER", _]:
                    await client.do("NEXT")
        return told.words

async def main(port, code):
    people = [play(name, port, code) for name in ("north", "east", "south")]
    print(await asyncio.gather(*people))

asyncio.run(asyncio.wait_for(main(int(sys.argv[1]), sys.argv[2]), 50))
"""


class TestLive(LiveDoor):
    """The whole way of a card, from one client to the others."""

    @staticmethod
    def build(host):
        return RikikiFactory(host, read_defaults(RULES, DOOR, {}))

    @inlineCallbacks
    def test_three_bots_play_a_whole_game_and_somebody_looks_on(self):
        options = {"players": 3, "first": 4, "schedule": "down-up"}
        table = self.host.hall.find(self.host.open("rikiki", "", options, {"start": "full"}).code)
        port = str(self.port.getHost().port)
        watched = self.play("", "rikiki", "--watch", table.code)
        while not any(link.place for link in self.factory.links):
            yield deferLater(reactor, 0.02)
        played, seen = yield gatherResults([said_by("-c", BOTS, port, table.code), watched])
        assert played[2] == 0, played[1].decode()
        assert played[0].count(b"GAMEOVER") == 3
        assert seen[2] == 0, seen[1].decode()
        lines = seen[0].decode().splitlines()
        assert lines[-1].startswith("GAMEOVER ")
        assert sum(line.startswith("ROUNDOVER") for line in lines) == 7
        assert not any(line.startswith("HAND") for line in lines)
