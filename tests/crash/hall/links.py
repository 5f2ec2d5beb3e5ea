"""One connection of somebody's to the door of JSON lines, and all that was told on it."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import Factory, define, field

from tests.daemons.wrong import Wrong

Message = dict[str, Any]

_DONE = "ok"


@define(eq=False)
class Request:
    """What was asked for, and what became of it: None is that nobody has said."""

    do: str
    fields: Message
    at: int | None  # the number of the last event that was told before
    outcome: str | None = None  # "ok", or the key of the refusal
    reply: Message = Factory(dict)

    @property
    def done(self) -> bool:
        """Whether it was said that it was done."""
        return self.outcome == _DONE


@define(eq=False)
class Link:
    """One connection of one person's."""

    seen: int | None  # the last number that its person had been told when it began
    sock: socket.socket = field(repr=False)
    on_end: Callable[[Link], None] = field(repr=False)
    at: int | None = None  # the number of the last event told, or passed over by a View
    told: list[tuple[int, Message]] = field(factory=list, repr=False)
    views: list[tuple[int, Message]] = field(factory=list, repr=False)
    turns: list[tuple[int, Message]] = field(factory=list, repr=False)
    moves: list[Message] | None = None  # those that may be made now
    arrived: bool = False  # at a table
    word: str | None = None  # why it was closed, if that was said
    parted: str | None = None
    quits: bool = False
    ended: bool = False
    asked: dict[int, Request] = Factory(dict)  # what has no reply yet
    _offered: list[Message] = Factory(list)
    _number: int = 0
    _rest: bytes = b""

    # -- what is said -----------------------------------------------------------------

    def ask(self, do: str, **fields: Any) -> Request:
        """Ask for something; a dead link takes it as well as any."""
        self._number += 1
        request = self.asked[self._number] = Request(do, fields, self.at)
        if do == "play":
            self.moves = None
        line = json.dumps({"do": do, "id": self._number, **fields}).encode() + b"\n"
        with suppress(OSError):  # what it still holds for us is read before its end is seen
            self.sock.sendall(line)
        return request

    def close(self) -> None:
        """Let go of it."""
        self.ended = True
        self.on_end(self)
        self.sock.close()

    # -- what is heard ----------------------------------------------------------------

    def hear(self) -> list[Message]:
        """Read what is there; an end of it ends the link."""
        try:
            data = self.sock.recv(262_144)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.close()
        *lines, self._rest = (self._rest + data).split(b"\n")
        messages = list(map(json.loads, lines))
        for message in messages:
            self._take_in(message)
        return messages

    def _take_in(self, message: Message) -> None:
        """Note what was said, and check what can be checked of it by itself."""
        if self.word is not None:
            raise Wrong(f"more was said after a last word: {message}")
        if "reply" in message:
            self._take_reply(message)
        elif "n" in message and "view" in message:
            self._take_view(message)
        elif "n" in message:
            self._take_event(message)
        elif "turn" in message:
            self._take_turn(message)
        elif "parted" in message:
            self.parted = message["parted"]
        elif "closed" in message:
            self.word = message["closed"]
        elif not message.keys() & {"paused", "token", "rated"}:
            raise Wrong(f"nobody knows what this is: {message}")

    def _take_reply(self, message: Message) -> None:
        request = self.asked.pop(message["reply"], None)
        if request is None:
            raise Wrong(f"nobody asked for this: {message}")
        request.reply = message
        request.outcome = _DONE if message.get("ok") else message["error"]
        if self.parted and not request.done:
            request.outcome = "closing"  # whatever the reason was for one who has no place any more
        if request.do in ("join", "watch", "return") and request.done:
            self.arrived = True
            self.at = request.fields.get("last")
        elif request.do == "play" and not request.done:
            self._take_back(request)

    def _take_back(self, move: Request) -> None:
        """Let a move that was refused be made again; it must have been overtaken by something."""
        if self.at == move.at and move.outcome not in ("closing", "table-closed"):
            raise Wrong(f"a move that had been offered was refused: {move}")
        if self.moves is None:
            self.moves = self._offered

    def _take_view(self, message: Message) -> None:
        number = message["n"]
        least = max(self.seen or 0, self.at or 0)
        if number < least:
            raise Wrong(f"number {least} had been told, and the View has {number}")
        self.at = number
        self.views.append((number, message["view"]))

    def _take_event(self, message: Message) -> None:
        number = message["n"]
        if self.at is None or number != self.at + 1:
            raise Wrong(f"after number {self.at} comes: {message}")
        self.at = number
        self.told.append((number, message))

    def _take_turn(self, message: Message) -> None:
        if self.at is None:
            raise Wrong(f"a turn was told before anything else: {message}")
        self.turns[1:] = [(self.at, message)]  # the first and the last are looked at
        if "moves" in message:
            self.moves = self._offered = message["moves"]
