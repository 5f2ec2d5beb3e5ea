"""Pages kept up to date over a WebSocket: the parts of a table that have changed, and a beat.

To the page, each a JSON object of one message::

    {"seq": 18, "base": 17, "parts": {"felt": "<section ..."}, "rest": 1400, "age": 0,
     "drawn": "9f86d081884c7d65", "cue": "turn", "title": "Your turn", "urgent": true}
    {"beat": 18, "build": "0123456789ab"}      first, each 15 s, and in answer to "?"
    {"gone": "taken-over"}                     and the connection is closed

``seq`` counts the frames of one stream.  ``base`` is the frame before; without it all parts are there.  ``rest`` is
for how many milliseconds the frame wants to be seen, ``age`` how old its clocks are; an ``urgent`` one is shown at
once, whatever waits before it.  ``drawn`` names what the page
shows then: a page that comes back says it behind ``?after=``, and is sent nothing if the table stands so.

From the page comes nothing but ``?``.  A peer that does not read is owed no more than the latest picture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Protocol, cast

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IPushProducer, ITCPTransport, ITransport
from twisted.python.failure import Failure
from twisted.web.http import Request as HttpRequest
from twisted.web.http_headers import Headers
from twisted.web.server import NOT_DONE_YET, Request
from twisted.web.websocket import WebSocketResource, WebSocketTransport
from wsproto.utilities import LocalProtocolError, RemoteProtocolError
from zope.interface import implementer

from protocols.i18n.translate import Translator
from protocols.net.limits import TokenBucket
from protocols.web.face import WebFace
from protocols.web.picture import SEEN, Drawn, Parts, Picture
from protocols.web.static_files import VERSION

BEAT_SECONDS = 15.0  # a page that hears nothing for 33 s opens another stream
FRAMES_A_SECOND, FRAMES_AT_ONCE = 8.0, 24.0
LARGEST_MESSAGE = 64  # characters from a page
_LARGEST_FRAME = LARGEST_MESSAGE + 14  # bytes, with its head
_KEY_LENGTH = 24  # of 16 bytes in base 64
_ASKS_A_SECOND, _ASKS_AT_ONCE = 2.0, 20.0


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
    """The connection that a stream goes on over, as the door keeps it."""

    transport: ITransport | None
    dataReceived: Callable[[bytes], None]

    def registerProducer(self, producer: object, streaming: bool) -> None:
        """Let somebody hear whether the peer reads."""

    def connectionLost(self, reason: Failure) -> None:
        """Be forgotten by the door."""

    def dismiss(self, reason: str) -> None:
        """Close, after a while in any case."""


@implementer(IPushProducer)
class LiveStream:
    """One stream of pictures to one page."""

    def __init__(
        self,
        request: Request,
        face: WebFace,
        say: Translator,
        shown: str,
        closed: Callable[[WebFace], None],
    ) -> None:
        """Show a page what a face is shown; ``shown`` names what it shows already."""
        self.done: Deferred[None] = Deferred()
        self._request = request
        self._channel = cast(BrowserConnection, request.channel)
        self._face = face
        self._say = say
        self._shown = shown
        self._closed = closed
        self._transport: WebSocketTransport | None = None
        self._sent: Parts = {}
        self._seq = 0
        self._whole = True  # the next frame has all parts
        self._full = False
        self._behind = False
        self._mine = False
        self._unread = 0
        now = face.clock.seconds()
        self._frames = TokenBucket(FRAMES_A_SECOND, FRAMES_AT_ONCE)
        self._asks = TokenBucket(_ASKS_A_SECOND, _ASKS_AT_ONCE)
        self._frames.take(now, 0)
        self._beating: IDelayedCall | None = None
        self._catching_up: IDelayedCall | None = None

    # -- the connection ---------------------------------------------------------------

    def upgrade(self) -> bytes | None:
        """Shake hands; gives what is answered if that fails, None if the stream is open."""
        channel = self._channel
        resource = WebSocketResource(_One(self))
        answer = resource.render_GET(self._request)
        if answer != NOT_DONE_YET:
            self._closed(self._face)
            return bytes(answer)
        receive = channel.dataReceived
        channel.dataReceived = lambda data: self._receive(receive, data)
        # The upgrade took the channel's place: what else is asked of it must still be known.
        channel.registerProducer(self, True)
        return None

    def _receive(self, receive: Callable[[bytes], None], data: bytes) -> None:
        """Take bytes in, unless they make a message that no page of ours sends."""
        self._unread += len(data)
        if self._unread > _LARGEST_FRAME * _ASKS_AT_ONCE:
            self._close(1009)
            return
        try:
            receive(data)
        except (RemoteProtocolError, LocalProtocolError):
            self._abort()
        if self._unread > _LARGEST_FRAME:
            self._close(1009)

    def negotiationStarted(self, transport: WebSocketTransport) -> None:
        """Get the way to the page."""
        self._transport = transport

    def negotiationFinished(self) -> None:
        """Begin: with the table as it stands, unless the page shows just that."""
        face = self._face
        face.streams.append(self)
        self._beat()
        if face.picture is not None:
            self.show([face.picture])

    def textMessageReceived(self, message: str) -> None:
        """Answer at once, ahead of all that is to be drawn."""
        self._unread = 0
        if len(message) > LARGEST_MESSAGE or not self._asks.take(self._face.clock.seconds()):
            self._close(1008)
        else:
            self._send_beat()

    def bytesMessageReceived(self, data: bytes | bytearray) -> None:
        """Close: no page of ours sends bytes."""
        self._close(1003)

    def pongReceived(self, payload: bytes) -> None:
        """Nothing to do: the beat is one that the script sees."""

    def connectionLost(self, reason: Failure) -> None:
        """Forget the stream, and tell the connection's own end to whoever counts connections."""
        for timer in (self._beating, self._catching_up):
            if timer is not None and timer.active():
                timer.cancel()
        self._transport = None
        if self in self._face.streams:
            self._face.streams.remove(self)
        self._closed(self._face)
        type(self._channel).connectionLost(self._channel, reason)
        if not self.done.called:
            self.done.callback(None)

    def end(self, why: str) -> None:
        """End the stream; the page comes back by itself unless it is told ``why`` not."""
        if why:
            self._send({"gone": why})
        self._close(1000)

    def _close(self, code: int) -> None:
        transport = self._transport
        if transport is not None:
            self._transport = None
            if self in self._face.streams:
                self._face.streams.remove(self)
            with suppress(LocalProtocolError):  # the peer has closed already
                transport.loseConnection(code)
            self._channel.dismiss("")  # which waits for nobody who does not read

    def _abort(self) -> None:
        self._transport = None
        cast(ITCPTransport, self._channel.transport).abortConnection()

    # -- what is sent -----------------------------------------------------------------

    def show(self, pictures: Sequence[Picture]) -> None:
        """Send what there is to be seen, or remember to, if the page does not read or is sent too much."""
        if self._full or self._catching_up is not None:
            self._behind = True
            return
        for picture, rest in _without_twins(pictures, self._say):
            if not self._frames.take(self._face.clock.seconds()):
                wait = self._frames.wait(self._face.clock.seconds())
                self._catching_up = self._face.clock.callLater(wait, self._catch_up)
                return
            self._send_picture(picture, rest)

    def _catch_up(self) -> None:
        self._catching_up = None
        self._behind = False
        if self._face.picture is not None:
            self.show([self._face.picture])

    def _send_picture(self, picture: Picture, rest: float) -> None:
        drawn = picture.drawn(self._say)
        if self._whole and drawn.digest == self._shown:
            self._sent, self._mine, self._whole = drawn.parts, drawn.mine, False
            return
        parts = self._changed(drawn)
        if not parts:
            return
        frame: dict[str, object] = {"seq": self._seq + 1, "parts": parts, "drawn": drawn.digest}
        if not self._whole:
            frame["base"] = self._seq
        age = self._face.clock.seconds() - picture.since
        if picture.at is None and age > 0.2:
            frame["age"] = round(1000 * age)
        if rest:
            frame["rest"] = round(1000 * rest)
        if drawn.urgent:
            frame["urgent"] = True
        if picture.at is None:
            frame["title"] = drawn.title
            if drawn.mine and not self._mine:
                frame["cue"] = "turn"
            self._mine = drawn.mine
        self._seq += 1
        self._sent, self._whole = drawn.parts, False
        self._send(frame)

    def _changed(self, drawn: Drawn) -> dict[str, str]:
        if self._whole:
            return dict(drawn.parts)
        sent = self._sent
        return {name: part for name, part in drawn.parts.items() if sent.get(name) != part}

    def _send(self, message: dict[str, object]) -> None:
        if self._transport is not None:
            text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
            self._transport.sendTextMessage(text.encode(errors="replace").decode())

    def _send_beat(self) -> None:
        self._send({"beat": self._seq, "build": VERSION})

    def _beat(self) -> None:
        self._beating = self._face.clock.callLater(BEAT_SECONDS, self._beat)
        if not self._full:
            self._send_beat()

    # -- what the transport says ------------------------------------------------------

    def pauseProducing(self) -> None:
        """The peer does not read."""
        self._full = True

    def resumeProducing(self) -> None:
        """The peer reads again: show it the latest."""
        self._full = False
        if self._behind and self._catching_up is None:
            self._catch_up()

    def stopProducing(self) -> None:
        """Nothing to do: the end of the connection says the same."""


class _One:
    """Gives the handshake the one stream that it is for."""

    def __init__(self, stream: LiveStream) -> None:
        self._stream = stream

    def buildProtocol(self, request: Request) -> LiveStream:
        """Give the stream."""
        return self._stream


def _without_twins(pictures: Sequence[Picture], say: Translator) -> Iterator[tuple[Picture, float]]:
    """Leave out a moment that the next picture shows as well: that one is seen for as long instead."""
    rest = 0.0
    for picture, after in zip_longest(pictures, pictures[1:]):
        rest = max(rest, picture.rest)
        if after is not None and picture.drawn(say).parts[SEEN] == after.drawn(say).parts[SEEN]:
            continue
        yield picture, rest
        rest = 0.0
