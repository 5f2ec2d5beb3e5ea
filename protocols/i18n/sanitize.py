"""What a peer typed, made fit for another peer's terminal, or for a log.

`str.isprintable` is true of exactly the texts that hold no category C and no separator but the
blank, so most texts are let through without a look at each character.
"""

from __future__ import annotations

from unicodedata import category

# Enough for the scripts that stack them, too few to climb into the lines above.
MARKS_IN_A_ROW = 3


def clean(text: str, limit: int | None = None) -> str:
    """Make one short plain text of whatever a peer typed."""
    if not (text.isascii() and text.isprintable()):
        text = _thin_marks(printable(text))
    text = " ".join(text.split())
    return text if limit is None else text[:limit].rstrip()


def printable(text: str) -> str:
    """Drop all that does not print, but leave the spacing of a line alone; a tab is a blank."""
    if text.isprintable():
        return text
    return "".join([_seen(char) for char in text])


def printable_in(text: str, encoding: str | None) -> str:
    """Drop what does not print, and write as an escape what a terminal of that encoding cannot show.

    None is the encoding of a stream that has none, and stands for UTF-8.
    """
    encoding = encoding or "utf-8"
    return printable(text).encode(encoding, "backslashreplace").decode(encoding)


def _seen(char: str) -> str:
    if char.isprintable():
        return char
    if char.isspace():
        return " "
    return ""


def _thin_marks(text: str) -> str:
    """Drop marks that have nothing to stand on, or too many beneath them."""
    kept = []
    room = 0
    for char in text:
        if char == " ":
            room = 0
        elif category(char)[0] != "M":
            room = MARKS_IN_A_ROW
        elif room:
            room -= 1
        else:
            continue
        kept.append(char)
    return "".join(kept)


def fitting(name: str, room: int) -> str:
    """Shorten a name in its middle to so many letters, 4 or more: bots are told apart by how their names end."""
    return name if len(name) <= room else f"{name[: room - 3]}~{name[-2:]}"
