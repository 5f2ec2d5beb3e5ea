"""The canary: two who play a game of Nim over JSON lines while others flood the house, and time every move."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, sleep

from attrs import define, field, frozen

from tests.bench.links import MANNERS, READ, Broken
from tests.bench.load import percentile
from tests.bench.seating import connect, read_until

BETWEEN_MOVES = 0.02  # seconds
PATIENCE = 30.0
_MANNER = MANNERS["json"]


@frozen
class Felt:
    """How long moves took, in seconds, and how many were never told within ``PATIENCE``."""

    moves: int
    p50: float
    p99: float
    most: float
    timed_out: int


@define
class Canary:
    """Two players at the table ``code``; from its sending to the opponent's hearing lasts a move."""

    code: str
    _socks: Sequence[socket.socket]
    _turn: int = 0
    _rest: list[bytes] = field(factory=lambda: [b"", b""])

    def play(self, seconds: float) -> Felt:
        """Move every so often for so long; raises Broken if the table is closed to them."""
        taken: list[float] = []
        timed_out = 0
        until = perf_counter() + seconds
        while perf_counter() < until and not timed_out:
            began = perf_counter()
            self._socks[self._turn].sendall(_MANNER.move)
            if self._hear(began + PATIENCE):
                taken.append(perf_counter() - began)
            else:
                timed_out += 1
            sleep(max(0.0, began + BETWEEN_MOVES - perf_counter()))
        return Felt(
            len(taken),
            percentile(taken, 50) if taken else PATIENCE,
            percentile(taken, 99) if taken else PATIENCE,
            max(taken, default=PATIENCE),
            timed_out,
        )

    def _hear(self, until: float) -> bool:
        """Wait until the one who is to move next has heard of it."""
        self._turn = 1 - self._turn
        mark = _MANNER.turns[self._turn]
        while True:
            ready, _, _ = select.select(self._socks, (), (), max(0.0, until - perf_counter()))
            if not ready:
                return False
            heard = [
                mark in self._read(seat) for seat, sock in enumerate(self._socks) if sock in ready
            ]
            if any(heard):
                return True

    def _read(self, seat: int) -> bytes:
        """Give the lines that came to a seat; the other one hears of that turn too, which does no harm."""
        data = self._socks[seat].recv(READ)
        if not data:
            raise Broken("the canary was sent away")
        lines, newline, self._rest[seat] = (self._rest[seat] + data).rpartition(b"\n")
        return lines + newline if seat == self._turn else b""


@contextmanager
def seat_canary(port: int) -> Iterator[Canary]:
    """Let two sit down to a game."""
    with connect(port) as opener, connect(port) as joiner:
        opener.sendall(_MANNER.opens)
        code = _MANNER.code_in(read_until(opener, _MANNER.code_in))
        joiner.sendall(_MANNER.joins % code)
        for sock, begun in zip((opener, joiner), _MANNER.begun, strict=True):
            read_until(sock, lambda said, begun=begun: begun in said)  # type: ignore[misc]
        yield Canary(code.decode(), (opener, joiner))
