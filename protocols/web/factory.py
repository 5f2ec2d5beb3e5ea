"""The web server itself: bounded requests, connections counted and let go, and the organizer's link made known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from twisted.internet.interfaces import IAddress, IDelayedCall, ITCPTransport, ITransport
from twisted.internet.protocol import Protocol as Connection
from twisted.internet.protocol import connectionDone
from twisted.logger import Logger
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel
from twisted.web.server import Request, Site

from protocols.host.door import Door, DoorFactory, TableDefaults, installed_doors
from protocols.host.face import Host
from protocols.net.address import show_address
from protocols.net.link import Link, host_of, tune
from protocols.net.own_address import reachable_address
from protocols.web import (
    game_rules,
    home_page,
    invitation_pages,
    json_socket,
    leads,
    opening_pages,
    organizer_pages,
    pass_pages,
    replay_pages,
    result_pages,
    table_pages,
    table_presses,
    talk_pages,
)
from protocols.web.application import Route, WebApplication
from protocols.web.organizer_link import LINK_NAME, remove_link, show_link, write_link
from protocols.web.organizers import ORGANIZERS_NAME
from protocols.web.render import load_templates
from protocols.web.settings import WebDoorSettings
from protocols.web.visit import HOST

_ROUTES: list[Route] = [
    *home_page.ROUTES,
    *game_rules.ROUTES,
    *opening_pages.ROUTES,
    *pass_pages.ROUTES,
    *organizer_pages.ROUTES,
    *invitation_pages.ROUTES,
    *table_pages.ROUTES,
    *table_presses.ROUTES,
    *json_socket.ROUTES,
    *talk_pages.ROUTES,
    *replay_pages.ROUTES,
    *result_pages.ROUTES,
    *leads.routes(),
]
SILENCE_SECONDS = 60.0  # between requests, and within one
LARGEST_BODY = 64 * 1024
MOVE_SECONDS = (
    5.0  # by then a proxy knows that a daemon drains, and leads a page that comes anew to another
)


class BoundedRequest(Request):
    """A request whose body is no larger than our forms are."""

    _length = 0
    _refused = False

    def gotLength(self, length: int | None) -> None:
        """Refuse at once what says that it is too large."""
        super().gotLength(length)
        if length is not None and length > LARGEST_BODY:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:
        """Refuse what turns out to be too large."""
        self._length += len(data)
        if self._length > LARGEST_BODY:
            self._refuse()
        if not self._refused:
            super().handleContentChunk(data)

    def _refuse(self) -> None:
        if not self._refused:
            self._refused = True
            cast(Channel, self.channel).refuse(b"413 Content Too Large")

    def process(self) -> None:
        """Answer, unless the address is not even text, or names us in no way, or the body was refused."""
        if not self._refused and not (self._is_text() and self._names_one_host()):
            self._refused = True
            cast(Channel, self.channel).refuse(b"400 Bad Request")
        if not self._refused:
            channel = cast(Channel, self.channel)
            channel.door.turns.call(cast(Link, channel), self._process_in_turn)

    def _process_in_turn(self) -> None:
        if self.channel is not None:  # or whoever has asked is gone
            super().process()

    def _is_text(self) -> bool:
        try:
            self.path.decode("ascii")
            unquote_to_bytes(self.path).decode()
        except UnicodeDecodeError:
            return False
        return True

    def _names_one_host(self) -> bool:
        """Say whether the request says whom it is for as it must (RFC 9112, section 3.2)."""
        hosts = cast("list[bytes]", self.requestHeaders.getRawHeaders(b"host", []))
        if not hosts:
            return bool(self.clientproto != b"HTTP/1.1")
        return len(hosts) == 1 and bool(HOST.fullmatch(hosts[0].decode("latin-1")))


class Channel(HTTPChannel):
    """One connection of a browser, as the door knows it."""

    came_from: str | None = None
    peer_address: IAddress | None = None
    linger = 2.0
    door: WebFactory
    _ending: IDelayedCall | None = None
    requestFactory = BoundedRequest

    def connectionMade(self) -> None:
        """Be known to the door."""
        tune(self.transport)
        super().connectionMade()
        self.door.joined(cast(Link, self))

    @property
    def speaker(self) -> object:
        """Nobody that others wait for: what the house knows is the faces of pages."""
        return self

    def abort(self) -> None:
        """Close at once, since something went wrong."""
        cast(ITCPTransport, self.transport).abortConnection()

    def getPeer(self) -> IAddress | None:
        """Say who asks: not the proxy, where that has said for whom it does."""
        return self.peer_address

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Be forgotten by the door."""
        super().connectionLost(reason)
        if self._ending is not None and self._ending.active():
            self._ending.cancel()
        self.door.parted(cast(Link, self))

    def lineLengthExceeded(self, line: bytes) -> None:
        """Say that a head has no end."""
        self.refuse(b"431 Request Header Fields Too Large")

    def refuse(self, status: bytes) -> None:
        """Answer in one line what is not to be read any further, and close."""
        cast(ITransport, self.transport).write(
            b"HTTP/1.1 " + status + b"\r\nConnection: close\r\n\r\n"
        )
        self.loseConnection()

    def farewell(self, reason: str) -> bytes:
        """Say in HTTP why a connection is not even let in."""
        wait = self.door.admission.link_wait()
        return (
            b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n"
            b"Retry-After: %d\r\n\r\n" % wait
        )

    def dismiss(self, reason: str) -> None:
        """Close once all that was answered is out, or after a while in any case."""
        self.loseConnection()
        if self._ending is None:
            transport = cast(ITCPTransport, self.transport)
            self._ending = self.door.clock.callLater(self.linger, transport.abortConnection)


class Pages(WebApplication):
    """All pages of one daemon; where each is found is made out once, however many daemons a process has."""

    klein = WebApplication.of(_ROUTES)


class WebFactory(DoorFactory):
    """Lets browsers in."""

    _log = Logger()

    def __init__(self, host: Host, door: Door, defaults: TableDefaults) -> None:
        super().__init__(host, door, defaults)
        self.settings = cast(WebDoorSettings, defaults.door)
        self.app = Pages(host, self.settings)
        self.app.on_link_used = self._announce
        self.app.doors = self._doors
        self.app.door = self._door_of
        resource = cast(Any, self.app.klein.resource())
        self._site = Site(resource, timeout=SILENCE_SECONDS, reactor=host.clock)
        self._site.protocol = Channel  # type: ignore[assignment]
        self._site.requestFactory = BoundedRequest
        self._site.displayTracebacks = False
        self._announcing: IDelayedCall | None = None
        self._moving: IDelayedCall | None = None
        self._written: tuple[str, str] | None = None  # the file of the link, and the link in it

    def follow(self, defaults: TableDefaults) -> None:
        """Go by other settings from now on, and make the link known as they say."""
        before = self.settings
        super().follow(defaults)
        self.app.settings = self.settings
        if self.settings != before and self.numPorts:
            self._forget_link()
            self._announce()

    def load_ahead(self) -> Iterator[None]:
        """Compile the pages."""
        yield from load_templates()

    # -- connections ------------------------------------------------------------------

    def buildProtocol(self, addr: IAddress | None) -> Connection | None:
        """Let a browser in, within bounds."""
        channel = cast(Channel, self._site.buildProtocol(addr))
        channel.door = self
        # Behind a proxy all come from one address, and are counted by what they ask for.
        host = None if self.settings.proxy else host_of(addr)
        reason = self._objection(host)
        if reason is not None:
            return self._turn_away(cast(Link, channel), host_of(addr), reason)
        channel.came_from, channel.peer_address = host, addr
        return cast(Connection, channel)

    def drain(self, linked: bool) -> None:
        """Let all pages say that no game begins any more, and come anew once a proxy leads them elsewhere.

        That is where the daemons are ``linked``: else no other could show a table before we have ended.
        """
        self.tell_each([each.begins_no_more for each in self.app.sessions.faces])
        if linked:
            self._moving = self.clock.callLater(MOVE_SECONDS, self._move)

    def _move(self) -> None:
        self.app.hall.let_go()
        self.tell_each([each.let_go for each in self.app.sessions.faces])

    def dismiss_all(self, reason: str) -> Any:
        """End every stream and close every connection."""
        self.app.close()
        return super().dismiss_all(reason)

    # -- the organizer's link ---------------------------------------------------------

    def startFactory(self) -> None:
        """Make the link known, once it is known where we listen."""
        super().startFactory()
        if self.settings.organizers != "anyone" and self.state_file is not None:
            self.app.organizers.keep_at(self.state_file(ORGANIZERS_NAME))
        self._announcing = self.clock.callLater(0, self._announce)

    def stopFactory(self) -> None:
        """Let no timer outlive the door."""
        super().stopFactory()
        for timer in (self._announcing, self._moving):
            if timer is not None and timer.active():
                timer.cancel()
        self._forget_link()
        self.app.close()

    def _forget_link(self) -> None:
        """Take the file of the link away, if there is one."""
        if self._written is not None:
            remove_link(*self._written)
            self._written = None

    def _announce(self) -> None:
        """Show the link to whoever started us, and write it where only they can read it."""
        if self.settings.organizers == "anyone":
            return
        link = f"{self._origin()}/organizer/enter/{self.app.link.secret}/"
        show_link(link)
        path = self._link_file()
        if path is not None:
            write_link(path, link)
            self._written = path, link

    def _origin(self) -> str:
        if self.settings.url:
            return self.settings.url.rstrip("/")
        own = None if self.neighbours is None else self.neighbours.get(self.door.kind)
        port = None if own is None else own.port
        host = reachable_address("" if own is None else own.address)
        return f"http://{show_address(host, port or _port_of(self.door))}"

    def _link_file(self) -> str | None:
        """Name the file for the link; None if there is to be none, or we were not told where to keep anything."""
        given = self.settings.link_file
        if given == "none":
            return None
        return given or (self.state_file(LINK_NAME) if self.state_file is not None else None)

    def _door_of(self, kind: str) -> DoorFactory | None:
        """Find what serves another door of the daemon, if that stands open."""
        found = None if self.neighbours is None else self.neighbours.get(kind)
        return None if found is None else found.factory

    def _doors(self) -> list[tuple[str, str, int]]:
        """List the doors for people: kind, title or purpose, and port."""
        if self.neighbours is None:
            known = [(each, _port_of(each)) for each in installed_doors()]
        else:
            known = [(each.door, each.port or 0) for each in self.neighbours.values()]
        return [(door.kind, door.purpose or door.title, port) for door, port in known if port]


def _port_of(door: Door) -> int:
    port = door.endpoint.split(":")[1]
    return int(port) if port.isdecimal() else 0
