"""What a player of Expanding Nim was told on its own wire, held against the record of the table."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import Factory, define

from tests.daemons.wrong import Wrong
from tests.house.diary import Diary
from tests.house.records import Message, Plain

# With these a player is sent away who can come again.
_PASSING = ("at another server", "closing", "another connection", "try again")


@define(eq=False)
class _Told:
    """How far a player has been told; places are states of the record, the first is 1."""

    sent: dict[int, list[int]] = Factory(dict)
    place: int = 0
    on_link: int | None = None  # the same, of the link
    done: int = 0  # moves of theirs that were shown
    over: bool = False
    token: bool = False


def check_nim(diary: Diary, stream: Sequence[Message], moves: Sequence[Plain]) -> int:
    """Check the states that were told, one by one, and the moves; gives how many were acknowledged."""
    states = [each for each in stream if each["event"] in ("Taken", "Faulted")]
    told = _Told()
    link = 0
    for line in diary.lines:
        if line.link != link:
            link, told.on_link = line.link, None
        message = json.loads(line.data)
        if line.sent:
            _take_sent(told, message)
        elif "init_stones" in message:
            _check_start(diary, told, message, len(moves))
            if "played" in message:
                _forget_beyond(told, message["played"])
        elif "stones_left" in message and not (message["finished"] and not message["winner"]):
            _check_state(diary, told, message, states)
        elif told.token and not told.over:
            _check_word(diary, message)
    for number, move in enumerate(moves):
        if move["stones"] not in told.sent.get(number, []):
            raise Wrong(f"{diary.name} sent {told.sent}, recorded as {number} is {move}")
    return told.done


def _take_sent(told: _Told, message: Message) -> None:
    if "n" in message:
        told.sent.setdefault(message["n"], []).append(message["num_stones"])


def _check_start(diary: Diary, told: _Told, start: Message, recorded: int) -> None:
    """Check how many moves one is told of who comes back."""
    told.token |= "token" in start
    if "played" not in start:
        return
    if not told.done <= start["played"] <= recorded:
        raise Wrong(f"{diary.name} knew of {told.done} moves, recorded: {recorded}; told: {start}")


def _forget_beyond(told: _Told, played: int) -> None:
    """Forget what was sent beyond what one who comes back is told of: it must never come to be."""
    for number in [each for each in told.sent if each >= played]:
        del told.sent[number]


def _check_state(diary: Diary, told: _Told, message: Message, states: Sequence[Message]) -> None:
    shown = (message["stones_left"], message["finished"])
    place = next((at for at, each in enumerate(states, 1) if _shown(each) == shown), None)
    if place is None:
        raise Wrong(f"{diary.name} was told {message}, which is not in the record")
    if place < told.place or (told.on_link is not None and place != told.on_link + 1):
        raise Wrong(f"{diary.name} was told state {place} behind {told.on_link or told.place}")
    told.on_link, told.place = place, max(place, told.place)
    told.over |= message["finished"]
    own = [seat for seat in (0, 1) if message[f"player_{seat}"]["name"] == diary.name]
    told.done = sum(
        each["event"] == "Taken" and [each["seat"]] == own for each in states[: told.place]
    )


def _shown(event: Message) -> tuple[int, bool]:
    return event["board"]["left"], event["event"] == "Faulted" or event["won"]


def _check_word(diary: Diary, message: Message) -> None:
    reason = str(message.get("reason", message))
    if not any(each in reason for each in _PASSING):
        raise Wrong(f"{diary.name} has lost the seat: {message}")
