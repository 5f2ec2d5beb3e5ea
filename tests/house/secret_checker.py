"""Secrets: whatever a player was told, to the last byte, is what that seat may know, and no token of another's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from gamecore.events import heard_by
from gamecore.replay import play_back
from gamecore.rules import Registry
from protocols.jsonlines import messages
from tests.daemons.wrong import Wrong
from tests.house.diary import JSON, Diary
from tests.house.records import Kept, Message


def check_secrets(kept: Kept, diaries: Sequence[Diary]) -> None:
    """Check that nobody was told another's token, nor a seed before the end."""
    tokens = {diary.name: _token(diary) for diary in diaries}
    for diary in diaries:
        secrets = [each for name, each in tokens.items() if each and name != diary.name]
        seeds = [each.encode() for each in kept.seeds]
        for line in diary.lines:
            heard = b"" if line.sent else line.data
            if heard and _ends(heard):
                seeds = []  # they are shown, so that the deal can be checked
            if any(each in heard for each in (*secrets, *seeds)):
                raise Wrong(f"{diary.name} was told a secret: {heard!r}")


def _token(diary: Diary) -> bytes | None:
    for line in diary.lines:
        message = {} if line.sent else json.loads(line.data)
        if "token" in message:
            return str(message["token"]).encode()
    return None


def _ends(line: bytes) -> bool:
    message = json.loads(line)
    return message.get("event") in ("GameOver", "Abandoned") or message.get("finished") is True


def check_views(kept: Kept, diaries: Sequence[Diary], registry: Registry) -> int:
    """Check that all views and turns of a seat are its own, at some time, to the last byte; gives how many."""
    wanted = {diary.name: _sights(diary) for diary in diaries if diary.wire == JSON}
    counts = dict.fromkeys(wanted, 0)
    possible: dict[tuple[str, int], list[Message]] = {}
    for step in play_back(kept.lines, registry):
        for seat, core in step.table.seated().items():
            if core.name in wanted:
                counts[core.name] += len(heard_by(seat, step.events))
                place = core.name, counts[core.name]
                view = messages.write_view(step.table.seen_by(seat, step.entry.at))
                turn = messages.write_turn(step.table.turn_of(seat, step.entry.at), step.table.code)
                possible.setdefault(place, []).extend((json.loads(view)["view"], json.loads(turn)))
    for name, sights in wanted.items():
        for number, shown in sights:
            if not any(_is_shown(shown, each) for each in possible.get((name, number), ())):
                raise Wrong(f"{name} was shown behind event {number} what is not theirs: {shown}")
    return sum(map(len, wanted.values()))


def _sights(diary: Diary) -> list[tuple[int, Message]]:
    """Give the views and turns that a player was shown, each with the number of the last event before it."""
    sights: list[tuple[int, Message]] = []
    asked: dict[object, Message] = {}
    at = link = 0
    for line in diary.lines:
        message = json.loads(line.data)
        if line.link != link:
            link, asked = line.link, {}
        if line.sent:
            asked[message["id"]] = message
        elif message.get("reply") in asked and message.get("ok"):
            at = asked[message["reply"]].get("last", at)
        elif "n" in message:
            at = message["n"]
        if not line.sent and ("view" in message or "turn" in message):
            sights.append((at, message.get("view", message)))
    return sights


def _is_shown(shown: Message, possible: Message) -> bool:
    """Say whether one is as the other, but for the time; moves that were offered before may be left out."""
    but = {"at"} | ({"moves"} - shown.keys())
    return _without(but, shown) == _without(but, possible)


def _without(names: AbstractSet[str], message: Message) -> Message:
    return {name: value for name, value in message.items() if name not in names}
