"""One WebSocket of a browser: the handshake, the bounds of what comes in, and how the door hears of its end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, cast

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IPushProducer, ITCPTransport, ITransport
from twisted.python.failure import Failure
from twisted.web.http import Request as HttpRequest
from twisted.web.http_headers import Headers
from twisted.web.server import NOT_DONE_YET, Request
from twisted.web.websocket import WebSocketResource, WebSocketTransport
from wsproto.utilities import LocalProtocolError, RemoteProtocolError
from zope.interface import implementer

_HEAD = 14  # bytes before what a frame holds, at most
_KEY_LENGTH = 24  # of 16 bytes in base 64
# RFC 6455, section 7.4.1, and what its registry has added for a server without room.
AT_END, NO_BYTES, NOT_WANTED, TOO_LARGE, TOO_MANY = 1000, 1003, 1008, 1009, 1013


def is_handshake(request: HttpRequest) -> bool:
    """Say whether a browser asks to go on as a WebSocket (RFC 6455, section 4.2.1)."""
    headers = request.requestHeaders
    upgrade = headers.getRawHeaders(b"upgrade", [b""])[-1].lower()
    version = headers.getRawHeaders(b"sec-websocket-version", [b""])[-1].strip()
    connection = b",".join(headers.getRawHeaders(b"connection", [])).lower().replace(b" ", b"")
    key = headers.getRawHeaders(b"sec-websocket-key", [b""])[-1].strip()
    return (
        (upgrade, version) == (b"websocket", b"13")
        and b"upgrade" in connection.split(b",")
        and len(key) == _KEY_LENGTH
        and _is_text(headers)
    )


def _is_text(headers: Headers) -> bool:
    """Say whether what is negotiated is written in ASCII, as those who read it expect."""
    names = (b"sec-websocket-key", b"sec-websocket-protocol", b"sec-websocket-extensions")
    return all(each.isascii() for name in names for each in headers.getRawHeaders(name, []))


class BrowserConnection(Protocol):
    """The connection that a socket goes on over, as the door keeps it."""

    transport: ITransport | None
    dataReceived: Callable[[bytes], None]

    def registerProducer(self, producer: object, streaming: bool) -> None:
        """Let somebody hear whether the peer reads."""

    def connectionLost(self, reason: Failure) -> None:
        """Be forgotten by the door."""

    def dismiss(self, reason: str) -> None:
        """Close, after a while in any case."""


@implementer(IPushProducer)
class BrowserSocket:
    """What every WebSocket here has in common; ``done`` fires once it is no more.

    Who builds on it hears ``opened``, ``heard`` with each message of text, whether the peer reads, and ``lost``,
    once, also where no hands were shaken.
    """

    largest: int  # bytes of a message
    at_once: int  # largest messages that may come in one piece

    def __init__(self, request: Request) -> None:
        self.done: Deferred[None] = Deferred()
        self._request = request
        self._channel = cast(BrowserConnection, request.channel)
        self._transport: WebSocketTransport | None = None
        self._unread = 0

    # -- what is built on it ----------------------------------------------------------

    def opened(self) -> None:
        """Begin: hands are shaken."""

    def heard(self, message: str) -> None:
        """Take in a message."""

    def lost(self, reason: Failure | None) -> None:
        """Forget the peer."""

    def pauseProducing(self) -> None:
        """The peer does not read."""

    def resumeProducing(self) -> None:
        """The peer reads again."""

    def stopProducing(self) -> None:
        """Nothing to do: the end of the connection says the same."""

    # -- what is done with it ---------------------------------------------------------

    def upgrade(self) -> bytes | None:
        """Shake hands; gives what is answered if that fails, None if the socket is open."""
        channel = self._channel
        answer = WebSocketResource(_One(self)).render_GET(self._request)
        if answer != NOT_DONE_YET:
            self.lost(None)
            return bytes(answer)
        receive = channel.dataReceived
        channel.dataReceived = lambda data: self._receive(receive, data)
        # The upgrade took the channel's place: what else is asked of it must still be known.
        channel.registerProducer(self, True)
        return None

    def send_text(self, text: str) -> None:
        """Send a message, unless the socket is closed, by whichever side."""
        if self._transport is None:
            return
        try:
            self._transport.sendTextMessage(text)
        except LocalProtocolError:  # the peer has said goodbye, and its connection is not lost yet
            self.close()

    def close(self, code: int = AT_END) -> None:
        """Close, whether the peer reads or not."""
        transport = self._transport
        if transport is not None:
            self._transport = None
            with suppress(LocalProtocolError):  # the peer has closed already
                transport.loseConnection(code)
            self._channel.dismiss("")  # which waits for nobody who does not read

    def abort(self) -> None:
        """Close at once; what waits is lost."""
        self._transport = None
        cast(ITCPTransport, self._channel.transport).abortConnection()

    # -- what the protocol says -------------------------------------------------------

    def _receive(self, receive: Callable[[bytes], None], data: bytes) -> None:
        """Take bytes in, unless they make a message that is too large."""
        largest = self.largest + _HEAD
        self._unread += len(data)
        if self._unread > largest * self.at_once:
            self.close(TOO_LARGE)
            return
        try:
            receive(data)
        except (RemoteProtocolError, LocalProtocolError):
            self.abort()
        if self._unread > largest:
            self.close(TOO_LARGE)

    def negotiationStarted(self, transport: WebSocketTransport) -> None:
        """Get the way to the page."""
        self._transport = transport

    def negotiationFinished(self) -> None:
        """Hands are shaken."""
        self.opened()

    def textMessageReceived(self, message: str) -> None:
        """Take in a message."""
        self._unread = 0
        self.heard(message)

    def bytesMessageReceived(self, data: bytes | bytearray) -> None:
        """Close: nobody who reads what we say sends bytes."""
        self.close(NO_BYTES)

    def pongReceived(self, payload: bytes) -> None:
        """Nothing to do: nobody here pings."""

    def connectionLost(self, reason: Failure) -> None:
        """Say that it is over, and tell the connection's own end to whoever counts connections."""
        self._transport = None
        self.lost(reason)
        type(self._channel).connectionLost(self._channel, reason)
        if not self.done.called:
            self.done.callback(None)


class _One:
    """Gives the handshake the one socket that it is for."""

    def __init__(self, socket: BrowserSocket) -> None:
        self._socket = socket

    def buildProtocol(self, request: Request) -> BrowserSocket:
        """Give the socket."""
        return self._socket
