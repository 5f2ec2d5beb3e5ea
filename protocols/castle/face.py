"""One link of the Castle Wars door; its first line that can be read says whether its peer speaks JSON or words."""

from __future__ import annotations

from twisted.python.failure import Failure

from gamecore.games.castle import RULES
from protocols.castle import wire
from protocols.castle.handlers import handle
from protocols.castle.reporter import line_refused, link_closed
from protocols.castle.rooms import Rooms
from protocols.castle.session import UNJOINED_SECONDS, Session
from protocols.host.face import Host
from protocols.host.seated_link import part_where_nothing_begins
from protocols.lobby.draining import tell_of_drain
from protocols.lobby.one_game import open_session
from protocols.lobby.session import Session as WordsSession
from protocols.net.line import BoundedLine

_POINTLESS_WORDS = ("suits",)  # the cards have none


class CastleFace(BoundedLine):
    """One client of the door."""

    max_length = wire.LIMIT
    newline = b"\n"
    deadline = UNJOINED_SECONDS
    session: Session | WordsSession | None = None

    def __init__(self, host: Host, rooms: Rooms) -> None:
        self._host = host
        self._rooms = rooms

    @property
    def speaker(self) -> object:
        """Who this peer is to the Host."""
        return self.session

    def line_received(self, line: str) -> None:
        """Let the session act on a line; the first that says anything begins it."""
        if self.session is None:
            if not line.strip():
                return
            self.session = self._begin(line)
        if self.session is not None:
            self.session.line_received(line)

    def _begin(self, first_line: str) -> Session | WordsSession | None:
        """Begin as the line speaks; one that is neither words nor an object begins nothing."""
        if first_line.lstrip()[:1] in ("{", "["):
            try:
                wire.parse(first_line)
            except wire.Fault as fault:
                self.send(wire.render([wire.error(fault.code, str(fault))]))
                return None
            return Session(self, self._host, self._rooms, handle)
        self.linger = 5.0  # netcat ends its input long before the answers are all there
        password = self._rooms.settings.room_password
        return open_session(self, self._host, RULES.kind, _POINTLESS_WORDS, password)

    def begins_no_more(self) -> None:
        """Let go of one who waits for a game, or say in words what is to come."""
        if isinstance(self.session, Session):
            part_where_nothing_begins(self.session, self._host)
        elif self.session is not None:
            tell_of_drain(self.session)

    def line_refused(self, reason_key: str) -> None:
        """Say why a line was not even read; it says nothing of how its peer speaks."""
        if self.session is None:
            self.send(wire.render([line_refused(reason_key)]))
        else:
            self.session.line_refused(reason_key)

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""
        if self.session is None:
            return wire.render([link_closed(reason)])
        return self.session.farewell(reason)

    def overflowed(self) -> None:
        """Let the session make do with less."""
        if self.session is None:
            self.dismiss("does-not-read")
        else:
            self.session.overflowed()

    def resumeProducing(self) -> None:
        """Go on: all that was sent has been read."""
        super().resumeProducing()
        if self.session is not None:
            self.session.caught_up()

    def input_ended(self) -> None:
        """Close when nothing is left to answer."""
        if self.session is None:
            self.close()
        else:
            self.session.input_ended()

    def gone(self, reason: Failure) -> None:
        """Let the seat be held for one who can come back; else it is lost."""
        if self.session is not None:
            self.session.gone()
