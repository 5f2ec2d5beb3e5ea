"""The daemons of one host, which share discovery's port: who hears a question lets the others hear it.

A broadcast reaches all of them, a question to the host itself only one, as the system draws. That one repeats it on
the loopback's broadcast address, as one JSON object with the asker and where it was asked::

    {"COMMAND":"FIND_SERVER_FOR","FROM":"9c1e","GAME":"*","NONCE":"5f3a","BYTES":"512",
     "ASKER":"192.0.2.20","ASKER_PORT":"3981","SCOPE":"0","AT":"192.0.2.7","ON":"2"}

The others answer the asker as if they had heard it themselves, by their own budgets; nobody repeats what was
repeated. A neighbour is answered by all. One beyond a router gets no more bytes than it sent, so there one of them
answers, each in its turn, and TO names it. For this they know of each other, from what each says now and then::

    {"COMMAND":"SIBLING","FROM":"9c1e"}

Only what was sent from a loopback address to a loopback address is believed: the system lets in no such thing from
elsewhere, and who is on this host can send what he likes anyway.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable
from typing import Any

import attrs

from protocols.discovery.wire import (
    GAME_LENGTH,
    MOST_QUERY_BYTES,
    NONCE_LENGTH,
    Query,
    is_plain,
    read_number,
    read_object,
)

BROADCAST = "127.255.255.255"
SAID_EVERY = 30.0  # seconds
FORGOTTEN_AFTER = 3 * SAID_EVERY
MOST_SIBLINGS = 64
MOST_SIBLING_BYTES = 2 * MOST_QUERY_BYTES
_ID_LENGTH = 64


@attrs.frozen(slots=True)
class Question:
    """A question as it was heard: what, from whom, how long it was, and at which address of ours it arrived.

    ``on`` is the number of the interface, None where the system does not say.
    """

    query: Query
    size: int
    asker: ipaddress.IPv4Address | ipaddress.IPv6Address
    port: int
    scope: int
    at: ipaddress.IPv4Address | ipaddress.IPv6Address
    on: int | None

    @property
    def source(self) -> tuple[Any, ...]:
        """Where its answer goes, as a socket takes it."""
        address = (str(self.asker), self.port)
        return address if self.asker.version == 4 else (*address, 0, self.scope)


@attrs.frozen(slots=True)
class Repeated:
    """A question that a sibling lets us hear; ``to`` is who answers it, None if all do."""

    by: str
    question: Question
    to: str | None = None


@attrs.frozen(slots=True)
class Present:
    """A sibling says that it is there."""

    by: str


def render(message: Repeated | Present) -> bytes:
    """Write what one daemon says to the others of its host."""
    if isinstance(message, Present):
        return _rendered({"COMMAND": "SIBLING", "FROM": message.by})
    question = message.question
    fields: dict[str, str | None] = {
        "COMMAND": "FIND_SERVER_FOR",
        "FROM": message.by,
        "TO": message.to,
        "GAME": question.query.game,
        "NONCE": question.query.nonce,
        "BYTES": str(question.size),
        "ASKER": str(question.asker),
        "ASKER_PORT": str(question.port),
        "SCOPE": str(question.scope),
        "AT": str(question.at),
        "ON": None if question.on is None else str(question.on),
    }
    return _rendered(fields)


def parse(datagram: bytes) -> Repeated | Present | None:
    """Read what a sibling says; None is for all else."""
    message = read_object(datagram, MOST_SIBLING_BYTES)
    if message is None or not is_plain(message.get("FROM"), _ID_LENGTH):
        return None
    by = str(message["FROM"])
    if message.get("COMMAND") == "SIBLING":
        return Present(by)
    if message.get("COMMAND") != "FIND_SERVER_FOR":
        return None
    question, to = _question(message), message.get("TO")
    if question is None or not (to is None or is_plain(to, _ID_LENGTH)):
        return None
    return Repeated(by, question, to)


def _question(message: dict[str, Any]) -> Question | None:
    game, nonce = message.get("GAME"), message.get("NONCE")
    if not is_plain(game, GAME_LENGTH) or not (nonce is None or is_plain(nonce, NONCE_LENGTH)):
        return None
    numbers = [read_number(message.get(key)) for key in ("BYTES", "ASKER_PORT", "SCOPE")]
    try:
        asker, at = (ipaddress.ip_address(str(message.get(key))) for key in ("ASKER", "AT"))
    except ValueError:
        return None
    size, port, scope = numbers
    if size is None or port is None or scope is None or size > MOST_QUERY_BYTES:
        return None
    if not 1 <= port <= 65535 or asker.version != at.version:
        return None
    return Question(
        Query(game, nonce), size, asker, port, scope, at, read_number(message.get("ON"))
    )


def _rendered(fields: dict[str, str | None]) -> bytes:
    message = {key: value for key, value in fields.items() if value is not None}
    return json.dumps(message, separators=(",", ":")).encode("ascii")


class Siblings:
    """Which other daemons are on this host, and whose turn it is to answer somebody beyond a router."""

    def __init__(
        self,
        ours: str,
        seconds: Callable[[], float],
        say: Callable[[bytes], None],
        answer: Callable[[Question], None],
    ) -> None:
        """Speak as ``ours`` by ``say``, and have ``answer`` called for a question that a sibling heard."""
        self._ours, self._seconds, self._say, self._answer = ours, seconds, say, answer
        self._heard_at: dict[str, float] = {}
        self._turns = 0

    def present(self) -> None:
        """Say that we are there."""
        self._say(render(Present(self._ours)))

    def share(self, question: Question, near: bool) -> bool:
        """Let the others hear a question that reached us alone; say whether we answer it ourselves."""
        living = self._living()
        if not living:
            return True
        if near:
            self._say(render(Repeated(self._ours, question)))
            return True
        everybody = sorted([self._ours, *living])
        self._turns += 1
        turn = everybody[self._turns % len(everybody)]
        if turn == self._ours:
            return True
        self._say(render(Repeated(self._ours, question, turn)))
        return False

    def hear(self, datagram: bytes) -> None:
        """Hear what was said on this host: answer a question that is repeated to us."""
        message = parse(datagram)
        if message is None or message.by == self._ours:
            return
        self._note(message.by)
        if isinstance(message, Repeated) and message.to in (None, self._ours):
            self._answer(message.question)

    def _note(self, sibling: str) -> None:
        unknown = sibling not in self._living()
        if unknown and len(self._heard_at) >= MOST_SIBLINGS:
            return
        self._heard_at[sibling] = self._seconds()
        if unknown:
            self.present()

    def _living(self) -> list[str]:
        """Who was heard of lately; forgets the others."""
        since = self._seconds() - FORGOTTEN_AFTER
        self._heard_at = {each: at for each, at in self._heard_at.items() if at > since}
        return list(self._heard_at)
