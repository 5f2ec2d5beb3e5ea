"""What a client of GOPS sends, cut into messages: frames or lines, by its first byte."""

from __future__ import annotations

from collections.abc import Iterable

from protocols.gops.wire import FrameSplitter
from protocols.net.line import LineSplitter

MOST_DISCARDED = 256 * 1024  # bytes of one line, after which its sender is no person

Heard = tuple[str, str]
"""A message and "", or "" and the key of what is wrong with it."""


class MessageSplitter:
    """Cuts a client's bytes into messages; ``lines`` is None until its first byte has come."""

    __slots__ = ("_frames", "_splitter", "lines")

    def __init__(self) -> None:
        self.lines: bool | None = None
        self._frames = FrameSplitter()
        self._splitter: LineSplitter | None = None

    @property
    def broken(self) -> bool:
        """Whether nothing more will come out."""
        return self._frames.broken

    @property
    def unfinished(self) -> bool:
        """Whether a frame has begun and not ended; a person may take any time for a line."""
        return self._frames.unfinished

    def feed(self, data: bytes) -> list[Heard]:
        """Take the next bytes and give the messages they complete."""
        if self.lines is None and data:
            self.lines = not data[:1].isdigit()
            self._splitter = LineSplitter() if self.lines else None
        if self._splitter is None:
            return _read(self._frames.feed(data))
        return _read(self._splitter.feed(data))

    def finish(self) -> list[Heard]:
        """Give what the end of input makes a message: the unfinished last line."""
        return [] if self._splitter is None else _read(self._splitter.finish())

    @property
    def too_much(self) -> bool:
        """Whether a line is so long that its sender cannot mean it."""
        return self._splitter is not None and self._splitter.discarded > MOST_DISCARDED


def _read(bodies: Iterable[bytes | None]) -> list[Heard]:
    return [_decoded(body) for body in bodies if body != b""]


def _decoded(body: bytes | None) -> Heard:
    if body is None:
        return "", "line-too-long"
    try:
        return body.decode(), ""
    except UnicodeDecodeError:
        return "", "not-utf-8"
