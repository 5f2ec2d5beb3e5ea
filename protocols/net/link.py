"""What every connection has in common, whatever it carries.

A `Link` is born when a peer connects and dies when it is gone. In between it may be

* *unsettled*: a deadline runs until the wire calls `settled()`; there is no idle limit after;
* *paused*: the peer does not read. The transport holds 64 KiB, the link keeps what comes after,
  and more than `backlog` bytes of that is an overflow;
* *gathering*: a batch is under way, at whose end all that was sent in it goes out as one write;
* *half-closed*: the peer ended its input. Answers still go out, and after `linger` seconds the link
  closes (an ordinary end of a client looks just the same, so it cannot be kept for longer);
* *closing*: nothing is read or sent any more. We end our side and wait `linger` seconds for the
  peer to end its own: closing at once would, with bytes of the peer's still unread, make the kernel
  reset the connection and take the last line we wrote from under the peer's eyes.

A wire overrides `received`, `farewell`, `gone` and, where it has a better answer, `overflowed` and
`input_ended`. It closes with `dismiss` or `close`, never by way of `transport.loseConnection`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, cast
from typing import Protocol as Interface

from twisted.internet.interfaces import (
    IAddress,
    IConsumer,
    IDelayedCall,
    IHalfCloseableProtocol,
    IPushProducer,
    IReactorTime,
    ITCPTransport,
)
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from zope.interface import implementer

from protocols.net.cork import Cork, write_now
from protocols.net.turns import Turns

PIECE = 1024  # bytes of a peer that are taken in at a time, at most
# A dead peer is noticed within two minutes, whether or not we have something to tell it; what the
# kernel does unasked takes from a quarter of an hour to two hours.
_KEEPALIVE = (
    ("TCP_KEEPIDLE", 60),
    ("TCP_KEEPINTVL", 15),
    ("TCP_KEEPCNT", 4),
    ("TCP_USER_TIMEOUT", 120_000),
)

_MOST_GATHERED = 64


def tune(transport: Any) -> None:
    """Send small lines at once, and notice a dead peer; does nothing where there is no TCP."""
    # Below TLS, and below whatever else stands between us and the socket.
    while (beneath := getattr(transport, "transport", None)) is not None:
        transport = beneath
    if not hasattr(transport, "setTcpNoDelay"):
        return
    with suppress(OSError):
        transport.setTcpNoDelay(True)
        transport.setTcpKeepAlive(True)
        _shorten_keepalive(transport.getHandle())


def _shorten_keepalive(handle: socket.socket) -> None:
    if handle.family not in (socket.AF_INET, socket.AF_INET6):
        return
    for name, value in _KEEPALIVE:
        option = getattr(socket, name, None)
        if option is not None:
            handle.setsockopt(socket.IPPROTO_TCP, option, value)


class Owner(Interface):
    """What a link asks of the factory that let it in; a wire adds what else its links need of theirs."""

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""

    @property
    def cork(self) -> Cork:
        """What holds back, while a batch is under way, all that is sent in it."""

    @property
    def turns(self) -> Turns:
        """In which turn each peer is served."""

    def joined(self, link: Link) -> None:
        """Hear from a link that it is connected."""

    def parted(self, link: Link) -> None:
        """Hear from a link that it is gone."""


# Why nothing is read of a peer: what it sends is not wanted now, or enough of it waits for its turn.
_UNWANTED, _HELD = 1, 2


@implementer(IPushProducer, IHalfCloseableProtocol)
class Link(Protocol):
    """One connection to a peer, with every bound a stranger needs."""

    deadline: float = 60.0
    backlog: int = 256 * 1024
    linger: float = 2.0

    transport: ITCPTransport
    factory: Owner

    # Class attributes, not set in __init__: an idle link only stores what differs.
    came_from: str | None = None
    closing: bool = False
    half_closed: bool = False
    waiting: int = 0
    _unread: int = 0  # for which reasons nothing is read
    _is_input_over: bool = False  # the peer ended its input, which may wait for its turn
    _is_lost: bool = False  # the connection is no more, the end of which may wait for its turn
    _queue: list[bytes] | None = None
    _gathered: list[bytes] | None = None
    _timer: IDelayedCall | None = None

    @property
    def peer(self) -> str:
        """The host at the other end, for logs and limits."""
        return host_of(self.transport.getPeer()) or "unix"

    # What a wire overrides

    def received(self, data: bytes) -> None:
        """Hear bytes of the peer's; never called once the link is closing."""

    def farewell(self, reason: str) -> bytes:
        """Say a reason in the wire's own manner; may be asked of a link that never connected."""
        return b""

    def gone(self, reason: Failure) -> None:
        """Hear, once, that the connection is no more."""

    def overflowed(self) -> None:
        """Hear that too much waits for a peer that does not read; closes hard.

        A wire that can draw its state afresh may call `forget_waiting` and send that instead.
        """
        self.abort()

    def begins_no_more(self) -> None:
        """Hear that the daemon is about to end, and that no game begins here any more."""

    def input_ended(self) -> None:
        """Hear that the peer will say no more; when nothing is left to answer, call `close`."""

    def end_of_input(self) -> None:
        """Hear of the end behind all that came before it; a wire that overrides this calls it last."""
        self.half_closed = True
        if self.closing:
            if not self._is_lost:
                self.transport.loseConnection()
            return
        self._start_timer(self.linger, self.close)
        self.input_ended()

    @property
    def speaker(self) -> object:
        """Who this peer is to the Host: its face."""
        return self

    # What a wire calls

    def settled(self) -> None:
        """Stop the deadline: the peer has said something sensible."""
        if not self.closing and not self.half_closed:
            self._stop_timer()

    def bound_silence(self, seconds: float | None) -> None:
        """Let the peer go if it says nothing for so many seconds from now; with None it may be silent."""
        if self.closing or self.half_closed:
            return
        if seconds is None:
            self._stop_timer()
        else:
            self._start_timer(seconds, partial(self.dismiss, "idle"))

    def send(self, data: bytes) -> None:
        """Send bytes to the peer, at the end of the batch if one is under way; keep them while it does not read."""
        if self._queue is not None:
            self._keep(data)
        elif self._gathered is not None:
            self._gathered.append(data)
            # The transport must see it, and say when it is full.
            if len(self._gathered) == _MOST_GATHERED:
                self.flush()
        elif self.factory.cork.held:
            self._gathered = [data]
            self.factory.cork.gather(self)
        else:
            write_now(self.transport, data)

    def send_alone(self, data: bytes) -> None:
        """Send bytes that must not meet others in one write, also within a batch."""
        self.flush()
        if self._queue is None:
            write_now(self.transport, data)
        else:
            self._keep(data)

    def flush(self) -> None:
        """Send what was gathered in a batch now."""
        gathered, self._gathered = self._gathered, None
        if gathered is not None:
            write_now(self.transport, b"".join(gathered))

    def stop_reading(self) -> None:
        """Take nothing in for now; what the peer sends waits on its side."""
        self._stop_reading(_UNWANTED)

    def go_on_reading(self) -> None:
        """Take in again what the peer sends."""
        if not self.closing:
            self._go_on_reading(_UNWANTED)

    def read_while(self, wanted: bool) -> None:
        """Take in what the peer sends if it is wanted now, else leave it on its side."""
        (self.go_on_reading if wanted else self.stop_reading)()

    def forget_waiting(self) -> None:
        """Drop what was kept for a peer that does not read; it never sees a part of a `send`."""
        if self._queue is not None:
            self._queue = []
            self.waiting = 0

    def dismiss(self, reason: str) -> None:
        """Tell the peer why, and close."""
        if not self.closing:
            self._finish(self.farewell(reason))

    def close(self) -> None:
        """Close without a word, once all that was sent has gone out."""
        if not self.closing:
            self._finish(b"")

    def abort(self) -> None:
        """Close at once; what waits is lost."""
        self._shut()
        if self.connected:
            self.transport.abortConnection()

    # How it takes its turns

    def piece_end(self, data: bytes, start: int) -> int:
        """Cut what came in behind each line, and anywhere if it is long."""
        most = min(start + PIECE, len(data))
        return data.find(b"\n", start, most) + 1 or most

    def serve_piece(self, piece: bytes) -> None:
        """Take in a piece of what the peer says."""
        if not self.closing:
            self.received(piece)

    def hold_reading(self, held: bool) -> None:
        """Read nothing while enough waits."""
        (self._stop_reading if held else self._go_on_reading)(_HELD)

    def _stop_reading(self, reason: int) -> None:
        self._unread |= reason
        if not self._is_lost:
            cast(IPushProducer, self.transport).pauseProducing()

    def _go_on_reading(self, reason: int) -> None:
        self._unread &= ~reason
        if not self._unread and self.connected and not (self._is_lost or self._is_input_over):
            cast(IPushProducer, self.transport).resumeProducing()

    # How it closes

    def _keep(self, data: bytes) -> None:
        if self.closing or self._queue is None:
            return
        self._queue.append(data)
        self.waiting += len(data)
        if self.waiting > self.backlog:
            self.overflowed()

    def _shut(self) -> bytes:
        """Let nothing in or out any more, and hand over what was kept."""
        kept = b"".join([*(self._gathered or ()), *(self._queue or ())])
        self._gathered = None
        self.closing = True
        self.waiting = 0
        self._queue = []  # sends `send` the long way, where it meets `closing`
        return kept

    def _finish(self, last: bytes) -> None:
        rest = self._shut() + last
        if self._is_lost:
            return
        if rest:
            self.transport.write(rest)
        # A transport waits for its producer before it closes.
        cast(IConsumer, self.transport).unregisterProducer()
        self._start_timer(self.linger, self.abort)
        if self.half_closed or not _half_closes(self.transport):
            self.transport.loseConnection()
        else:
            self.transport.loseWriteConnection()

    def _start_timer(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self.factory.clock.callLater(seconds, self._ring, then)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self, then: Callable[[], None]) -> None:
        self._timer = None
        then()

    def _too_late(self) -> None:
        self.dismiss("login-deadline")

    # What Twisted calls

    def connectionMade(self) -> None:
        """Begin; a wire that overrides this calls it first."""
        tune(self.transport)
        cast(IConsumer, self.transport).registerProducer(self, True)
        if self.deadline:
            self._start_timer(self.deadline, self._too_late)
        self.factory.joined(self)

    def dataReceived(self, data: bytes) -> None:
        if not self.closing:
            self.factory.turns.take(self, data)

    def readConnectionLost(self) -> None:
        """The peer ended its input: an end of file, or the answer to our own."""
        self._is_input_over = True
        self.factory.turns.end(self, self.end_of_input)

    def writeConnectionLost(self) -> None:
        """Our side is closed; if it was we who closed it, the peer may take its time."""
        if self.half_closed or not self.closing:
            self.transport.loseConnection()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self._is_lost = True
        self.factory.turns.end(self, partial(self._end, reason))

    def _end(self, reason: Failure) -> None:
        self.connected = 0
        self._shut()
        self._stop_timer()
        try:
            self.gone(reason)
        finally:
            self.factory.parted(self)

    def pauseProducing(self) -> None:
        """The transport has all it can hold; called again for each write after."""
        if self._queue is None:
            self._queue = []

    def resumeProducing(self) -> None:
        """The transport is empty: give it all that was kept."""
        if self.closing:
            return
        kept, self._queue = self._queue, None
        self.waiting = 0
        if kept:
            self.transport.write(b"".join(kept))

    def stopProducing(self) -> None:
        """Nothing to do: the end of the connection is heard in `connectionLost`."""


def _half_closes(transport: object) -> bool:
    """Say whether a transport can end its own side alone.

    Asked of the type: a TLS transport hands the name on to the bare socket, where it would cut off
    the close alert; TLS waits for the peer's alert by itself.
    """
    return hasattr(type(transport), "loseWriteConnection")


def host_of(address: IAddress | None) -> str | None:
    """Say which host an address is on, or None where there are no hosts."""
    return getattr(address, "host", None)
