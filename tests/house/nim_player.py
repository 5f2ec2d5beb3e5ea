"""One who plays Expanding Nim on its own wire, and asks there for a token."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import define, field

from protocols.nim.wire_messages import MessageReader, hello, kind_of, move
from tests.house.players import Message, Player

STONES, RESETS, MAXIMUM = 60, 4, 3


@define(eq=False)
class NimPlayer(Player):
    """Comes to a table by its code, or meets somebody there by a name; who has order 0 moves first."""

    order: int = 0
    my_turn: bool = False  # and no move was sent yet
    _was_ours: bool = False  # whose turn it is until the next state
    _most: int = MAXIMUM
    _shown: bool = True  # the next state is not the one that was come back to
    _reader: MessageReader = field(factory=MessageReader)

    @property
    def meets(self) -> bool:
        return self.token is None and self.party.meeting is not None

    def begin(self) -> None:
        self._reader = MessageReader()
        self.my_turn = False

    def greet(self) -> None:
        if self.token is not None:
            self.say({"token": self.token})
        elif (table := self.party.code or self.party.meeting) is not None:
            self.coming = True
            self.say(hello(self.diary.name, self.order, table, resume=True))

    def tick(self, now: float) -> None:
        """Come no sooner than the table is there."""
        ready = self.token or self.party.code or self.party.meeting
        if ready or self.party.spoiled:
            super().tick(now)

    def cut(self, data: bytes) -> Sequence[bytes]:
        return [json.dumps(each).encode() for each in self._reader.feed(data)]

    def move(self) -> None:
        if self.my_turn:
            stones = self.chance.randint(1, max(1, min(self._most, MAXIMUM)))
            self.my_turn = False
            self.say({**move(stones, order=self.order), "n": self.made})

    def take_in(self, message: Message, now: float) -> None:
        kind = kind_of(message)
        if kind == "start" and "token" in message:
            self.token, self.coming = message["token"], False
            self.made = message.get("played", 0)
            self._shown = not message.get("resumed", False)
            self._most = message["init_max"]
            self._turn(message["your_turn"], now)
        elif kind == "state":
            self._take_state(message, now)
        elif kind == "end" and message.get("winner"):
            self.over = True
            self.end()
        elif kind in ("end", "refusal", "pause"):
            self._turned_away(message, now)

    def _take_state(self, state: Message, now: float) -> None:
        self._most = state["current_max"]
        if self._shown:  # players take turns: it shows our move if the turn was ours
            self.made += self._was_ours
            self._turn(not self._was_ours, now)
        self._shown = True

    def _turn(self, ours: bool, now: float) -> None:
        self.my_turn = self._was_ours = ours
        if ours:
            self.think(now)

    def _turned_away(self, message: Message, now: float) -> None:
        """Come again where that may help; else the game is no more."""
        reason = str(message.get("reason", ""))
        if "at another server" in reason or "closing" in reason or "try again" in reason:
            self.coming = self.coming and "try again" not in reason
            self.lose(now)
        elif "another connection" in reason:
            self.lose(now)
        else:
            self.party.spoiled |= self.token is None
            self.end()
