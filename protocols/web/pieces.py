"""Pieces of a part that are not sent again while they stay as they are.

A game's template may set an element that begins with its ``id``, and is likely to stay as it is while its part
changes, between the marks ``<!--=-->`` and ``<!--/-->``.  To a page that has it, an empty element of that id goes
in its place, with the attribute ``same``: the script leaves what it shows there as it is.  A piece that may hold
others, as a seat, stands between ``<!--==-->`` and ``<!--//-->``.
"""

from __future__ import annotations

import re
from functools import lru_cache

_MARKS = re.compile(r"<!--(?:==?|//?)-->")
_OUTER = re.compile(r'<!--==-->(<(\w+) id="([^"]+)".*?)<!--//-->', re.DOTALL)
_PIECE = re.compile(r'<!--=-->(<(\w+) id="([^"]+)".*?)<!--/-->', re.DOTALL)


def whole(part: str) -> str:
    """Give a part with all its pieces, for a page that has nothing of it."""
    return _MARKS.sub("", part)


@lru_cache(maxsize=256)
def changed(part: str, before: str) -> str:
    """Give a part for a page that shows it as it was ``before``; for all who look on it is made once."""
    if before:
        for pattern in (_OUTER, _PIECE):
            part = _without_known(pattern, part, before)
    return whole(part)


def _without_known(pattern: re.Pattern[str], part: str, before: str) -> str:
    known = {found[3]: found[1] for found in pattern.finditer(before)}

    def write(piece: re.Match[str]) -> str:
        html, tag, name = piece.groups()
        return f"<{tag} id={name} same></{tag}>" if known.get(name) == html else html

    return pattern.sub(write, part)
