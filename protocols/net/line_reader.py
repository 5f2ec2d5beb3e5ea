"""Lines as a client reads them: what a server says, up to its line ends.

A server is taken at its word: a line ends with LF or CRLF, and what is no line of text is an error, not a thing to
be answered. What strangers send to a server is cut by ``line.LineSplitter``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

LIMIT = 64 * 1024  # bytes of a line, if nothing else is said


class LineReader(Generic[T]):
    """Cuts a stream of bytes into lines, and holds no more than one line of it."""

    def __init__(self, read: Callable[[str], T], limit: int = LIMIT) -> None:
        """Lines have at most ``limit`` bytes; ``read`` makes a message of one, or raises ValueError."""
        self._begun = b""
        self._read = read
        self._limit = limit

    def feed(self, data: bytes) -> Iterator[T]:
        """Give what the lines say that end in these bytes.

        Raises ValueError at one that is too long, no UTF-8 or no message, behind those before it.
        """
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._check(line)
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise ValueError("a line is no UTF-8") from None
            yield self._read(text.rstrip("\r"))
        self._check(self._begun)

    def _check(self, line: bytes) -> None:
        if len(line) > self._limit:
            raise ValueError(f"a line is longer than {self._limit} bytes")
