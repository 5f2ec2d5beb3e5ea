"""What a program is answered that asks for the record of a table."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any

from protocols.host.records import EndedRecord, end_of_game
from protocols.jsonlines.messages import Encoded


def draw_record(number: int | None, record: EndedRecord) -> dict[str, Any]:
    """Give the lines of a record file, as far as one game if that is asked for, and the hash that it ends with."""
    return record.made(("json", number), partial(_write_record, number, record))


def _write_record(number: int | None, record: EndedRecord) -> dict[str, Any]:
    lines = record.data.splitlines()
    if number is not None:
        lines = lines[: end_of_game(record.game, number)]
    last = sha256(record.game.lines[len(lines) - 1]).hexdigest()
    table = record.game.entries[0].table
    return {"table": table, "last": last, "record": Encoded.of_lines(lines)}
