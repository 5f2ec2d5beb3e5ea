"""Robots for each game's own wire: stock clients and line clients, as far as they need to play."""

from __future__ import annotations

import json
import re

from protocols.gops.wire import FrameSplitter, frame
from tests.simulation.robots import Robot


class NimRobot(Robot):
    """A client of Expanding Nim: stock, on lines, or one that can come back."""

    kind = "nim"
    allowed = b"\n"

    def __init__(self, house, book, name, lines, resume):
        super().__init__(house, book, name)
        self.end, self.resume = (b"\n" if lines else b""), resume

    def came(self):
        self._rest, self._left, self._most, self._mine = b"", None, 1, None
        self._order = None

    def went(self):
        self.came()

    def hear(self, data):
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._hear_object(json.loads(line))

    def _hear_object(self, said):
        self.token = said.get("token", self.token)
        if "init_stones" in said:
            self._left, self._most = said["init_stones"], said["init_max"]
            self._mine = said.get("your_turn", self._order == 0)
            self._sum = not said.get("resumed", False)
        elif "stones_left" in said and not said["finished"]:
            if self._sum:
                taken = self._left - said["stones_removed"]
                assert said["stones_left"] == taken, f"{self}: {said}, {self._left} before"
                self._mine = not self._mine
            self._sum = True
            self._left, self._most = said["stones_left"], said["current_max"]
        elif said.get("finished"):
            self._mine = None
            if said.get("winner"):
                self.token = None

    def do_something(self, chance):
        if self._order is None:
            self._greet(chance)
        elif self._mine or (self._mine is False and chance.random() < 0.02):
            self.moves += 1
            stones = chance.randint(1, max(1, min(self._most, self._left)))
            if chance.random() < 0.02:
                stones = chance.choice((0, -1, 2000, 1.5))
            self._put(order=0, num_stones=stones, reset=chance.random() < 0.1)

    def _greet(self, chance):
        self._order = chance.randrange(2)
        if self.token and chance.random() < 0.6:
            self.come_back()
            return
        more = {"resume": True} if self.resume else {}
        if chance.random() < 0.2:
            more["table"] = chance.choice(("here", "there"))
        self._put(name=self.name, order=self._order, **more)

    def come_back(self):
        self._put(token=self.token)

    def _put(self, **said):
        self.cable.send(json.dumps(said).encode() + self.end)


class GopsRobot(Robot):
    """A client of GOPS, on frames or on lines."""

    kind = "gops"
    allowed = b"\n"

    def __init__(self, house, book, name, lines):
        super().__init__(house, book, name)
        self.lines = lines

    def came(self):
        self._rest, self._frames = b"", FrameSplitter()
        self._code, self._turn, self._hand, self._asked = None, False, range(1, 14), False
        self._put(f"SET-USERNAME~{self.name}")

    def hear(self, data):
        if self.lines:
            *bodies, self._rest = (self._rest + data).split(b"\n")
        else:
            bodies = self._frames.feed(data)
            assert not self._frames.broken, f"{self}: no frame: {data!r}"
        for body in bodies:
            self._hear_body(body.decode())

    def _hear_body(self, body):
        command, _, text = body.partition("~")
        match command:
            case "SET-ID":
                self._code = text.strip()
            case "YOUR-TURN":
                self._turn = True
            case "END-GAME":
                self._code, self._turn, self._asked = None, False, False
                self._hand = range(1, 14)
            case "FALSE":
                self._asked = False
            case "TOKEN":
                self.token = text.strip()
            case "INFO" if "Your cards: " in text:
                held = text.partition("Your cards: ")[2]
                self._hand = [int(each) for each in re.findall(r"(\d+): \[", held)] or range(1, 14)

    def do_something(self, chance):
        if self._turn:
            self.moves += 1
            self._turn = chance.random() < 0.05
            card = chance.choice(self._hand) if chance.random() < 0.95 else chance.randint(-1, 20)
            self._put(f"PLAY-TURN~{self._code}${card}")
        elif self._code is None and not self._asked:
            self._asked = True
            self._go_somewhere(chance)
        elif chance.random() < 0.02:
            self._asked = False
            self._put(
                chance.choice(("START-GAME~1", "JOIN-GAME~NOONE", "PLAY-TURN~", "HELP", "!X"))
            )

    def _go_somewhere(self, chance):
        waiting, awake = self.house.joinable("gops"), self.house.tables("gops")
        dice = chance.random()
        if self.lines and self.token and dice < 0.4:
            self.come_back()
        elif self.lines and awake and dice < 0.5:
            self._put(f"SPECTATE~{chance.choice(awake).code}")
        elif waiting and dice < 0.8:
            self._put(f"JOIN-GAME~{chance.choice(waiting).code}")
        else:
            self._put("START-GAME~1")

    def come_back(self):
        self._put(f"RETURN~{self.token}")

    def _put(self, body):
        self.cable.send(body.encode() + b"\n" if self.lines else frame(body))


class PassRobot(Robot):
    """A client of 1-2-3 Pass: stock, or on lines."""

    kind = "pass123"
    allowed = b"\n\t"

    def __init__(self, house, book, name, lines):
        super().__init__(house, book, name)
        self.end = b"\n" if lines else b""

    def came(self):
        self._text, self._news, self._greeted = "", False, False

    def hear(self, data):
        self._text = (self._text + data.decode())[-1500:]
        self._news = True
        found = re.findall(r"TOKEN (\S+)\n", self._text)
        if found:
            self.token = found[-1]

    def do_something(self, chance):
        if not self._greeted:
            self._greeted = True
            if self.end and self.token and chance.random() < 0.6:
                self.come_back()
                return
        hands = re.findall(r"You are P\d+\n-+\n([^\n*]*)\n\*", self._text)
        hand = hands[-1].split() if hands else []
        if chance.random() < 0.02:
            self._put(chance.choice(("START", "START", "AH", "F", "T", "P9ZZ", "QUIT")))
        elif hand and (self._news or chance.random() < 0.05):
            self._news = False
            self.moves += 1
            self._put(self._code(chance, hand))

    def _code(self, chance, hand):
        if "enter 'T'" in self._text[-300:]:
            return "T"
        if len(hand) == 4 and len({card[:-1] for card in hand}) == 1:
            return "F"
        ranks = [card[:-1] for card in hand]
        rare = min(ranks, key=lambda rank: (ranks.count(rank), rank))
        return chance.choice([card for card in hand if card[:-1] == rare])

    def come_back(self):
        self._put(f"RETURN {self.token}")

    def _put(self, code):
        self.cable.send(code.encode() + self.end)


class RikikiRobot(Robot):
    """A client of Rikiki's line wire, for programs."""

    kind = "rikiki"
    allowed = b"\r\n"

    def came(self):
        self._rest, self._asked = b"", []
        self._turn, self._table, self._stage = None, None, "gathering"
        self._told = 0
        self._ask("MODE", "BOT")
        self._ask("NAME", self.name)

    def hear(self, data):
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            text = line.decode().rstrip("\r")
            self._hear_line(text)

    def _hear_line(self, line):
        body, at, number = line.rpartition(" @")
        words = (body if at and number.isdecimal() else line).split()
        if at and number.isdecimal():
            assert words[0] != "OK"
        match words:
            case ["OK", verb, *more]:
                self._done(verb, more)
            case ["ERR", *_]:
                self._fail(words)
            case ["TURN", name, "BID" | "PLAY" as doing, *choices] if choices:
                if name == self.name:
                    self._turn = (doing, choices)
            case ["GATHERED" | "STARTED" | "GAMEOVER" | "ROUNDOVER" | "CLOSED" as what, *_]:
                self._stage, self._turn = what, None

    def _done(self, verb, more):
        assert self._asked, f"{self}: OK {verb} to nothing"
        asked = self._asked.pop(0)
        assert asked == verb, f"{self}: OK {verb} to {asked}"
        match verb, more:
            case "JOIN", [code, _, token]:
                self._table, self.token = code, token
            case (("NEW" | "WATCH" | "REJOIN"), [code, *_]):
                self._table = code
            case "LEAVE", _:
                self._table = None

    def _fail(self, words):
        assert self._asked, f"{self}: {words} to nothing"
        self._asked.pop(0)

    def garble(self, chance):
        """Send nothing that makes no sense: answers could not be told apart by their order."""
        self._ask("TABLES")

    def do_something(self, chance):
        if len(self._asked) > 3:
            return
        if self._table is None:
            self._go_somewhere(chance)
        elif self._turn is not None:
            doing, choices = self._turn
            self._turn = None if chance.random() < 0.9 else self._turn
            self.moves += 1
            self._ask(doing, chance.choice(choices))
        elif self._stage == "ROUNDOVER" and chance.random() < 0.3:
            self._ask("NEXT")
        else:
            self._do_at_table(chance)

    def _go_somewhere(self, chance):
        waiting, awake = self.house.joinable("rikiki"), self.house.tables("rikiki")
        dice = chance.random()
        if self.token and dice < 0.4:
            self.come_back()
        elif waiting and dice < 0.7:
            self._ask("JOIN", chance.choice(waiting).code)
        elif awake and dice < 0.8:
            self._ask("WATCH", chance.choice(awake).code)
        else:
            cards = chance.choice(("first=2", "first=3", "first=1"))
            self._ask("NEW", f"players={chance.randint(2, 4)}", cards)
            self._ask("ADDBOT", chance.choice(("random", "counting")))

    def _do_at_table(self, chance):
        dice = chance.random()
        if dice < 0.1:
            self._ask("ADDBOT", "random")
        elif dice < 0.2:
            self._ask("START")
        elif dice < 0.25:
            self._ask("AGAIN")
        elif dice < 0.3:
            self._ask(chance.choice(("HAND", "TABLE", "WHO", "SCORE", "STATE", "HELP", "TABLES")))
        elif dice < 0.32:
            self._ask("SAY", "hello", "there")
        elif dice < 0.33:
            self._ask(chance.choice(("BID", "PLAY")), chance.choice(("1", "AH", "99")))
        elif dice < 0.36 or self._stage == "CLOSED":
            self._ask("LEAVE")
        elif dice < 0.365:
            self._ask("QUIT")

    def come_back(self):
        self._ask("REJOIN", self.token)

    def _ask(self, verb, *words):
        self._asked.append(verb)
        self.say(" ".join((verb, *words)))
