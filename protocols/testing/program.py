"""The one robot of tests: a program at the door of JSON lines, that plays any game from what it is offered."""

from __future__ import annotations

import json
from itertools import count
from random import Random
from typing import Any

from protocols.testing.house import House
from protocols.testing.peer import Peer


class Program(Peer):
    """It asks, and is answered before ``ask`` returns; ``moves`` are those it may choose from now.

    ``token`` is what brings it back to its seat, once it has one; ``messages`` are all that it was told.
    """

    settles = True

    def __init__(self, house: House, name: str) -> None:
        super().__init__(house.clock, house.door("json"))
        house.peers.append(self)
        self.name = name
        self.token: str | None = None
        self.moves: list[Any] = []
        self.messages: list[dict[str, Any]] = []
        self._ids = count(1)
        self.ask("hello", name=name)

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """Send a request, and give the one reply to it."""
        id = next(self._ids)
        self.say(json.dumps({"do": do, "id": id, **fields}).encode() + b"\n")
        replies = [each for each in self.hear() if each.get("reply") == id]
        assert len(replies) == 1, f"{self.name} was answered {replies} to {do}"
        return replies[0]

    def hear(self) -> list[dict[str, Any]]:
        """Take in what came since the last time, and give it."""
        *lines, rest = self.fresh().split(b"\n")
        assert not rest, f"a line has no end: {rest!r}"
        fresh = [json.loads(line) for line in lines]
        for each in fresh:
            if "turn" in each:
                self.moves = each.get("moves", self.moves)
            elif "token" in each:
                self.token = each["token"]
            elif "parted" in each:
                self.moves = []
        self.messages += fresh
        return fresh

    def play(self, chance: Random) -> bool:
        """Play one of the moves that are offered, if there are any."""
        self.hear()
        if not self.moves or self.closed:
            return False
        move, self.moves = chance.choice(self.moves), []
        self.ask("play", move=move)
        return True
