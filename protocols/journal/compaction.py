"""How a journal keeps a table that has ended: its record file, compressed, so that showing it needs no rules."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from gamecore.record import Unreadable
from gamecore.record_file import shareable
from gamecore.replay import write_game
from gamecore.rules import Registry

_BEGINS = b'{"events":'  # a line of a record file; one of the journal itself begins with its time


def compact_game(lines: Sequence[bytes], registry: Registry) -> bytes:
    """Make one blob of a table's lines; raises Unreadable if they cannot be played again."""
    return zlib.compress(write_game(lines, registry))


def expand_game(blob: bytes, registry: Registry) -> bytes:
    """Make the record file of what was kept, be it the file or the bare lines; raises Unreadable."""
    try:
        data = zlib.decompress(blob)
    except zlib.error as problem:
        raise Unreadable(f"what was kept is damaged: {problem}") from problem
    return shareable(data) if data.startswith(_BEGINS) else write_game(data.splitlines(), registry)
