"""One player, organizer or watcher in the browser: what all pages of theirs share at one table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime

from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.table_events import SeedRevealed
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.face import Host, News
from protocols.host.place import Place

ANSWER_SECONDS = 15.0  # a page that has no answer by then says so
_LINES = 40


class Stream(Protocol):
    """A page that is kept up to date."""

    def show(self) -> None:
        """Draw what has changed."""

    def end(self, gone: bool) -> None:
        """Hear that nothing more will come; ``gone`` if there is nothing to come back to by itself."""


class WebFace:
    """A Follower that any number of pages draw from: the last View, whose turn it is, what happened lately."""

    detail = Detail.VIEW

    def __init__(self, host: Host) -> None:
        self.place: Place | None = None
        self.view: TableView | None = None
        self.turn: Turn | None = None
        self.token: str | None = None
        self.trouble: str | None = None
        self.parted_why: str | None = None
        self.lately: deque[tuple[Event, tuple[str, ...]]] = deque(maxlen=_LINES)
        self.seeds: deque[tuple[Event, tuple[str, ...]]] = deque(maxlen=1)
        self.streams: list[Stream] = []
        self.drawn: dict[
            str, str
        ] = {}  # of what is shown now, by language, where all pages are alike
        self._host = host
        self._behind = False  # something was told that no page shows yet

    # -- what pages ask for -----------------------------------------------------------

    def ask(self, do: Callable[[object], None]) -> Deferred[Refused | None]:
        """Ask the Host for something, by a tag; fires with what it was refused with, or None when it is done."""
        answer: Deferred[Refused | None] = Deferred()
        do(answer)
        return answer.addTimeout(ANSWER_SECONDS, self.clock)

    def look(self) -> Deferred[Refused | None]:
        """Fetch the latest View, behind all that was done before."""
        return self.ask(lambda tag: self._host.look(self, tag))

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""
        return self._host.clock

    # -- what the Host says -----------------------------------------------------------

    def shown(self, view: TableView) -> None:
        """Keep the View, and draw it wherever somebody looks."""
        self.view = view
        self._behind = False
        self._show()

    def told(self, news: News) -> None:
        """Remember what happened; the View that it led to comes with the turn."""
        for event in news.events:
            seed = isinstance(event, SeedRevealed)
            (self.seeds if seed else self.lately).append((event, news.names))
        self._behind = True

    def turned(self, turn: Turn) -> None:
        """Remember what may be done, and show what has happened."""
        self.turn = turn
        if turn.view is not None:
            self.view = turn.view
        if self._behind:
            self._behind = False
            self._show()

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Give the answer to the page that waits for it."""
        if isinstance(tag, Deferred) and not tag.called:
            tag.callback(refusal)

    def given(self, token: str) -> None:
        """Keep the token for the cookie."""
        self.token = token

    def paused(self, trouble: str | None) -> None:
        """Let the pages say that play is paused, or that it goes on."""
        self.trouble = trouble
        self._show()

    def parted(self, reason: str) -> None:
        """Let the pages say that the place is no more; those of a house that closes come back by themselves."""
        self.parted_why = reason
        streams, self.streams = self.streams, []
        for stream in streams:
            stream.end(gone=reason == "taken-over")

    def _show(self) -> None:
        self.drawn.clear()
        for stream in list(self.streams):
            stream.show()
