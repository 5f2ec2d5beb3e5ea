"""A program on JSON lines: it plays every game from the moves that it is offered, and checks all it is told."""

from __future__ import annotations

import json
from collections import deque

from gamecore.bots import bots_of
from protocols.host.secrets import hash_token
from tests.simulation.robots import Robot

_LINE = b"\n"


class JsonRobot(Robot):
    """One program; ``n`` is the number of the last event of the stream it is on."""

    kind = "json"
    allowed = b"\n"

    def __init__(self, house, book, name):
        super().__init__(house, book, name)
        self._rest = b""
        self._ids = 0
        self.seen = {}  # the last number seen of each stream, by table and token
        self.forget()

    def forget(self):
        self.table = self.n = self.view = self.turn = None
        self.stream = None
        self.ended = ""  # the last of the events that end or begin a table's games
        self._awaited = deque()  # the ids that were not replied to, and what was asked
        self._rest = b""

    def came(self):
        self.forget()
        self.ask("hello", name=self.name)

    def went(self):
        self.forget()

    def garble(self, chance):
        """Send nonsense; what replies there are to it bear no id."""
        super().garble(chance)

    # -- hearing ----------------------------------------------------------------------

    def hear(self, data):
        *lines, self._rest = (self._rest + data).split(_LINE)
        for line in lines:
            self._hear_line(line)

    def _hear_line(self, line):
        said = json.loads(line)
        if "reply" in said:
            self._hear_reply(said)
        elif "event" in said:
            self._hear_event(said, line)
        elif "view" in said:
            self._hear_view(said)
        elif "turn" in said:
            assert said["table"] == self.table, f"{self}: a turn of another table: {said}"
            if "moves" in said or self.turn is None:
                self.turn = said
            else:
                self.turn = {**said, "moves": self.turn["moves"]}
        elif "token" in said:
            self.token = said["token"]
        elif "parted" in said:
            self.table = self.view = self.turn = None

    def _hear_reply(self, said):
        if said["reply"] is None:
            return
        assert self._awaited, f"{self}: a reply to nothing: {said}"
        id, request = self._awaited.popleft()
        assert said["reply"] == id, f"{self}: a reply out of turn, {said} to {id} {request}"
        if "error" in said:
            assert said["error"] != "error", said
            return
        match request["do"]:
            case "join" | "watch" | "return":
                self.table, self.n = said["table"], request.get("last")
                self.view = self.turn = None
                if request["do"] == "return":
                    self.token = request["token"]
                self.stream = None if request["do"] == "watch" else "mine"
            case "leave":
                self.table = self.view = self.turn = None

    def _key(self):
        return None if self.stream is None else hash_token(self.token)

    def _hear_event(self, said, line):
        assert said["table"] == self.table, f"{self}: an event of another table: {said}"
        assert self.n is not None, f"{self}: an event before the View: {said}"
        assert said["n"] == self.n + 1, f"{self}: event {said['n']} after {self.n}"
        self.n += 1
        if said["event"] in ("GameOver", "Abandoned", "Gathered"):
            self.ended = said["event"]
        self.book.check_event(self, self.table, self._key(), self.n, line)
        self.seen[self.table, self._key()] = self.n

    def _hear_view(self, said):
        view = said["view"]
        self.stream = None if view["seat"] is None else "mine"
        key = (said["table"], self._key())
        assert said["table"] == self.table, f"{self}: a View of another table"
        if key[1] is not None and key in self.seen:
            assert said["n"] >= self.seen[key], f"{self}: {said['n']} after {self.seen[key]}"
        self.n, self.view = said["n"], view
        self.ended = {"over": "GameOver", "abandoned": "Abandoned"}.get(view["stage"], "")
        self.book.check_view(self, self.table, key[1], self.n, view)
        self.seen[key] = self.n

    # -- doing ------------------------------------------------------------------------

    def ask(self, do, **fields):
        """Send a request."""
        self._ids += 1
        request = {"do": do, "id": self._ids, **fields}
        self._awaited.append((self._ids, request))
        self.say(json.dumps(request))

    def do_something(self, chance):
        if self._awaited and (self.view is None or len(self._awaited) > 5):
            return  # on its way, or without an answer
        if self.table is None:
            self._go_somewhere(chance)
        elif self.view is None:
            self.ask("who")
        elif self.turn is not None and self.turn["moves"] and chance.random() < 0.9:
            self.moves += 1
            self.ask("play", move=chance.choice(self.turn["moves"]))
        else:
            self._do_at_table(chance)

    def _go_somewhere(self, chance):
        kind = chance.choice(self.house.registry.kinds)
        waiting = self.house.joinable()
        awake = self.house.tables()
        dice = chance.random()
        if self.token and dice < 0.3:
            self.come_back()
        elif waiting and dice < 0.65:
            self.ask("join", table=chance.choice(waiting).code)
        elif awake and dice < 0.75:
            self.ask("watch", table=chance.choice(awake).code)
        elif dice < 0.77:
            self.ask(chance.choice(("games", "tables", "who", "schema")), **_game(chance, kind))
        else:
            self._open(chance, kind)

    def _open(self, chance, kind):
        house = {
            "start": chance.choice(("full", "asked")),
            "absent": chance.choice(("forfeit", "bot", "wait")),
            "grace": chance.choice((1, 5, 60)),
            "expiry": chance.choice((30, 300)),
            "private": chance.random() < 0.1,
            "watchers": chance.random() < 0.9,
            "rematch": chance.choice(("rotate", "shuffle")),
        }
        word = {"password": "sesame"} if chance.random() < 0.04 else {}
        options = self.house.random_options(kind)
        self.ask("open", game=kind, options=options, house={**house, **word})
        self.ask("join", **word)

    def come_back(self, last=True):
        """Ask for the seat that was given a token."""
        code = self.token.partition(".")[0]
        seen = self.seen.get((code, hash_token(self.token)))
        more = {"last": seen} if last and seen is not None else {}
        self.ask("return", token=self.token, **more)

    def _do_at_table(self, chance):
        dice, seated = chance.random(), self.view["seat"] is not None
        if self.ended == "Abandoned" or (self.ended == "GameOver" and dice > 0.9):
            self.ask("leave")
        elif seated and dice < 0.3:
            self.ask("bot", level=chance.choice(list(bots_of(self.view["kind"]))))
        elif seated and dice < 0.5:
            self.ask("start")
        elif seated and dice < 0.58:
            self.ask("rematch")
        elif dice < 0.63:
            self.ask("look")
        elif dice < 0.66:
            self.ask("say", words=f"a remark of {self.name}")
        elif dice < 0.68:
            self.ask("mix", words="a rainy day")
        elif dice < 0.72:
            self.ask("play", move={"is": "NextRound"})
        elif dice < 0.75:
            self.ask("replace", seat=chance.randrange(3))
        elif dice < 0.76:
            self.ask("abandon")
        elif dice < (0.77 if seated else 0.85):
            self.ask("leave")
        elif dice < 0.775:
            self.ask("quit")
        elif not seated and dice < 0.9:
            self.ask("join")


def _game(chance, kind):
    return {"game": kind} if chance.random() < 0.5 else {}
