"""JSON objects cut out of a stream of bytes.

Some games write JSON objects one after another with nothing between them, with line ends, or with
blanks. Segments of TCP respect none of this: an object may come in pieces, and many may come at
once. An object ends where its first brace is closed; braces inside strings do not count::

    stream = ObjectStream()
    stream.feed(b'{"a": "}{"}{"b"')      # [b'{"a": "}{"}']
    stream.feed(b": 1}\\n")               # [b'{"b": 1}'], and stream.lines is now True

Only braces and strings are looked at, so what comes out may still be no JSON; reading it is the
caller's affair. No byte is looked at more than twice, and fewer than ``limit`` bytes are kept.
"""

from __future__ import annotations

import re

__all__ = ["ObjectStream"]

_BLANKS = re.compile(rb"[ \t\r\n]*+")
# Most objects come whole and have at most one more level of braces: one match takes such an object.
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+'
_FLAT = rb'[^"{}]*+(?:' + _STRING + rb'"[^"{}]*+)*+'
_WHOLE = re.compile(rb"\{" + _FLAT + rb"(?:\{" + _FLAT + rb"\}" + _FLAT + rb")*+\}", re.DOTALL)
# All others are followed from mark to mark. A string ends with its quote, or where the bytes end;
# then group 1 matched, and holds the backslash whose other half is still to come.
_END = rb'(?:"|(\\?)\Z)'
_MARK = re.compile(rb"[{}]|" + _STRING + _END, re.DOTALL)
_REST = re.compile(_STRING[1:] + _END, re.DOTALL)

_OPEN, _CLOSE = b"{}"
_OUTSIDE, _INSIDE, _ESCAPED = range(3)


class ObjectStream:
    """Cuts a stream of bytes into JSON objects by counting braces outside strings."""

    __slots__ = ("_begun", "_depth", "_limit", "_string", "_used", "broken", "lines")

    def __init__(self, limit: int = 1024) -> None:
        self.lines = False
        """Whether an object was ever followed by a line end."""
        self.broken: str | None = None
        """Why nothing more will come out of this stream, once that is so."""
        self._limit = limit
        self._begun = bytearray()  # the unfinished object, shorter than the limit
        self._depth = 0  # braces open in it
        self._string = _OUTSIDE
        self._used = False  # an object has come out

    @property
    def unfinished(self) -> bool:
        """Whether an object has begun and not ended."""
        return self._depth > 0

    def feed(self, data: bytes) -> list[bytes]:
        """Take the next bytes and give the objects they complete, in order.

        A byte that cannot begin an object, or an object over the limit, breaks the stream: what was
        complete before it still comes out, ``broken`` says why, and all later bytes are dropped.
        """
        if not self._depth and self.broken is None:
            whole = _WHOLE.match(data, 0, self._limit)
            if whole is not None:  # as nearly always, and nothing after it but blanks
                self._used = True
                end = whole.end()
                if end == len(data) or self._skip_blanks(data, end) == len(data):
                    return [data[:end]]
        return self._cut(data)

    def _cut(self, data: bytes) -> list[bytes]:
        """Cut bytes in which objects begin and end anywhere."""
        found: list[bytes] = []
        at = 0
        while self.broken is None:
            if not self._depth:
                at = self._skip_blanks(data, at)
            if at == len(data):
                break
            end = self._find_end(data, at, min(len(data), at + self._limit - len(self._begun)))
            if self._depth:
                self._begun += data[at:end]
                if len(self._begun) == self._limit:
                    self._break(f"an object is longer than {self._limit} bytes")
            elif end > at:
                found.append(bytes(self._begun) + data[at:end])
                self._begun.clear()
                self._used = True
            else:
                self._break("an object begins with {")
            at = end
        return found

    @staticmethod
    def blanks_end(data: bytes, at: int, most: int) -> int:
        """Say where the blanks that begin at a place end, or ``most`` if that comes first."""
        blanks = _BLANKS.match(data, at, max(at, most))
        assert blanks is not None
        return blanks.end()

    def _skip_blanks(self, data: bytes, at: int) -> int:
        blanks = _BLANKS.match(data, at)
        assert blanks is not None
        end = blanks.end()
        if self._used and not self.lines and end > at:
            self.lines = data.find(b"\n", at, end) >= 0
        return end

    def _find_end(self, data: bytes, at: int, stop: int) -> int:
        """Find where the object ends; if not before ``stop``, keep in mind how it stands there.

        Where no object is open and none begins, that is right here.
        """
        if not self._depth:
            if data[at] != _OPEN:
                return at
            whole = _WHOLE.match(data, at, stop)
            if whole is not None:
                return whole.end()
        if self._string != _OUTSIDE:
            rest = _REST.match(data, at + (self._string == _ESCAPED), stop)
            assert rest is not None
            self._string = _standing(rest)
            at = rest.end()
        for mark in _MARK.finditer(data, at, stop):
            byte = data[mark.start()]
            if byte == _OPEN:
                self._depth += 1
            elif byte == _CLOSE:
                self._depth -= 1
                if not self._depth:
                    return mark.end()
            else:
                self._string = _standing(mark)
        return stop

    def _break(self, reason: str) -> None:
        self.broken = reason
        self._begun.clear()
        self._depth = 0
        self._string = _OUTSIDE


def _standing(string: re.Match[bytes]) -> int:
    """Tell how a string stands at the end of what was seen of it."""
    if string[1] is None:
        return _OUTSIDE
    return _ESCAPED if string[1] else _INSIDE
