"""Lines, bounded: what netcat, a program or a telnet client sends up to a line end.

A line ends at LF, CRLF, CR or CR NUL, and a bare CR ends it at once: some clients send nothing
else, and wait. NUL bytes, and a byte order mark at the very start, are nobody's text and vanish.

Telnet is not known here. Where a peer may negotiate, a telnet layer stands in front: it takes the
bytes from IAC on out of the stream, answers them, and feeds a `LineSplitter` what is left. On
these lines IAC is a byte that is not UTF-8, and refused as such.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable

from protocols.i18n.sanitize import printable
from protocols.net.limits import TokenBucket
from protocols.net.link import Link


class LineSplitter:
    """Cuts a stream of bytes into lines, and holds no more than one line of it."""

    __slots__ = ("_begun", "_cr", "_pending", "_too_long", "discarded", "max_length")

    def __init__(self, max_length: int = 1024) -> None:
        self.max_length = max_length
        self.discarded = 0
        self._pending = b""
        self._begun = False
        self._cr = False
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """Return the lines that end in these bytes; None stands for one that became too long."""
        if b"\0" in data:
            data = data.replace(b"\0", b"")
        if self._cr and data.startswith(b"\n"):
            data = data[1:]
            self._cr = False
        if not data:
            return []
        self._cr = data.endswith(b"\r")
        return self._cut(data)

    def finish(self) -> list[bytes | None]:
        """Return what the end of input makes a line: the unfinished last one, if there is one."""
        return self._end(b"") if self._pending else []

    def _cut(self, data: bytes) -> list[bytes | None]:
        pieces = data.splitlines()  # of bytes: at LF, CRLF and CR, and nowhere else
        unfinished = b"" if data[-1] in b"\r\n" else pieces.pop()
        lines: list[bytes | None] = []
        if pieces and (self._pending or self._too_long or not self._begun):
            lines = self._end(pieces.pop(0))
        longest = self.max_length
        lines += [piece if len(piece) <= longest else None for piece in pieces]
        return lines + self._grow(unfinished) if unfinished else lines

    def _end(self, piece: bytes) -> list[bytes | None]:
        """End a line of which something was known before."""
        refused = self._grow(piece)
        line, self._pending = self._pending, b""
        too_long, self._too_long = self._too_long, False
        self.discarded = 0
        if too_long:
            return refused
        return [self._first(line) if not self._begun else line]

    def _grow(self, piece: bytes) -> list[bytes | None]:
        """Add to the line, or give it up where it becomes too long."""
        if self._too_long:
            self.discarded += len(piece)
            return []
        if len(self._pending) + len(piece) <= self.max_length:
            self._pending += piece
            return []
        self.discarded = len(self._pending) + len(piece)
        self._pending = b""
        self._too_long = self._begun = True
        return [None]

    def _first(self, line: bytes) -> bytes:
        self._begun = True
        return line.removeprefix(BOM_UTF8)


class BoundedLine(Link):
    """A link that hears and says lines of text."""

    max_length: int = 1024
    most_discarded: int = 256 * 1024
    rate: float = 20.0
    burst: float = 40.0
    patience: int = 20
    newline: bytes = b"\r\n"

    _refusals: int = 0
    _splitter: LineSplitter
    _bucket: TokenBucket

    # What a wire overrides

    def line_received(self, line: str) -> None:
        """Hear one line of the peer's, without its end."""

    def line_refused(self, reason_key: str) -> None:
        """Hear that a line was `line-too-long`, `too-fast` or `not-utf-8`, and tell the peer."""
        self.send_line(reason_key)

    def farewell(self, reason: str) -> bytes:
        return self.encoded(reason)

    def ask_size(self) -> None:
        """Ask how large the peer's window is, where the wire has a way to."""

    # What a wire calls

    def send_line(self, text: str) -> None:
        """Send one line; one that holds line ends becomes several."""
        self.send(self.encoded(text))

    def send_lines(self, texts: Iterable[str]) -> None:
        """Send several lines as one write."""
        self.send(b"".join(map(self.encoded, texts)))

    def encoded(self, text: str) -> bytes:
        """Turn text into the bytes of its lines, with no control code but our own line ends."""
        if text.isprintable():
            return text.encode() + self.newline
        lines = text.splitlines() or [""]
        return b"".join([printable(line).encode() + self.newline for line in lines])

    # How a line comes in

    def connectionMade(self) -> None:
        self._splitter = LineSplitter(self.max_length)
        self._bucket = TokenBucket(self.rate, self.burst)
        super().connectionMade()

    def received(self, data: bytes) -> None:
        self._deliver(self._splitter.feed(data))
        if self._splitter.discarded > self.most_discarded:
            self.dismiss("line-too-long")

    def end_of_input(self) -> None:
        """The peer ended its input: what it left unfinished is its last line."""
        self._deliver(self._splitter.finish())
        super().end_of_input()

    def _deliver(self, lines: Iterable[bytes | None]) -> None:
        for line in lines:
            if self.closing:
                return
            self._judge(line)

    def _judge(self, line: bytes | None) -> None:
        if not self._bucket.take(self.factory.clock.seconds()):
            self._refuse("too-fast")
        elif line is None:
            self._refuse("line-too-long")
        else:
            self._decode(line)

    def _decode(self, line: bytes) -> None:
        try:
            text = line.decode()
        except UnicodeDecodeError:
            self._refuse("not-utf-8")
        else:
            self._refusals = 0
            self.line_received(text)

    def _refuse(self, reason_key: str) -> None:
        self.line_refused(reason_key)
        self._refusals += 1
        if self._refusals >= self.patience:
            self.dismiss(reason_key)
