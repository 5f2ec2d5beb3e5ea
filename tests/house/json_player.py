"""One who plays any game at the door of JSON lines, by the moves that are offered there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field

from tests.house.players import Message, Player

_MOST_MOVES = 120  # after which one leaves: games of Castle Wars by chance may last for long
_PASSING = {"table-away", "no-such-table", "closing", "too-fast", "table-resting", "name-taken"}


@define(eq=False)
class JsonPlayer(Player):
    """Opens the table if they are the first of a party, sits down, moves, and goes when it is over."""

    opens: bool = False
    options: Mapping[str, object] = field(factory=dict)
    house: Mapping[str, object] = field(factory=dict)
    seen: int | None = None  # the number of the last event that was told
    offered: list[Message] = field(factory=list)
    _asked: dict[int, str] = field(factory=dict)
    _number: int = 0
    _rest: bytes = b""

    def begin(self) -> None:
        self._rest = b""
        self._asked.clear()

    def greet(self) -> None:
        if self.token is None:
            self._ask("hello", name=self.diary.name)
            return
        last = self.seen if self.chance.random() < 0.7 else None
        self._ask("return", token=self.token, **({} if last is None else {"last": last}))

    def cut(self, data: bytes) -> Sequence[bytes]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines

    def tick(self, now: float) -> None:
        """Ask for something, too, when nothing is heard for long: who waits for others hears nothing."""
        if self.sock is not None and not self._asked and now > self.heard_at + 1.0:
            self._ask("who")
        super().tick(now)

    def _ask(self, do: str, **fields: object) -> None:
        self._number += 1
        self._asked[self._number] = do
        self.say({"do": do, "id": self._number, **fields})

    def move(self) -> None:
        if self.made >= _MOST_MOVES:
            self._ask("leave")
        elif self.offered:
            move = self.chance.choice(self.offered)
            self.offered = []
            self._ask("play", move=move, n=self.made)

    def take_in(self, message: Message, now: float) -> None:
        if "reply" in message:
            self._take_reply(message, now)
        elif "token" in message:
            self.token, self.coming = message["token"], False
        elif "view" in message:
            self.seen = message["n"]
            self.over |= message["view"]["stage"] in ("over", "abandoned")
        elif "event" in message:
            self.seen = message["n"]
            self.over |= message["event"] in ("GameOver", "Abandoned")
        elif message.get("moves"):
            self.offered = message["moves"]
            self.think(now)
        elif "closed" in message or "parted" in message:
            self.lose(now)
        if self.over and not self.done and "leave" not in self._asked.values():
            self._ask("leave")

    def _take_reply(self, message: Message, now: float) -> None:
        do = self._asked.pop(message["reply"], "")
        error = message.get("error")
        self.made = message.get("played", self.made)
        if error in _PASSING and do in ("open", "join", "return", "hello"):
            self.coming = False
            self.lose(now)
        elif (do == "return" and error is not None) or do == "leave":
            self.end()
        elif do == "hello" or (do == "who" and self.token is None and not self.coming):
            self._come()
        elif do == "open" and error is None:
            self.party.code = message["table"]
            self._join()
        elif do == "join" and error is not None:
            self.coming, self.party.spoiled = False, True

    def _come(self) -> None:
        """Sit down, once the table is open."""
        if self.party.code is not None:
            self._join()
        elif self.opens:
            fields = {"options": dict(self.options), "house": dict(self.house)}
            self._ask("open", game=self.party.kind, **fields)

    def _join(self) -> None:
        self.coming = True
        self._ask("join", table=self.party.code)
