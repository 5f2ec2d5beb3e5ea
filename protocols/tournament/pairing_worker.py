"""A process that pairs rounds: takes fields by its standard input, gives rounds by its output, a line of JSON each.

It ends when its input does, so it never outlives the run that it works for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, BinaryIO

from gamecore.codec import plain
from gamecore.contest import Encounter, Field, Format, PairedRound, find_format
from gamecore.record import build


def write_field(field: Field) -> dict[str, Any]:
    """Write a field as plain data."""
    return {
        "entrants": list(field.entrants),
        "present": sorted(field.present),
        "seats": [field.seats.start, field.seats.stop],
        "rounds": plain(field.rounds),
        "encounters": plain(field.encounters),
        "bye_worth": field.bye_worth,
    }


def read_field(written: dict[str, Any]) -> Field:
    """Read a field from what was written; raises Unreadable."""
    return Field(
        entrants=tuple(written["entrants"]),
        present=frozenset(written["present"]),
        seats=range(*written["seats"]),
        rounds=tuple(build(PairedRound, each) for each in written["rounds"]),
        encounters=tuple(build(Encounter, each) for each in written["encounters"]),
        bye_worth=written["bye_worth"],
    )


def work(format: Format, asked: Iterable[bytes], told: BinaryIO) -> None:
    """Pair what is asked for until nothing more is."""
    for line in asked:
        paired = format.pair(read_field(json.loads(line)))
        told.write(json.dumps(plain(paired)).encode() + b"\n")
        told.flush()


if __name__ == "__main__":
    work(find_format(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
