"""Pages kept up to date over a WebSocket: the parts of a table that have changed, and a beat.

To the page, each a JSON object of one message::

    {"seq": 18, "base": 17, "parts": {"felt": "<section ..."}, "rest": 1400, "age": 0,
     "drawn": "9f86d081884c7d65", "cue": "turn", "title": "Your turn", "urgent": true}
    {"beat": 18, "build": "0123456789ab"}      first, each 15 s, and in answer to "?"
    {"you": "guest-7"}                         what one is called by the others in the hall
    {"told": "Bob tells you: hello"}           said to this one alone
    {"gone": "taken-over"}                     and the connection is closed

In a part an element ``<... same>`` stands for one that has not changed.

``seq`` counts the frames of one stream.  ``base`` is the frame before; without it all parts are there.  ``rest`` is
for how many milliseconds the frame wants to be seen, ``age`` how old its clocks are; an ``urgent`` one is shown at
once, whatever waits before it.  ``drawn`` names what the page
shows then: a page that comes back says it by ``after=``, and is sent nothing if the table stands so.

From the page comes nothing but ``?``.  A peer that does not read is owed no more than the latest picture.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Protocol

from twisted.internet.interfaces import IDelayedCall, IReactorTime
from twisted.python.failure import Failure
from twisted.web.server import Request

from protocols.host.people import Remark
from protocols.i18n.translate import Translator
from protocols.net.limits import TokenBucket
from protocols.web import pieces
from protocols.web.browser_socket import AT_END, NOT_WANTED, BrowserSocket
from protocols.web.picture import SEEN, Drawn, Parts
from protocols.web.static_files import VERSION

BEAT_SECONDS = 15.0  # a page that hears nothing for 33 s opens another stream
FRAMES_A_SECOND, FRAMES_AT_ONCE = 8.0, 24.0
_ASKS_A_SECOND, _ASKS_AT_ONCE = 2.0, 20.0


class Drawable(Protocol):
    """One picture, as a stream sends it."""

    @property
    def since(self) -> float:
        """The reactor's time when it was told."""

    @property
    def at(self) -> object:
        """The event of which it is the moment, None if it shows how things stand."""

    @property
    def rest(self) -> float:
        """For how many seconds it wants to be seen."""

    def drawn(self, say: Translator) -> Drawn:
        """Draw it in a language."""


class Shown(Protocol):
    """What streams show to their pages."""

    streams: list[Any]

    @property
    def picture(self) -> Drawable | None:
        """How it stands, once that is known."""

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""


class LiveStream(BrowserSocket):
    """One stream of pictures to one page."""

    largest, at_once = 64, 20

    def __init__(
        self,
        request: Request,
        face: Shown,
        say: Translator,
        shown: str,
        on_open: Callable[[LiveStream], None],
        on_end: Callable[[LiveStream], None],
    ) -> None:
        """Show a page what a face is shown; ``shown`` names what it shows already."""
        super().__init__(request)
        self._face = face
        self._say = say
        self._shown = shown
        self._on_open = on_open
        self._on_end = on_end
        self._sent: Parts = {}
        self._seq = 0
        self._whole = True  # the next frame has all parts
        self._full = False
        self._behind = False
        self._mine = False
        now = face.clock.seconds()
        self._frames = TokenBucket(FRAMES_A_SECOND, FRAMES_AT_ONCE)
        self._asks = TokenBucket(_ASKS_A_SECOND, _ASKS_AT_ONCE)
        self._frames.take(now, 0)
        self._beating: IDelayedCall | None = None
        self._catching_up: IDelayedCall | None = None

    # -- the connection ---------------------------------------------------------------

    def opened(self) -> None:
        """Begin: with the table as it stands, unless the page shows just that."""
        face = self._face
        face.streams.append(self)
        self._beat()
        self._on_open(self)
        if face.picture is not None:
            self.show([face.picture])

    def heard(self, message: str) -> None:
        """Answer at once, ahead of all that is to be drawn."""
        if len(message) > self.largest or not self._asks.take(self._face.clock.seconds()):
            self.close(NOT_WANTED)
        else:
            self._send_beat()

    def lost(self, reason: Failure | None) -> None:
        """Forget the stream."""
        for timer in (self._beating, self._catching_up):
            if timer is not None and timer.active():
                timer.cancel()
        self._leave_face()
        self._on_end(self)

    def end(self, why: str) -> None:
        """End the stream; the page comes back by itself unless it is told ``why`` not."""
        if why:
            self._send({"gone": why})
        self.close()

    def close(self, code: int = AT_END) -> None:
        """Close, and be shown nothing more."""
        if self._transport is not None:
            self._leave_face()
        super().close(code)

    def _leave_face(self) -> None:
        if self in self._face.streams:
            self._face.streams.remove(self)

    # -- what is sent -----------------------------------------------------------------

    def show(self, pictures: Sequence[Drawable]) -> None:
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

    def call(self, name: str) -> None:
        """Say what one is called by the others."""
        self._send({"you": name})

    def tell(self, remark: Remark) -> None:
        """Show what somebody has said to this one alone."""
        words = self._say("{name} tells you: {words}", name=remark.name, words=remark.words)
        self._send({"told": words})

    def _catch_up(self) -> None:
        self._catching_up = None
        self._behind = False
        if self._face.picture is not None:
            self.show([self._face.picture])

    def _send_picture(self, picture: Drawable, rest: float) -> None:
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
        parts, sent = drawn.parts, self._sent
        if self._whole:
            return {name: pieces.whole(part) for name, part in parts.items()}
        return {
            name: pieces.changed(part, sent.get(name, ""))
            for name, part in parts.items()
            if sent.get(name) != part
        }

    def _send(self, message: dict[str, object]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self.send_text(text.encode(errors="replace").decode())

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


def _without_twins(
    pictures: Sequence[Drawable], say: Translator
) -> Iterator[tuple[Drawable, float]]:
    """Leave out a moment that the next picture shows as well: that one is seen for as long instead."""
    rest = 0.0
    for picture, after in zip_longest(pictures, pictures[1:]):
        rest = max(rest, picture.rest)
        if after is not None and picture.drawn(say).parts[SEEN] == after.drawn(say).parts[SEEN]:
            continue
        yield picture, rest
        rest = 0.0
