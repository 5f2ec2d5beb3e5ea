"""The objects of the Nim wire as both sides read and write them; what they mean is said in ``wire``.

Nothing but the standard library is needed here, so that a bot needs no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from protocols.net.json_objects import ObjectStream

Message = dict[str, Any]
Kind = Literal["start", "refusal", "state", "end", "pause", "wrong-count"]
MOST_TOLD = 65536  # bytes of an object to a client


def write(message: Mapping[str, object]) -> bytes:
    """Write an object of either side's."""
    return json.dumps(message).encode() + b"\n"


def read(data: bytes) -> Message:
    """Read an object of either side's; raises ValueError for what is none."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("that is no JSON") from None
    if not isinstance(message, dict):
        raise ValueError("that is no JSON object")
    return message


def hello(
    name: str, order: int, table: str | None = None, password: str = "", resume: bool = False
) -> Message:
    """Say who comes, which seat is wanted, and where; ``resume`` asks for a way to come back."""
    said: Message = {"name": name, "order": order}
    said |= {} if table is None else {"table": table}
    said |= {"password": password} if password else {}
    return said | ({"resume": True} if resume else {})


def move(stones: int, reset: bool = False, order: int = 0) -> Message:
    """Say what is taken, as the original client does."""
    return {"order": order, "num_stones": stones, "reset": reset}


def first_state(stones: int, resets: int, most: int) -> Message:
    """Give the state before any move, as if it had been told: what is told changes it."""
    player = {"resets_left": resets, "time_taken": 0, "name": ""}
    return {
        "finished": False,
        "reason": None,
        "winner": None,
        "current_max": most,
        "stones_left": stones,
        "stones_removed": 0,
        "reset_used": False,
        "player_0": player,
        "player_1": {**player},
    }


def kind_of(message: Message) -> Kind | None:
    """Tell what a message to a client is; None for what is no message.

    A ``start`` of no stones and no resets is followed by why there is no game; a ``refusal`` has a reason and no
    board; an ``end`` is a state that somebody has won, or that is void.
    """
    if "init_stones" in message:
        return "start"
    if message.get("closing") is True:
        return "pause"
    if "refused" in message:
        return "wrong-count"
    if "finished" not in message:
        return None
    if "stones_left" not in message:
        return "refusal"
    return "end" if message["finished"] else "state"


class MessageReader:
    """Cuts what a client is sent into messages; it need not keep to one object a line."""

    def __init__(self) -> None:
        self._stream = ObjectStream(limit=MOST_TOLD)

    def feed(self, data: bytes) -> Iterator[Message]:
        """Give the messages that end in these bytes; raises ValueError for what is none, behind those before it."""
        yield from map(read, self._stream.feed(data))
        if self._stream.broken:
            raise ValueError(self._stream.broken)
