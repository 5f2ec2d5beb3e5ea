"""Lines made compact without any knowledge of the games: any tool can read them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence


def pack(lines: Sequence[bytes]) -> bytes:
    """Make the lines of a table compact."""
    return zlib.compress(b"\n".join(lines))


def unpack(record: bytes) -> list[bytes]:
    """Give the lines that were packed."""
    return zlib.decompress(record).split(b"\n")
