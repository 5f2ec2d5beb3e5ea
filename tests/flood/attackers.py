"""Attackers: connections that say what they were given to say, as often as they were told to, and come again.

They read and forget all that they are told.  Nothing is parsed and nothing waits, for the attack must not be what
limits the server.
"""

from __future__ import annotations

import heapq
import select
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import perf_counter

from attrs import define

from tests.bench.links import READ
from tests.bench.seating import HOST, address

_REST = 0.05  # seconds until one whose link was closed, or refused, tries again


@define(eq=False)
class Attacker:
    """One link from one of our addresses; each of its ``pieces`` is sent ``period`` seconds after the one before.

    A link lives for ``life`` pieces (0: as long as it may), then it is cut, and another made.  ``half`` ends its
    input behind the first piece; what is not ``reads`` never reads.
    """

    port: int
    number: int
    pieces: Iterator[bytes]
    period: float
    greeting: bytes = b""
    life: int = 0
    half: bool = False
    reads: bool = True
    tls: bool = False
    udp: bool = False
    sock: socket.socket | None = None
    said: int = 0

    def connect(self) -> socket.socket:
        """Begin to connect; raises OSError."""
        kind = socket.SOCK_DGRAM if self.udp else socket.SOCK_STREAM
        sock = socket.socket(type=kind)
        sock.setblocking(False)
        if not self.udp:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.bind((address(self.number), 0))
        with suppress(BlockingIOError):
            sock.connect((HOST, self.port))
        self.sock, self.said = sock, 0
        return sock

    def next_piece(self) -> bytes:
        """Give what is to be said now: the greeting goes before all else."""
        piece = next(self.pieces)
        piece = self.greeting + piece if not self.said else piece
        self.said += 1
        return piece


@define
class Done:
    """How much an attack did: pieces sent, links made, and links that the house closed or never took."""

    sent: int = 0
    links: int = 0
    closed: int = 0


class Attack:
    """Lets all attackers work at once, from one thread."""

    def __init__(self, attackers: Sequence[Attacker]) -> None:
        self.done = Done()
        self._poll = select.epoll()
        self._by_number: dict[int, Attacker] = {}
        # Who is due when; spread over a period, lest all come in one instant.
        spread = enumerate(attackers)
        now = perf_counter()
        self._due = [(now + a.period * i / len(attackers), i, a) for i, a in spread]
        heapq.heapify(self._due)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._tls.check_hostname = False
        self._tls.verify_mode = ssl.CERT_NONE

    def work(self, seconds: float) -> Done:
        """Attack for so long."""
        until = perf_counter() + seconds
        while (now := perf_counter()) < until:
            while self._due and self._due[0][0] <= now:
                due, order, attacker = self._due[0]
                acted = self._act(attacker)
                again = max(now, due + attacker.period) if acted else now + _REST
                heapq.heapreplace(self._due, (again, order, attacker))
            wait = self._due[0][0] - perf_counter()
            for number, events in self._poll.poll(min(max(wait, 0.0), 0.05)):
                self._drain(self._by_number[number], events)
        for attacker in list(self._by_number.values()):
            self._part(attacker)
        return self.done

    def _act(self, attacker: Attacker) -> bool:
        """Say one piece, on a new link if there is none; False if there is nothing to be said for now."""
        try:
            if attacker.sock is None:
                self._come(attacker)
            elif attacker.life and attacker.said >= attacker.life:
                self._part(attacker)
                self._come(attacker)
            self._say(attacker)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return True
        except OSError:
            self._lose(attacker)
            return False
        return True

    def _come(self, attacker: Attacker) -> None:
        sock = attacker.connect()
        if attacker.tls:
            # wrapped once it is connected: on loopback that is at once, or never
            sock.setblocking(True)
            sock.settimeout(0.2)
            attacker.sock = sock = self._tls.wrap_socket(sock, do_handshake_on_connect=False)
            sock.setblocking(False)
        self.done.links += 1
        self._by_number[sock.fileno()] = attacker
        self._poll.register(sock, select.EPOLLIN if attacker.reads else 0)

    def _say(self, attacker: Attacker) -> None:
        sock = attacker.sock
        assert sock is not None
        if attacker.tls:
            sock.do_handshake()  # type: ignore[attr-defined]
        if attacker.half and attacker.said:
            return
        sock.send(attacker.next_piece())
        self.done.sent += 1
        if attacker.half:
            sock.shutdown(socket.SHUT_WR)

    def _drain(self, attacker: Attacker, events: int) -> None:
        assert attacker.sock is not None
        try:
            if not events & select.EPOLLIN or not attacker.sock.recv(READ):
                self._lose(attacker)
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        except OSError:
            self._lose(attacker)

    def _lose(self, attacker: Attacker) -> None:
        self.done.closed += 1
        self._part(attacker)

    def _part(self, attacker: Attacker) -> None:
        if attacker.sock is not None:
            self._by_number.pop(attacker.sock.fileno(), None)
            attacker.sock.close()  # which takes it out of the poll as well
            attacker.sock = None
