"""Sessions: one face for each place at a table that pages are open on, kept for as long as they may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall

from gamecore.errors import Refused
from protocols.host.face import Host
from protocols.host.secrets import hash_token
from protocols.web.face import WebFace
from protocols.web.guests import numbered

STREAM_SECONDS = (
    20.0  # after the last stream has ended: a page is loaded anew, a telephone wakes up
)
PAGE_SECONDS = (
    300.0  # after a page that opened no stream: there is no script to say that it was closed
)


@define(eq=False)
class _Session:
    """One face, the requests that wait for it to arrive, and the timer that runs while no page seems to be open."""

    face: WebFace
    arriving: bool = True
    waiting: list[Deferred[Refused | None]] = field(factory=list)
    timer: IDelayedCall | None = None


class Sessions:
    """The sessions of one daemon, by the hash of the token that brought them."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._sessions: dict[str, _Session] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def knows(self, token: str) -> bool:
        """Say whether somebody with this token is here, so that the token is no guess."""
        return hash_token(token) in self._sessions

    async def resume(self, token: str) -> WebFace:
        """Find the face of a player or an organizer, or let it come back; raises Refused."""
        face = await self._find_or_begin(
            hash_token(token), lambda face, tag: self._host.come_back(face, token, tag)
        )
        if face.place is not None and face.place.organizer:
            face.owner = token.partition(".")[2]
        return face

    async def watch(self, code: str) -> WebFace:
        """Find the one face of all who look on at a table; raises Refused."""
        table = self._host.directory.find(code)
        return await self._find_or_begin(
            f"watch {table.code}", lambda face, tag: self._host.watch(face, table.code, tag)
        )

    async def begin(self, arrive: Callable[[WebFace, object], None]) -> WebFace:
        """Let somebody take a seat; raises Refused.  The face has its token then."""
        face = WebFace(self._host)
        refusal = await face.ask(lambda tag: arrive(face, tag))
        if refusal is None:
            refusal = await face.look()  # behind the token
        if refusal is not None or face.token is None:
            raise refusal or Refused("not-seated")
        session = self._sessions[hash_token(face.token)] = _Session(face, arriving=False)
        self._introduce(face)
        self._wait(session, PAGE_SECONDS)
        return face

    async def _find_or_begin(self, key: str, arrive: Callable[[WebFace, object], None]) -> WebFace:
        session = self._sessions.get(key)
        if session is not None and session.face.parted_why not in (None, "taken-over"):
            self._forget(key)
            session = None
        if session is None:
            session = self._sessions[key] = _Session(WebFace(self._host))
            await self._arrive(key, session, arrive)
        elif session.arriving:
            arrived: Deferred[Refused | None] = Deferred()
            session.waiting.append(arrived)
            refusal = await arrived
            if refusal is not None:
                raise refusal
        self._wait(session, PAGE_SECONDS)
        return session.face

    async def _arrive(
        self, key: str, session: _Session, arrive: Callable[[WebFace, object], None]
    ) -> None:
        face = session.face
        outcome: Refused | None = Refused("no-answer")
        try:
            outcome = await face.ask(lambda tag: arrive(face, tag))
            if outcome is None:
                outcome = await face.look()
            if outcome is None:
                self._introduce(face)
        finally:
            session.arriving = False
            if outcome is not None:
                self._host.drop(face)
                self._forget(key)
            waiting, session.waiting = session.waiting, []
            for each in waiting:
                each.callback(outcome)
        if outcome is not None:
            raise outcome

    def _introduce(self, face: WebFace) -> None:
        """Let who sits at a table, or is its organizer, be one of the people, by that name if it is free."""
        place, people = face.place, self._host.people
        if place is None or face in people:
            return
        if place.player is not None:
            people.enter(face, numbered(place.player.name))
        elif place.organizer:
            people.enter(face, numbered("organizer"))

    @property
    def faces(self) -> Sequence[WebFace]:
        """List the faces of all places that pages are open on."""
        return [session.face for session in self._sessions.values()]

    def take_back(self, token: str) -> None:
        """Forget that a place was taken over: its player wants it back here."""
        session = self._sessions.get(hash_token(token))
        if session is not None and session.face.parted_why is not None:
            self._forget(hash_token(token))

    def shut_out(self, token: str) -> None:
        """End what shows a place on the devices that have it: another takes it along."""
        session = self._sessions.get(hash_token(token))
        if session is not None:
            for stream in list(session.face.streams):
                stream.end("taken-over")

    def leave(self, token: str) -> None:
        """Let a player leave the table for good."""
        session = self._sessions.get(hash_token(token))
        if session is not None:
            self._host.leave(session.face)
            self._forget(hash_token(token))

    # -- pages opened and closed ------------------------------------------------------

    def stream_opened(self, face: WebFace) -> None:
        """Keep a face while a stream is open."""
        for session in self._of(face):
            self._stop(session)

    def stream_closed(self, face: WebFace) -> None:
        """Keep a face a little longer than its last stream."""
        if not face.streams:
            for session in self._of(face):
                self._wait(session, STREAM_SECONDS)

    def _of(self, face: WebFace) -> list[_Session]:
        return [each for each in self._sessions.values() if each.face is face]

    def _wait(self, session: _Session, seconds: float) -> None:
        self._stop(session)
        if not session.face.streams:
            session.timer = self._host.clock.callLater(seconds, self._drop, session)

    def _stop(self, session: _Session) -> None:
        if session.timer is not None:
            session.timer.cancel()
            session.timer = None

    def _drop(self, session: _Session) -> None:
        session.timer = None
        self._host.people.leave(session.face)
        self._host.drop(session.face)
        for key, each in list(self._sessions.items()):
            if each is session:
                del self._sessions[key]

    def _forget(self, key: str) -> None:
        session = self._sessions.pop(key, None)
        if session is not None:
            self._host.people.leave(session.face)
            self._stop(session)

    def close(self) -> None:
        """Let everybody go, and every timer with them."""
        for key, session in list(self._sessions.items()):
            for stream in list(session.face.streams):
                stream.end("")
            self._forget(key)
            self._host.drop(session.face)
