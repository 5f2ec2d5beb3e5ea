"""Robots for each game's own wire: stock clients and line clients, as far as they need to play."""

from __future__ import annotations

from protocols.gops import wire as gops
from protocols.nim.wire_messages import MessageReader, hello, kind_of, move, write
from protocols.pass123 import wire as pass123
from protocols.rikiki import wire as rikiki
from tests.simulation.robots import Robot


class NimRobot(Robot):
    """A client of Expanding Nim: stock, on lines, or one that can come back."""

    kind = "nim"
    allowed = b"\n"

    def __init__(self, house, book, name, lines, resume):
        super().__init__(house, book, name)
        self.end, self.resume = (b"\n" if lines else b""), resume

    def came(self):
        self._reader, self._left, self._most, self._mine = MessageReader(), None, 1, None
        self._order = None

    def went(self):
        self.came()

    def hear(self, data):
        for said in self._reader.feed(data):
            self._hear_object(said)

    def _hear_object(self, said):
        self.token = said.get("token", self.token)
        match kind_of(said):
            case "start":
                self._left, self._most = said["init_stones"], said["init_max"]
                self._mine = said.get("your_turn", self._order == 0)
                self._sum = not said.get("resumed", False)
            case "state":
                if self._sum:
                    taken = self._left - said["stones_removed"]
                    assert said["stones_left"] == taken, f"{self}: {said}, {self._left} before"
                    self._mine = not self._mine
                self._sum = True
                self._left, self._most = said["stones_left"], said["current_max"]
            case "end" | "refusal":
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
            self._put(move(stones, chance.random() < 0.1))

    def _greet(self, chance):
        self._order = chance.randrange(2)
        if self.token and chance.random() < 0.6:
            self.come_back()
            return
        table = chance.choice(("here", "there")) if chance.random() < 0.2 else None
        self._put(hello(self.name, self._order, table, resume=self.resume))

    def come_back(self):
        self._put({"token": self.token})

    def _put(self, said):
        self.cable.send(write(said).rstrip() + self.end)


class GopsRobot(Robot):
    """A client of GOPS, on frames or on lines."""

    kind = "gops"
    allowed = b"\n"

    def __init__(self, house, book, name, lines):
        super().__init__(house, book, name)
        self.lines = lines

    def came(self):
        self._reader = gops.MessageReader(frames=not self.lines)
        self._code, self._turn, self._hand, self._asked = None, False, range(1, 14), False
        self._put(f"SET-USERNAME~{self.name}")

    def hear(self, data):
        for message in self._reader.feed(data):
            self._hear_message(message)

    def _hear_message(self, message):
        match message.command:
            case "SET-ID":
                self._code = message.text
            case "YOUR-TURN":
                self._turn = True
            case "END-GAME":
                self._code, self._turn, self._asked = None, False, False
                self._hand = range(1, 14)
            case "FALSE":
                self._asked = False
            case "TOKEN":
                self.token = message.text
        self._hand = message.hand or self._hand

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
        self.cable.send((gops.line if self.lines else gops.frame)(body))


class PassRobot(Robot):
    """A client of 1-2-3 Pass: stock, or on lines."""

    kind = "pass123"
    allowed = b"\n\t"

    def __init__(self, house, book, name, lines):
        super().__init__(house, book, name)
        self.end = b"\n" if lines else b""

    def came(self):
        self._reader, self._greeted = pass123.MessageReader(), False
        self._board, self._news, self._tapping = None, False, False

    def hear(self, data):
        self._news = True
        # A stock client's texts do not all end with a line end, but those that tell a board do.
        text = data if self.end or data.endswith(b"\n") else data + b"\n"
        for message in self._reader.feed(text):
            self.token = message.token or self.token
            self._board = message.board or self._board
            self._tapping = "enter 'T'" in message.text or (self._tapping and not message.prefix)

    def do_something(self, chance):
        if not self._greeted:
            self._greeted = True
            if self.end and self.token and chance.random() < 0.6:
                self.come_back()
                return
        hand = () if self._board is None else self._board.hand
        if chance.random() < 0.02:
            self._put(chance.choice(("START", "START", "AH", "F", "T", "P9ZZ", "QUIT")))
        elif hand and (self._news or chance.random() < 0.05):
            self._news = False
            self.moves += 1
            self._put(self._code(chance, hand))

    def _code(self, chance, hand):
        if self._tapping:
            return "T"
        ranks = [card.rank for card in hand]
        if len(hand) == 4 and len(set(ranks)) == 1:
            return "F"
        rare = min(ranks, key=lambda rank: (ranks.count(rank), rank))
        return str(chance.choice([card for card in hand if card.rank == rare]))

    def come_back(self):
        self._put(f"RETURN {self.token}")

    def _put(self, code):
        self.cable.send(code.encode() + self.end)


class RikikiRobot(Robot):
    """A client of Rikiki's line wire, for programs."""

    kind = "rikiki"
    allowed = b"\r\n"

    def came(self):
        self._reader, self._asked = rikiki.ToldReader(), []
        self._turn, self._table, self._stage = None, None, "gathering"
        self._told = 0
        self._ask("MODE", "BOT")
        self._ask("NAME", self.name)

    def hear(self, data):
        for told in self._reader.feed(data):
            self._hear_words(told.words)

    def _hear_words(self, words):
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
