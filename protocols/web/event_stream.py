"""Pages kept up to date: server-sent events, each the whole of what may have changed, by the stream's own number.

The id of an event is the number of the last thing that its viewer was told.  A stream that was cut off says it
again as ``Last-Event-ID`` and is shown the table afresh, or nothing if nothing has happened meanwhile.  A peer
that does not read is owed no more than the latest View.
"""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall, IPushProducer
from twisted.web.server import Request
from zope.interface import implementer

from protocols.web.face import WebFace

ALIVE_SECONDS = 25.0  # a proxy closes what is silent for longer
RETRY_MILLISECONDS = 2000


@implementer(IPushProducer)
class EventStream:
    """One stream of events to one page."""

    def __init__(
        self,
        request: Request,
        face: WebFace,
        draw: Callable[[], str],
        seen: str,
        closed: Callable[[WebFace], None],
    ) -> None:
        """Draw for a request what a face is shown; ``seen`` is the number of what the page shows already."""
        self.done: Deferred[None] = Deferred()
        self._request = request
        self._face = face
        self._draw = draw
        self._seen = seen
        self._closed = closed
        self._full = False
        self._behind = False
        self._timer: IDelayedCall | None = None

    def open(self) -> None:
        """Begin, with what has happened since the page was drawn."""
        headers = self._request.responseHeaders
        headers.setRawHeaders("Content-Type", ["text/event-stream; charset=utf-8"])
        headers.setRawHeaders("X-Accel-Buffering", ["no"])
        self._request.registerProducer(self, True)
        self._face.streams.append(self)
        self._write(f"retry: {RETRY_MILLISECONDS}\n\n")
        self._stay_alive()
        if self._seen != self._number():
            self.show()

    def _number(self) -> str:
        return str(self._face.view.told) if self._face.view is not None else ""

    def show(self) -> None:
        """Send what there is to be seen now, or remember to."""
        if self._full:
            self._behind = True
            return
        lines = "".join(f"data: {line}\n" for line in self._draw().splitlines())
        self._write(f"id: {self._number()}\nevent: table\n{lines}\n")

    def end(self, gone: bool) -> None:
        """End the stream; the page comes back by itself unless its place is ``gone``."""
        if not self.done.called:
            if gone:
                self._write("event: gone\ndata:\n\n")
            self.done.callback(None)

    def close(self) -> None:
        """Forget the stream: it has ended on one side or the other."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self in self._face.streams:
            self._face.streams.remove(self)
        if not self._request._disconnected:
            self._request.unregisterProducer()
        self._closed(self._face)

    def _write(self, text: str) -> None:
        if not self._request._disconnected:
            self._request.write(text.encode())

    def _stay_alive(self) -> None:
        self._timer = self._face.clock.callLater(ALIVE_SECONDS, self._stay_alive)
        if not self._full:
            self._write(":\n\n")

    # -- what the transport says ------------------------------------------------------

    def pauseProducing(self) -> None:
        """The peer does not read."""
        self._full = True

    def resumeProducing(self) -> None:
        """The peer reads again: show it the latest."""
        self._full = False
        if self._behind:
            self._behind = False
            self.show()

    def stopProducing(self) -> None:
        """Nothing to do: the end of the request says the same."""
