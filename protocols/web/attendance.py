"""Who is at which table by way of the pages: one face each, for as long as a page of theirs is open."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall

from gamecore.errors import Refused
from protocols.host.face import Host
from protocols.web.faces import WebFace
from protocols.web.links import hash_of

STREAM_SECONDS = (
    20.0  # after the last stream has ended: a page is loaded anew, a telephone wakes up
)
PAGE_SECONDS = (
    300.0  # after a page that opened no stream: there is no script to say that it was closed
)


@define(eq=False)
class _Attending:
    """One face, those who wait for it to arrive, and the timer that runs while no page is known to be open."""

    face: WebFace
    arriving: bool = True
    waiting: list[Deferred[Refused | None]] = field(factory=list)
    timer: IDelayedCall | None = None


class Attendance:
    """The faces by the hash of what brought them."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._here: dict[str, _Attending] = {}

    def __len__(self) -> int:
        return len(self._here)

    def knows(self, token: str) -> bool:
        """Say whether somebody with this token is here, so that the token is no guess."""
        return hash_of(token) in self._here

    async def come(self, token: str) -> WebFace:
        """Find the face of a player or an organizer, or let it come back; raises Refused."""
        return await self._attend(
            hash_of(token), lambda face, tag: self._host.come_back(face, token, tag)
        )

    async def watch(self, code: str) -> WebFace:
        """Find the one face of all who look on at a table; raises Refused."""
        table = self._host.hall.find(code)
        return await self._attend(
            f"watch {table.code}", lambda face, tag: self._host.watch(face, table, tag)
        )

    async def welcome(self, arrive: Callable[[WebFace, object], None]) -> WebFace:
        """Let somebody take a seat; raises Refused.  The face has its token then."""
        face = WebFace(self._host)
        refusal = await face.ask(lambda tag: arrive(face, tag))
        if refusal is None:
            refusal = await face.look()  # behind the token
        if refusal is not None or face.token is None:
            raise refusal or Refused("not-seated")
        attending = self._here[hash_of(face.token)] = _Attending(face, arriving=False)
        self._wait(attending, PAGE_SECONDS)
        return face

    async def _attend(self, key: str, arrive: Callable[[WebFace, object], None]) -> WebFace:
        attending = self._here.get(key)
        if attending is not None and attending.face.parted_why not in (None, "taken-over"):
            self._forget(key)
            attending = None
        if attending is None:
            attending = self._here[key] = _Attending(WebFace(self._host))
            await self._arrive(key, attending, arrive)
        elif attending.arriving:
            arrived: Deferred[Refused | None] = Deferred()
            attending.waiting.append(arrived)
            refusal = await arrived
            if refusal is not None:
                raise refusal
        self._wait(attending, PAGE_SECONDS)
        return attending.face

    async def _arrive(
        self, key: str, attending: _Attending, arrive: Callable[[WebFace, object], None]
    ) -> None:
        face = attending.face
        outcome: Refused | None = Refused("no-answer")
        try:
            outcome = await face.ask(lambda tag: arrive(face, tag))
            if outcome is None:
                outcome = await face.look()
        finally:
            attending.arriving = False
            if outcome is not None:
                self._host.drop(face)
                self._forget(key)
            waiting, attending.waiting = attending.waiting, []
            for each in waiting:
                each.callback(outcome)
        if outcome is not None:
            raise outcome

    def return_of(self, token: str) -> None:
        """Forget that a place was taken over: its player wants it back here."""
        attending = self._here.get(hash_of(token))
        if attending is not None and attending.face.parted_why is not None:
            self._forget(hash_of(token))

    def leave(self, token: str) -> None:
        """Let a player leave the table for good."""
        attending = self._here.get(hash_of(token))
        if attending is not None:
            self._host.leave(attending.face)
            self._forget(hash_of(token))

    # -- pages opened and closed ------------------------------------------------------

    def stream_opened(self, face: WebFace) -> None:
        """Keep a face while a stream is open."""
        for attending in self._of(face):
            self._stop(attending)

    def stream_closed(self, face: WebFace) -> None:
        """Keep a face a little longer than its last stream."""
        if not face.streams:
            for attending in self._of(face):
                self._wait(attending, STREAM_SECONDS)

    def _of(self, face: WebFace) -> list[_Attending]:
        return [each for each in self._here.values() if each.face is face]

    def _wait(self, attending: _Attending, seconds: float) -> None:
        self._stop(attending)
        if not attending.face.streams:
            attending.timer = self._host.clock.callLater(seconds, self._drop, attending)

    def _stop(self, attending: _Attending) -> None:
        if attending.timer is not None:
            attending.timer.cancel()
            attending.timer = None

    def _drop(self, attending: _Attending) -> None:
        attending.timer = None
        self._host.drop(attending.face)
        for key, each in list(self._here.items()):
            if each is attending:
                del self._here[key]

    def _forget(self, key: str) -> None:
        attending = self._here.pop(key, None)
        if attending is not None:
            self._stop(attending)

    def close(self) -> None:
        """Let everybody go, and every timer with them."""
        for key, attending in list(self._here.items()):
            for stream in list(attending.face.streams):
                stream.end(gone=False)
            self._forget(key)
            self._host.drop(attending.face)
