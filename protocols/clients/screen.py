"""The screen of a person at a terminal: how wide it is, and what fits on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from protocols.i18n.wrapping import wrap

USUAL_COLUMNS = 80
_NARROWEST = 20
_COPIED = " --token "


def columns() -> int:
    """Say how wide the terminal behind standard output is; 0 where there is none, as before a pipe."""
    try:
        found = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    except (OSError, ValueError):  # of a stream that is no file, or a terminal that is gone
        return 0
    return found if found >= _NARROWEST else 0


def fitted(text: str) -> str:
    """Break the lines of a text at words where the screen ends; where there is no screen they stay whole.

    So does a command to come back by, which is copied.
    """
    wide = columns()
    if not wide or all(len(line) * 2 <= wide for line in text.splitlines()):
        return text
    return "\n".join(part for line in text.splitlines() for part in _broken(line, wide))


def _broken(line: str, wide: int) -> Iterable[str]:
    return [line] if _COPIED in line else wrap(line, wide)
