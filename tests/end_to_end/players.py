"""Players who come by different doors to the same table."""

from __future__ import annotations

import json
import re
import socket
from collections import deque
from collections.abc import Callable
from itertools import count

from protocols.gops import wire
from tests.patience import SECONDS


class Wire:
    """The end of a socket; what was looked for is not found twice."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.heard = b""

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def until(self, pattern: str) -> re.Match[str]:
        """Read on until something is there, and forget all up to it but the match."""
        while (found := re.search(pattern, self.text())) is None:
            data = self.socket.recv(4096)
            assert data, f"closed before {pattern}: {self.text()}"
            self.heard += data
        self.heard = self.text()[found.end() :].encode()
        return found

    def text(self) -> str:
        return self.heard.decode()


class Line(Wire):
    """A client of a game's own wire that ends its lines."""

    def say(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")


class Frames(Wire):
    """A stock client of GOPS: each message behind 64 bytes that tell how long it is."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.reader = wire.MessageReader(frames=True)
        self.bodies: deque[str] = deque()

    def say(self, body: str) -> None:
        self.socket.sendall(wire.frame(body))

    def until(self, pattern: str) -> re.Match[str]:
        """Read whole frames until one of them holds a pattern."""
        while True:
            while not self.bodies:
                data = self.socket.recv(4096)
                assert data, f"closed before {pattern}"
                self.bodies.extend(map(wire.write, self.reader.feed(data)))
            if found := re.search(pattern, self.bodies.popleft()):
                return found


class Lobby(Line):
    """A person with netcat, under a name."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port)
        self.say(f"name {name}")
        self.until(f"You are called {name}")

    def board(self) -> str:
        """Ask how it stands, and give the drawing without the prompt."""
        self.say("board")
        return self.until(r"(?s)(Round \d+ of \d+\..*?)\[")[1]


class Program:
    """A program with JSON lines; what it was not looking for is kept."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.lines = self.socket.makefile("r")
        self.kept: list[dict] = []
        self.numbers = count(1)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.socket.close()

    def until(self, fits: Callable[[dict], object]) -> dict:
        """Give the next message that fits."""
        for at, said in enumerate(self.kept):
            if fits(said):
                return self.kept.pop(at)
        for line in self.lines:
            said = json.loads(line)
            if fits(said):
                return said
            self.kept.append(said)
        raise AssertionError(f"closed: {self.kept}")

    def event(self, kind: str) -> dict:
        return self.until(lambda said: said.get("event") == kind)

    def moves(self) -> list[dict]:
        """Wait until it is its turn, and say what it may do."""
        return self.until(lambda said: said.get("moves"))["moves"]

    def ask(self, do: str, **fields: object) -> dict:
        number = next(self.numbers)
        said = json.dumps({"do": do, "id": number, **fields})
        self.socket.sendall(said.encode() + b"\n")
        reply = self.until(lambda said: said.get("reply") == number)
        assert reply["ok"], reply
        return reply

    def look(self) -> dict:
        """Give the board as it stands, all older ones being forgotten."""
        self.kept = [said for said in self.kept if "view" not in said]
        self.ask("look")
        return self.until(lambda said: "view" in said)["view"]["board"]


class PassProgram(Program):
    """A program at a table of 1-2-3 Pass."""

    def hand(self) -> list[str]:
        self.passes = {
            move["card"]["rank"] + move["card"]["suit"]: move
            for move in self.moves()
            if move["is"] == "Pass"
        }
        return list(self.passes)

    def lay(self, card: str) -> None:
        self.ask("play", move=self.passes[card])
