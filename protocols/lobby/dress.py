"""How a line looks to one visitor: suits as signs or letters, red cards red for those who asked for colours."""

from __future__ import annotations

import re

from protocols.i18n.sanitize import printable

_LETTERS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
_RED = re.compile(r"[0-9A-Za-z]*[♥♦]")
_SUIT = re.compile(r"[♠♥♦♣]")
_PROMPT = re.compile(r"^\[[^]]*\]")


def dressed(text: str, letters: bool = False, colour: bool = False) -> str:
    """Make of a text one line of it: control codes in it are ours or nobody's."""
    text = printable(text)
    if colour:
        text = _RED.sub("\x1b[31m\\g<0>\x1b[0m", text)
        text = _PROMPT.sub("\x1b[1m\\g<0>\x1b[0m", text)
    if letters and _SUIT.search(text):
        text = text.translate(_LETTERS)
    return text
