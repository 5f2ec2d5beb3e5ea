"""The tables as the records have them, read as anyone reads them who only looks things up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from attrs import define, frozen

from gamecore.record_file import read_game
from gamecore.replay import write_game
from gamecore.rules import Registry
from protocols.journal.compaction import expand_game
from protocols.journal.engines import open_archive

Plain = dict[str, Any]
Message = dict[str, Any]


@frozen
class Recorded:
    """One record: its command, what it made happen with who was told, and table time in seconds."""

    command: Plain
    events: Sequence[Plain]
    at: float


@define(eq=False)
class Kept:
    """One table: its lines, and what they say."""

    code: str
    lines: Sequence[bytes]
    records: Sequence[Recorded]

    @property
    def seeds(self) -> Iterator[str]:
        """Give the seeds, which nobody may hear before the game is over."""
        for each in self.records:
            if "seed" in each.command:
                yield str(each.command["seed"])

    @property
    def has_ended(self) -> bool:
        """Whether its game is over."""
        return any(event["is"] == "GameOver" for each in self.records for event in each.events)


def read_tables(journal: str, codes: Sequence[str], registry: Registry) -> Mapping[str, Kept]:
    """Read some tables, whether they have been put away or not; those that are not there are left out."""
    found = {}
    with closing(open_archive(journal)) as archive:
        for code in codes:
            finished = archive.read(code)
            lines = [] if finished is not None else archive.lines(code)
            if finished is not None:
                found[code] = read_table(code, expand_game(finished, registry))
            elif lines:
                found[code] = read_table(code, write_game(lines, registry))
    return found


def read_table(code: str, file: bytes) -> Kept:
    """Read a record file."""
    records = []
    for each in file.splitlines():
        written = json.loads(each)
        record = json.loads(written["record"])
        records.append(Recorded(record["command"], written["events"], record["at"]))
    return Kept(code, read_game(file).lines, records)


# -- what the record says -------------------------------------------------------------


def _seats(kept: Kept) -> Iterator[tuple[Mapping[str, int], Plain, Sequence[Plain]]]:
    """Give each command and its events, with the seats of all players as they are behind it."""
    seats: dict[str, int] = {}
    for each in kept.records:
        if each.command["is"] == "Sit":
            seats[each.command["name"]] = each.command["seat"]
        for event in each.events:
            if event["is"] in ("GameBegan", "Gathered"):
                seats = {name: seat for seat, name in enumerate(event["names"])}
        yield seats, each.command, each.events


def stream_of(kept: Kept, name: str) -> list[Message]:
    """Give the events that a player is to be told, by what the record says of who was told."""
    stream = []
    for seats, _, events in _seats(kept):
        if name in seats:
            heard = (each for each in events if _is_for(seats[name], each["to"]))
            stream += [_as_told(each) for each in heard]
    return stream


def _is_for(seat: int, to: object) -> bool:
    return to == "everyone" or to == {"only": seat} or (to != {"all_but": seat} and "all_but" in to)  # type: ignore[operator]


def _as_told(event: Plain) -> Message:
    told = {name: value for name, value in event.items() if name not in ("is", "to")}
    return {"event": event["is"], **told}


def moves_of(kept: Kept, name: str) -> list[Plain]:
    """Give the moves of a player, in their order."""
    return [
        command["move"]
        for seats, command, _ in _seats(kept)
        if command["is"] == "Play" and seats.get(name) == command["seat"]
    ]
