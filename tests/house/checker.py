"""The checker: what players sent and heard, held against the records, and the records against each other.

It knows the messages of the doors and what a record file says of itself; of how a house does its work it knows
nothing. Whatever cannot be is a ``Wrong``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.daemons.wrong import Wrong
from tests.house.diary import JSON, Diary, Line
from tests.house.nim_checker import check_nim
from tests.house.records import Kept, Message, Plain, moves_of, stream_of

# With these a player who comes back may be sent away, and comes again.
_PASSING = {"table-away", "closing", "too-fast", "table-resting"}
# So a player is parted with who can come back: the daemon ends, or was cut off from that with the table for long.
_PARTINGS = ("closing", "table-away")
_ENDS = ("GameOver", "Abandoned")


def check_player(diary: Diary, kept: Kept, linked: bool = False) -> int:
    """Check all that one player was told of a table; gives how many moves of theirs were acknowledged.

    Where daemons are ``linked`` and things are on their way between them, whether a move was made that is answered
    ``table-away`` is told later.
    """
    if diary.wire == JSON:
        check_stream(diary, stream_of(kept, diary.name))
        check_return(diary)
        return check_moves(diary, moves_of(kept, diary.name), linked)
    return check_nim(diary, stream_of(kept, diary.name), moves_of(kept, diary.name))


# -- JSON lines -----------------------------------------------------------------------


def check_stream(diary: Diary, stream: Sequence[Message]) -> None:
    """Check that events were told without a gap or a repeat, and that each is what the record has there."""
    seen, at, link = 0, None, 0
    asked: dict[Any, Message] = {}
    for line, message in _messages(diary):
        if line.link != link:
            link, at, asked = line.link, None, {}
        if line.sent:
            asked[message["id"]] = message
        elif message.get("reply") in asked and message.get("ok"):
            at = asked[message["reply"]].get("last", at)
        elif "view" in message:
            if message["n"] < seen:
                raise Wrong(f"{diary.name} had been told {seen} events, then saw {message['n']}")
            at = message["n"]
        elif "n" in message:
            if at is None or message["n"] != at + 1:
                raise Wrong(f"{diary.name} was told after event {at}: {line.data!r}")
            at = message["n"]
            _check_event(diary, message, stream)
        seen = max(seen, at or 0)
    if seen > len(stream):
        raise Wrong(f"{diary.name} knew of {seen} events, the record of {len(stream)}")


def _check_event(diary: Diary, message: Message, stream: Sequence[Message]) -> None:
    number = message["n"]
    told = {name: value for name, value in message.items() if name not in ("n", "table")}
    recorded = stream[number - 1] if number <= len(stream) else None
    if told != recorded:
        raise Wrong(f"{diary.name} was told {told} as event {number}, recorded is {recorded}")


def check_moves(diary: Diary, recorded: Sequence[Plain], linked: bool = False) -> int:
    """Check that each move acknowledged is in the record once, in its place, and that no other is.

    Who comes back is told how many there are: what they had sent beyond that must never come to be.
    """
    sent: dict[int, list[Plain]] = {}
    asked: dict[Any, Message] = {}
    done = 0
    for line, message in _messages(diary):
        if line.sent:
            asked[line.link, message["id"]] = message
            if message["do"] == "play":
                sent.setdefault(message["n"], []).append(message["move"])
            continue
        request = asked.get((line.link, message.get("reply")), {})
        if "played" in message:
            _check_count(diary, message["played"], done, len(recorded))
        if request.get("do") == "return" and message.get("ok"):
            for number in [each for each in sent if each >= message["played"]]:
                del sent[number]
        elif request.get("do") == "play":
            done = max(done, _check_answer(diary, request, message, recorded))
            if "error" in message and not (linked and message["error"] == "table-away"):
                sent[request["n"]].remove(request["move"])
    for number, move in enumerate(recorded):
        if move not in sent.get(number, []):
            raise Wrong(f"{diary.name} sent {sent.get(number)}, recorded as {number} is {move}")
    return done


def _check_count(diary: Diary, told: int, done: int, recorded: int) -> None:
    if not done <= told <= recorded:
        raise Wrong(f"{diary.name} was told of {told} moves, knew of {done}, recorded: {recorded}")


def _check_answer(
    diary: Diary, request: Message, answer: Message, recorded: Sequence[Plain]
) -> int:
    """Check a move that was answered; gives how many are done if it is."""
    if "error" in answer:
        return 0
    number = int(request["n"])
    there = recorded[number] if number < len(recorded) else None
    if there is None or (there != request["move"] and not answer.get("again")):
        raise Wrong(f"{diary.name} was told that {request} is done, recorded is {there}")
    return number + 1


def check_return(diary: Diary) -> None:
    """Check that nobody who held a token was sent away from a seat, but who had left or had seen the end."""
    asked: dict[Any, str] = {}
    over = False
    for line, message in _messages(diary):
        if line.sent:
            asked[line.link, message["id"]] = message["do"]
            over |= message["do"] == "leave"
            continue
        over |= message.get("event") in _ENDS
        over |= message.get("view", {}).get("stage") in ("over", "abandoned")
        do, error = asked.get((line.link, message.get("reply"))), message.get("error")
        if do == "return" and error is not None and error not in _PASSING and not over:
            raise Wrong(f"{diary.name} has lost the seat: {line.data!r}")
        if message.get("parted", "closing") not in _PARTINGS:
            raise Wrong(f"{diary.name} was sent away: {line.data!r}")


def _messages(diary: Diary) -> Iterator[tuple[Line, Message]]:
    for line in diary.lines:
        yield line, json.loads(line.data)
