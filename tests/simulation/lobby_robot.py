"""A visitor of the lobby: it types words, and its moves as a person would."""

from __future__ import annotations

import re

import attrs

from gamecore.rules import NextRound
from tests.simulation.robots import Robot

_TOKEN = re.compile(rb"RETURN ([A-Z0-9]{5}\.[0-9a-f]{32})")
_NEGOTIATION = (
    b"\xff\xfd\x01",
    b"\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0",
    b"\xff\xf4\xff\xfd\x06",
    b"\xff\xf6",
)
_HALL = (
    "GAMES",
    "TABLES",
    "WHO",
    "HELP",
    "HELP ALL",
    "WHY",
    "SAY good evening",
    "NAME",
    "?",
    "xyzzy",
)
_TABLE = (
    *("BOARD", "BOARD", "WHY", "WHO", "SAY well", "START", "START", "BOT", "BOT", "REMATCH"),
    *("REMATCH", "MIX a rainy day", "SEED", "SUITS letters", "COLOUR on", "LANG fr", "HELP"),
    *("RULES", "LEAVE", "SIT", "JOIN", "TELL guest-1 hello"),
)


def typed(move):
    """Write a move as a person might type it: the game's word for it, and what belongs to it."""
    match type(move).__name__, attrs.astuple(move, recurse=False):
        case "Take", (stones, reset):
            return f"{stones} reset" if reset else f"take {stones}"
        case "Bid", (number,):
            return f"bid {number}"
        case "Pass", (card,):
            return f"pass {card}"
        case "PlayCard", (card,):
            return f"play {card}"
        case ((("Finish" | "Tap") as word), ()):
            return word.lower()
    return "next" if isinstance(move, NextRound) else "board"  # of a game that nobody types here


class LobbyRobot(Robot):
    """One visitor; it looks over the shoulder of its own link to see what it may do."""

    kind = "lobby"
    allowed = b"\r\n\x1b"  # colours, where they were asked for

    def __init__(self, house, book, name):
        super().__init__(house, book, name)
        self._tail = b""

    def came(self):
        self._tail = b""
        self.say(f"NAME {self.name}")

    def check_bytes(self, data):
        text = re.sub(rb"\xff[\xfb-\xfe].|\xff[^\xfa]", b"", data, flags=re.DOTALL)
        super().check_bytes(text)
        assert b"\n" not in text.replace(b"\r\n", b""), f"{self}: a bare LF in {text!r}"
        assert text.count(b"\r") == text.count(b"\r\n"), f"{self}: a bare CR in {text!r}"

    def hear(self, data):
        self._tail = (self._tail + data)[-400:]
        found = _TOKEN.findall(self._tail)
        if found:
            self.token = found[-1].decode()

    def do_something(self, chance):
        link = self.cable.link
        sight, place = getattr(link, "sight", None), getattr(link, "place", None)
        if chance.random() < 0.01:
            self.cable.send(chance.choice(_NEGOTIATION))
        if sight is None or place is None:
            self._go_somewhere(chance)
        elif sight.live and sight.is_turn_of(link.seat) and chance.random() < 0.9:
            self._move(chance, sight.moves()[0])
        elif sight.stage.value == "abandoned":
            self.say("LEAVE")
        elif not sight.live or place.player is None or chance.random() < 0.2:
            self.say(chance.choice(_TABLE))

    def _move(self, chance, moves):
        if moves:
            self.moves += 1
            self.say(typed(chance.choice(moves)), chance.choice((b"\r\n", b"\n", b"\r\0")))

    def _go_somewhere(self, chance):
        kind = chance.choice(self.house.registry.kinds)
        waiting = self.house.joinable()
        awake = self.house.tables()
        dice = chance.random()
        if self.token and dice < 0.3:
            self.come_back()
        elif waiting and dice < 0.6:
            self.say(f"JOIN {chance.choice(waiting).code}")
        elif awake and dice < 0.7:
            self.say(f"WATCH {chance.choice(awake).code}")
        elif dice < 0.75:
            self.say(chance.choice(_HALL))
        elif dice < 0.85:
            self.say(f"PLAY {kind} random{self._options(kind)}")
        else:
            self.say(f"OPEN {kind}{self._options(kind)} grace={chance.choice((2, 60))}")

    def _options(self, kind):
        return "".join(f" {k}={v}" for k, v in self.house.random_options(kind).items())

    def come_back(self):
        """Ask for the seat that was given a token."""
        self.say(f"RETURN {self.token}")
