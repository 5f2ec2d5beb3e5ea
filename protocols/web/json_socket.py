"""JSON lines over a WebSocket, at ``/json``: the door for programs, for one that runs in a browser.

Each message of text is one request, and each line that the door would write is one message. It is the very door of
JSON lines that is spoken to, with its bounds; where that is closed, there is nothing here. A page of ours may open
it, and pages of other sites as the setting ``json_origins`` says; who names no origin is no page, and could use the
port.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from twisted.internet.address import IPv4Address, UNIXAddress
from twisted.internet.interfaces import IAddress, IPushProducer, ITCPTransport, ITransport
from twisted.internet.protocol import Protocol
from twisted.python.failure import Failure
from twisted.web.server import Request
from zope.interface import implementer

from protocols.net.link import Link
from protocols.net.link_factory import LinkFactory
from protocols.web.application import Route, WebApplication
from protocols.web.browser_socket import TOO_MANY, BrowserSocket, is_handshake
from protocols.web.replies import PageRefused, Reply
from protocols.web.visit import Visit

ANY_ORIGIN = "any"
_JSON = "json"  # the door that is spoken to


class JsonSocket(BrowserSocket):
    """One program in a browser, as a link of the door of JSON lines."""

    largest, at_once = 16 * 1024, 8  # the longest line of that door

    def __init__(self, request: Request, door: LinkFactory, peer: IAddress) -> None:
        """``peer`` is where the program is, and what it is counted under at the door."""
        super().__init__(request)
        self.peer = peer
        self.reader: IPushProducer | None = None  # hears whether the program reads
        self._door = door
        self._link: Protocol | None = None

    def opened(self) -> None:
        """Come to the door, which may have no room."""
        self._link = self._door.let_in(self.peer, is_made=not self._is_counted())
        if self._link is None:
            self.close(TOO_MANY)
        else:
            self._link.makeConnection(cast(ITransport, _Lines(self)))

    def _is_counted(self) -> bool:
        """Say whether its connection was counted as it was made; from here on the door's link counts for it."""
        channel = cast(Link, self._channel)
        address, channel.came_from = channel.came_from, None
        self._door.admission.leave(address)
        return address is not None

    def heard(self, message: str) -> None:
        """Say it as one line: a line end in JSON is a blank."""
        if self._link is not None:
            line = message.replace("\n", " ").replace("\r", " ")
            self._link.dataReceived(line.encode() + b"\n")

    def lost(self, reason: Failure | None) -> None:
        """Be gone from the door."""
        link, self._link = self._link, None
        if link is not None and reason is not None:
            link.connectionLost(reason)

    def pauseProducing(self) -> None:
        """Tell the link that the program does not read."""
        if self.reader is not None:
            self.reader.pauseProducing()

    def resumeProducing(self) -> None:
        """Tell the link that the program reads again."""
        if self.reader is not None:
            self.reader.resumeProducing()

    @property
    def wire(self) -> ITCPTransport:
        """What lies below, to be read from or not."""
        return cast(ITCPTransport, self._channel.transport)


@implementer(ITransport)
class _Lines:
    """What a link writes lines to: each is sent as a message."""

    def __init__(self, socket: JsonSocket) -> None:
        self._socket = socket

    def write(self, data: bytes) -> None:
        """Send whole lines."""
        for line in data.decode().splitlines():
            self._socket.send_text(line)

    def writeSequence(self, data: Iterable[bytes]) -> None:
        """Send whole lines."""
        self.write(b"".join(data))

    def loseConnection(self) -> None:
        """Close once all is sent."""
        self._socket.close()

    def abortConnection(self) -> None:
        """Close at once."""
        self._socket.abort()

    def getPeer(self) -> IAddress:
        """Say where the program is."""
        return self._socket.peer

    def getHost(self) -> IAddress:
        """Say where it came to."""
        return self._socket.wire.getHost()

    def registerProducer(self, producer: IPushProducer, streaming: bool) -> None:
        """Let a link hear whether the program reads."""
        self._socket.reader = producer

    def unregisterProducer(self) -> None:
        """Let nobody hear of it any more."""
        self._socket.reader = None

    def pauseProducing(self) -> None:
        """Read nothing of the program."""
        cast(IPushProducer, self._socket.wire).pauseProducing()

    def resumeProducing(self) -> None:
        """Read on."""
        cast(IPushProducer, self._socket.wire).resumeProducing()


async def open_socket(app: WebApplication, visit: Visit) -> Reply:
    """Let a program in; raises PageRefused ``no-such-page``, ``no-socket``, ``other-origin``."""
    door = app.door(_JSON)
    if door is None:
        raise PageRefused(404, "no-such-page")
    if not is_handshake(visit.request):
        raise PageRefused(400, "no-socket")
    if not _may_open(app.settings.json_origins, visit):
        raise PageRefused(403, "other-origin")
    address = visit.address
    peer = UNIXAddress(None) if address is None else IPv4Address("TCP", address, 0)
    return Reply(stream=JsonSocket(visit.request, door, peer))


def _may_open(origins: str, visit: Visit) -> bool:
    origin = visit.header("Origin")
    allowed = origins.split()
    return (
        not origin or visit.comes_from_us(named=True) or ANY_ORIGIN in allowed or origin in allowed
    )


ROUTES = [Route("GET", "/json", open_socket)]
