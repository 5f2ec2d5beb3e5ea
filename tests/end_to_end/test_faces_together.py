"""One table, many faces: a person in the lobby, a program, a client of the original wire, and who looks on."""

from __future__ import annotations

import json
import re
import socket
from itertools import product

import pytest

from protocols.host.door import installed_doors
from tests.patience import SECONDS

STONES = 6
DOORS = {each.kind: each for each in installed_doors()}
LOOPBACK = "tcp:0:interface=127.0.0.1"


class Face:
    """One client at the end of a socket; it keeps all that it was sent."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.heard = b""

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")

    def hear(self, pattern: str) -> re.Match[str]:
        """Read on until what was heard since the last time holds a pattern."""
        while (found := re.search(pattern, self.heard.decode(errors="replace"))) is None:
            data = self.socket.recv(4096)
            assert data, f"closed before {pattern}: {self.heard!r}"
            self.heard += data
        return found

    def close(self) -> None:
        self.socket.close()


class JsonFace(Face):
    """A program."""

    def sit(self, code: str, seat: int) -> None:
        self.ask("join", table=code, seat=seat)

    def watch(self, code: str) -> None:
        self.ask("watch", table=code)
        self.hear(r'"turn":')

    def take(self, stones: int) -> None:
        self.ask("play", move={"is": "Take", "stones": stones, "reset": False})

    def ask(self, do: str, **fields: object) -> None:
        self.say(json.dumps({"do": do, "id": do, **fields}))
        assert '"ok":true' in self.hear(rf'\{{"reply":"{do}".*\n')[0]

    end = r'"event":"GameOver","number":1,"outcome":\{"is":"Outcome","places":\[2,1\]'


class NimFace(Face):
    """A client of the original wire that reads lines."""

    def sit(self, code: str, seat: int) -> None:
        self.say(json.dumps({"name": f"stock {seat}", "order": seat, "table": code}))

    def take(self, stones: int) -> None:
        self.say(json.dumps({"num_stones": stones, "reset": False}))

    end = r'"finished": true.*won the game'


class LobbyFace(Face):
    """A person with netcat."""

    def sit(self, code: str, seat: int) -> None:
        self.say(f"join {code}")

    def watch(self, code: str) -> None:
        self.say(f"watch {code}")
        self.hear(code)

    def take(self, stones: int) -> None:
        self.say(f"take {stones}")

    end = r"Game 1 is over: [^\n]* wins"


FACES = {"json": JsonFace, "nim": NimFace, "lobby": LobbyFace}


class Referee(JsonFace):
    """A program that opens the table, looks on, and knows whose turn it is."""

    def open_table(self) -> str:
        self.ask("open", game="nim", options={"stones": STONES})
        code = self.hear(r'"table":"(\w+)"')[1]
        self.watch(code)
        self.heard = b""
        return code

    def seat(self) -> int | None:
        """Wait until somebody is to move, and say who; None once nobody is."""
        found = self.hear(r'\{"turn":\[(\d*)\][^\n]*\n')
        self.heard = self.heard[found.end() :]
        return int(found[1]) if found[1] else None


@pytest.fixture
def ports(start_daemon):
    """Start a daemon with all doors on free ports; give the ports by door."""
    options = [word for kind in DOORS if kind != "nim" for word in (f"--{kind}", LOOPBACK)]
    daemon = start_daemon(*options)
    return {
        kind: int(re.search(rf"{re.escape(door.title)} at .*\(port (\d+)\)", daemon.log)[1])
        for kind, door in DOORS.items()
    }


def test_each_two_faces_play_at_one_table_and_others_look_on(ports):
    kinds = [kind for kind in FACES if kind in ports]
    for pair in product(kinds, repeat=2):
        play(ports, pair, [kind for kind in kinds if hasattr(FACES[kind], "watch")])
    if "lobby" not in ports:
        pytest.skip("all the others were played, but there is no lobby here")


def play(ports, pair, watching) -> None:
    referee = Referee(ports["json"])
    code = referee.open_table()
    watchers = [FACES[kind](ports[kind]) for kind in watching]
    for watcher in watchers:
        watcher.watch(code)
    players = [FACES[kind](ports[kind]) for kind in pair]
    for seat, player in enumerate(players):
        player.sit(code, seat)
        referee.hear(rf'"event":"Sat","seat":{seat}')
    for turn in range(STONES):
        assert referee.seat() == turn % 2, pair
        players[turn % 2].take(1)
    assert referee.seat() is None
    for each in (referee, *watchers, *players):
        if each is not referee:
            each.hear(each.end)
        each.close()
