"""How a line looks to one person: how wide it is, with which letters, and in which colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import combining, normalize

from attrs import frozen

from protocols.i18n.sanitize import printable
from protocols.i18n.wrapping import TIE, wrap

_LETTERS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
_SPELT = {
    **{
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
    },
    **dict.fromkeys("\u2018\u2019", "'"),  # quotation marks, then dashes
    **dict.fromkeys("\u201c\u201d«»", '"'),
    **dict.fromkeys("\u2013\u2014", "-"),
}
_ASCII = _LETTERS | str.maketrans(_SPELT)
_RED = re.compile(r"[0-9A-Za-z]*[♥♦]")
_SUIT = re.compile(r"[♠♥♦♣]")
_PROMPT = re.compile(r"^\[[^]]*\]")


@frozen(cache_hash=True)
class LineStyle:
    """What one person has chosen, or the terminal told.

    Suits as ``letters``, ``colour``, nothing but ``ascii``; ``columns`` of the screen, or 0 where lines are to be
    as long as they are, for a program to read each whole.
    """

    letters: bool = False
    colour: bool = False
    ascii: bool = False
    columns: int = 0

    def draw(self, text: str) -> str:
        """Make of a text one line of it: control codes in it are ours or nobody's."""
        text = printable(text)
        if self.colour:
            text = _RED.sub("\x1b[31m\\g<0>\x1b[0m", text)
            text = _PROMPT.sub("\x1b[1m\\g<0>\x1b[0m", text)
        if self.letters and _SUIT.search(text):
            text = text.translate(_LETTERS)
        return _in_ascii(text) if self.ascii and not text.isascii() else text

    def lines(self, text: str) -> Iterable[str]:
        """Draw the lines of a text, none wider than the screen."""
        plain = not (self.colour or self.letters or self.ascii)
        if plain and text.isascii() and text.isprintable() and len(text) <= self.columns:
            return (text,)  # as most are
        return self._broken(text)

    def _broken(self, text: str) -> Iterator[str]:
        if self.ascii and not text.isascii():
            text = TIE.join(map(_in_ascii, text.split(TIE)))
        for line in text.splitlines() or [""]:
            fitting = wrap(line, self.columns) if len(line) * 2 > self.columns > 0 else (line,)
            yield from map(self.draw, fitting)


PLAIN = LineStyle(columns=80)
"""What suits a terminal of which nothing is known."""


def ended(lines: Iterable[str]) -> bytes:
    """Give lines as they go out, each with its end."""
    return "".join([f"{line}\r\n" for line in lines]).encode(errors="replace")


def _in_ascii(text: str) -> str:
    parts = normalize("NFKD", text.translate(_ASCII))
    return (
        "".join(each for each in parts if not combining(each)).encode("ascii", "replace").decode()
    )
