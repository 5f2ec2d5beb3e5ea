"""One link to another daemon of the house: who it is has to be proved before anything else is heard."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Protocol

from twisted.internet.protocol import connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure

from protocols.house import wire
from protocols.journal.house import PeerRow
from protocols.net.line import LineSplitter
from protocols.net.link import Link, Owner

BACKLOG = 8 * 2**20  # bytes that may wait for a peer that does not read
HELLO_SECONDS = 5.0


class Links(Owner, Protocol):
    """What a link asks of those who know whom there is to be linked to."""

    def seconds(self) -> float:
        """Tell the time, by a clock that nobody can set back."""

    @property
    def own(self) -> PeerRow:
        """Who we are."""

    def find(self, run: int) -> PeerRow | None:
        """Find a run that can be linked to."""

    def linked(self, link: PeerLink) -> None:
        """Hear that a link's other end has proved who it is."""

    def cannot_link(self, peer: PeerRow, why: Failure) -> None:
        """Hear that a link which we have made to a peer is lost before either end has proved anything."""

    def heard(self, link: PeerLink, letter: str, rest: bytes) -> None:
        """Hear a line from a link."""


class PeerLink(Link):
    """A link that one daemon has made to another; ``run`` is whose it is, once that is proved."""

    deadline = HELLO_SECONDS
    backlog = BACKLOG
    factory: Links

    _log = Logger()

    def __init__(self, calls: PeerRow | None = None) -> None:
        """``calls`` is whom we have called; None if we were."""
        self._calls = calls
        self._claims: tuple[int, str] | None = (
            None  # which run the caller says it is, and what it drew
        )
        self._drawn = secrets.token_hex(wire.NONCE_BYTES)
        self._answered = False
        self._splitter = LineSplitter(wire.MAX_LENGTH)
        self.run = 0
        self.heard_at = 0.0

    def connectionMade(self) -> None:
        """Say who we are, if it is we who call."""
        super().connectionMade()
        if self._calls is not None:
            self.write("h", self.factory.own.run, self._drawn)

    def write(self, letter: str, *rest: object) -> None:
        """Write a line; bytes as they are, all else as it is written."""
        parts = (each if isinstance(each, bytes) else str(each).encode() for each in rest)
        self.send(b" ".join((letter.encode(), *parts)) + b"\n")

    # -- what comes in; no link of the house waits for its turn ---------------------------

    def dataReceived(self, data: bytes) -> None:
        """Take in all at once: what it brings is wanted by others."""
        self.heard_at = self.factory.seconds()
        if not self.closing:
            self.received(data)

    def readConnectionLost(self) -> None:
        """End with the other end."""
        self.abort()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """End, at once."""
        self._is_lost = True
        if self._calls is not None and not self.run:
            self.factory.cannot_link(self._calls, reason)
        self._end(reason)

    def received(self, data: bytes) -> None:
        """Hear each line; one that cannot be understood is the last."""
        for line in self._splitter.feed(data):
            if self.closing:
                return
            try:
                self._hear(line)
            except Exception:
                if self.run:
                    self._log.failure("what a linked daemon says cannot be heeded; its link is cut")
                self.abort()

    def _hear(self, line: bytes | None) -> None:
        if line is None:
            raise ValueError("a line that is too long")
        letter, _, rest = line.partition(b" ")
        if self.run:
            self.factory.heard(self, letter.decode(), rest)
        elif letter == b"h":
            self._greet(rest.decode().split(" "))
        else:
            self.abort()  # whoever it is, it is no daemon of ours

    # -- who it is ------------------------------------------------------------------------

    def _greet(self, words: list[str]) -> None:
        if self._claims is None and len(words) == 2 and self._calls is None:
            self._claims = int(words[0]), words[1]
            self.review()
        elif len(words) == 3:
            self._check(*words)
        else:
            self.abort()

    def review(self) -> None:
        """Answer one who has called, once we know that there is such a run."""
        if self._claims is None or self._answered:
            return
        caller = self.factory.find(self._claims[0])
        if caller is not None:
            self._answered = True
            self._prove(caller, self._claims[1])

    def _prove(self, other: PeerRow, heard: str) -> None:
        own = self.factory.own
        self.write("h", own.run, self._drawn, wire.proof(own, other, self._drawn, heard))

    def _check(self, run: str, drawn: str, proof: str) -> None:
        other = self._calls
        if (
            other is None
            and self._answered
            and self._claims is not None
            and drawn == self._claims[1]
        ):
            other = self.factory.find(self._claims[0])
        if other is None or str(other.run) != run:
            self.abort()
            return
        if not compare_digest(proof, wire.proof(other, self.factory.own, drawn, self._drawn)):
            self._log.warn(
                "{peer} says that it is a daemon of the house, and is not", peer=self.peer
            )
            self.abort()
            return
        if self._calls is not None:
            self._prove(other, drawn)
        self.run = other.run
        self.settled()
        self.factory.linked(self)
