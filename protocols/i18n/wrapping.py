"""Lines that are no wider than a screen: broken where they have columns, else at words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import combining, east_asian_width

TIE = "\N{NO-BREAK SPACE}"
"""The blank of a text at which no line is broken where that can be helped."""

# A number stays with what it counts, and a mark before which there is a blank, as in French, with its word.
_WORDS = re.compile(r" *(?:[0-9]+(?:\.[0-9]+)? (?=[^\W\d]))?[^ ]+(?: [:;!?»](?= |$))*")
_COLUMNS = re.compile(r" *[^ ]+(?: [^ ]+)*(?=   *|$)")
_INDENT = "  "


def cells(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text
    )


def wrap(line: str, columns: int) -> Iterator[str]:
    """Break a line where it has columns, else at words, else anywhere; what follows is indented.

    Blanks at its end are left out.
    """
    line = line.rstrip(" ")
    if cells(line) <= columns:
        yield line
        return
    begun = ""
    for piece in _pieces(line, columns - len(_INDENT)):
        if cells(begun + piece) > columns:
            if begun.strip():
                yield begun.rstrip()
            begun = _INDENT + piece.lstrip(" ")
        else:
            begun += piece
    yield begun.rstrip()


def _pieces(line: str, most: int) -> Iterator[str]:
    """Part a line in what is not to be broken."""
    for column in _COLUMNS.findall(line):
        fits = cells(column.strip(" ")) <= most
        for word in (column,) if fits and column != line else _WORDS.findall(column):
            yield from _cut(word, most)


def _cut(word: str, most: int) -> Iterator[str]:
    """Cut a word that is wider than the screen, at its ties if it has some."""
    if TIE in word and cells(word.lstrip(" ")) > most:
        for part in _WORDS.findall(word.replace(TIE, " ")):
            yield from _cut(part, most)
        return
    while cells(word.lstrip(" ")) > most:
        part = word
        while cells(part) > most:
            part = part[:-1]
        yield part
        word = word[len(part) :]
    yield word
