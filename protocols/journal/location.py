"""Where a journal is, as it is written down: a path, or a URL that may hold a password."""

from __future__ import annotations

import re

# All before the last @, since a password may be written as it should not be; and the same as a parameter.
_PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):.*(?=@)|(?<=[?&])(password|sslpassword)=[^&]*")


def is_url(where: str) -> bool:
    """Tell a URL from a path, or from a word."""
    return "://" in where


def shown(where: str) -> str:
    """Give a place as it may be read by anybody: without a password."""
    return _PASSWORD.sub(
        lambda found: f"{found[1] or found[2]}{':' if found[1] is not None else '='}…", where
    )
