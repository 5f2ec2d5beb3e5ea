"""Lines as a client reads them: what a server says, up to its line ends.

A server is taken at its word: a line ends with LF or CRLF, and what is no line of text is an error, not a thing to
be answered. What strangers send to a server is cut by ``line.LineSplitter``.
"""

from __future__ import annotations

from collections.abc import Iterator

LIMIT = 64 * 1024  # bytes of a line, if nothing else is said


class LineReader:
    """Cuts a stream of bytes into lines of text, and holds no more than one line of it."""

    __slots__ = ("_begun", "_limit")

    def __init__(self, limit: int = LIMIT) -> None:
        """Read lines of at most ``limit`` bytes."""
        self._begun = b""
        self._limit = limit

    def feed(self, data: bytes) -> Iterator[str]:
        """Give the lines that end in these bytes, without their ends.

        Raises ValueError at a line that is too long or no UTF-8, behind those before it.
        """
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._check(line)
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise ValueError("a line is no UTF-8") from None
            yield text.rstrip("\r")
        self._check(self._begun)

    def _check(self, line: bytes) -> None:
        if len(line) > self._limit:
            raise ValueError(f"a line is longer than {self._limit} bytes")
