"""How a line looks to one person: suits as signs or letters, red cards red for those who asked for colours."""

from __future__ import annotations

import re

from attrs import frozen

from protocols.i18n.sanitize import printable

_LETTERS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
_RED = re.compile(r"[0-9A-Za-z]*[♥♦]")
_SUIT = re.compile(r"[♠♥♦♣]")
_PROMPT = re.compile(r"^\[[^]]*\]")


@frozen
class LineStyle:
    """What one person has chosen: suits as ``letters``, and ``colour``."""

    letters: bool = False
    colour: bool = False

    def draw(self, text: str) -> str:
        """Make of a text one line of it: control codes in it are ours or nobody's."""
        text = printable(text)
        if self.colour:
            text = _RED.sub("\x1b[31m\\g<0>\x1b[0m", text)
            text = _PROMPT.sub("\x1b[1m\\g<0>\x1b[0m", text)
        if self.letters and _SUIT.search(text):
            text = text.translate(_LETTERS)
        return text


PLAIN = LineStyle()
