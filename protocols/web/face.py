"""One player, organizer or all watchers of one table in the browser: the pictures that their pages show."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from attrs import evolve, frozen
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorTime

from gamecore.bots import levels_of
from gamecore.errors import Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.rules import Move
from gamecore.table_events import SeedRevealed
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.face import Host, News
from protocols.host.people import Remark
from protocols.host.place import Place
from protocols.web.picture import LINES_SHOWN, REMARKS_SHOWN, Picture, TableFacts, pages_of

ANSWER_SECONDS = 15.0  # a page that has no answer by then says so


class Stream(Protocol):
    """A page that is kept up to date."""

    def show(self, pictures: Sequence[Picture]) -> None:
        """Show what has happened, one picture after the other; the last one is how the table stands."""

    def end(self, why: str) -> None:
        """Hear that nothing more will come, and why; empty if the page may come back by itself."""


@frozen
class _Asked:
    """What a page waits for, and what it wants to see at the very answer."""

    waiting: Deferred[Refused | None]
    look: Callable[[], object] | None


class WebFace:
    """A Follower that any number of pages draw from: how the table stands, and what happened lately."""

    detail = Detail.VIEW
    overhears = True  # what is said at its table, for all who look on through it

    def __init__(self, host: Host) -> None:
        self.place: Place | None = None
        self.token: str | None = None
        self.owner: str | None = None  # an organizer's secret
        self.parted_why: str | None = None
        self.trouble: str | None = None
        self.streams: list[Stream] = []
        self.picture: Picture | None = None
        self._view: TableView | None = None
        self._moves: tuple[Move, ...] = ()
        self._lately: deque[tuple[Event, tuple[str, ...]]] = deque(maxlen=2 * LINES_SHOWN)
        self._seeds: deque[tuple[Event, tuple[str, ...]]] = deque(maxlen=1)
        self._said: deque[Remark] = deque(maxlen=REMARKS_SHOWN)
        self._moments: list[Picture] = []  # told, and not shown before the View comes
        self._facts: TableFacts | None = None
        self._host = host

    @property
    def screens(self) -> int:
        """How many pages show what is said here."""
        return len(self.streams)

    # -- what pages ask for -----------------------------------------------------------

    def ask(
        self, do: Callable[[object], None], look: Callable[[], object] | None = None
    ) -> Deferred[Refused | None]:
        """Ask the Host for something, by a tag; fires with what it was refused with, or None when it is done.

        It fires in a turn of its own: what is to be seen of a table where nobody stays, which rests again behind
        the answer, is for ``look``, called with the answer.
        """
        answer: Deferred[Refused | None] = Deferred()
        do(_Asked(answer, look))
        return answer.addTimeout(ANSWER_SECONDS, self.clock)

    def look(self) -> Deferred[Refused | None]:
        """Fetch the latest View, behind all that was done before, also at another daemon."""
        return self.ask(lambda tag: self._host.look(self, tag, anew=True))

    @property
    def clock(self) -> IReactorTime:
        """The reactor's time."""
        return self._host.clock

    @property
    def view(self) -> TableView | None:
        """The table as it was told last."""
        return self._view

    @property
    def decision(self) -> str:
        """Name what the seat is to decide now: by the game, its moves so far, and the end of its time.

        The moves are those of the table, of which some may not be told yet: a second press is known by that.
        """
        view, place = self._view, self.place
        if view is None or view.seat is None or place is None or place.player is None:
            return ""
        due = view.due.get(view.seat)
        return f"{view.number}.{place.player.played}.{'' if due is None else round(1000 * due)}"

    # -- what the Host says -----------------------------------------------------------

    def shown(self, view: TableView) -> None:
        """Keep the View, and draw it where it is another."""
        before = self._view
        self._view = view
        if view.seat is None or view.seat not in view.to_move:
            self._moves = ()
        self._draw()
        if before is not None and evolve(before, at=view.at) != view:
            self._show()

    def told(self, news: News) -> None:
        """Remember what happened; the View that it led to comes with the turn."""
        for event in news.events:
            seed = isinstance(event, SeedRevealed)
            (self._seeds if seed else self._lately).append((event, news.names))
            rest = 0.0 if self._view is None else pages_of(self._view.kind).rest(event)
            if rest > 0 and self.picture is not None:
                moment = evolve(self.picture, at=event, rest=rest, lately=tuple(self._lately))
                self._moments.append(moment)

    def turned(self, turn: Turn) -> None:
        """Show what has happened, and what may be done now."""
        self._moves = turn.moves
        if turn.view is not None:
            self._view = turn.view
        self._draw()
        self._show()

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Give the answer to the page that waits for it, in a turn of its own: drawing it takes long."""
        if isinstance(tag, _Asked):
            if tag.look is not None:
                tag.look()
            self._host.turns.call_for_nobody(partial(self._answer, tag.waiting, refusal))

    def _answer(self, waiting: Deferred[Refused | None], refusal: Refused | None) -> None:
        if not waiting.called:
            waiting.callback(refusal)

    def given(self, token: str) -> None:
        """Keep the token for the cookie."""
        self.token = token

    def paused(self, trouble: str | None) -> None:
        """Let the pages say that play is paused, or that it goes on."""
        self.trouble = trouble
        self._draw()
        self._show()

    def begins_no_more(self) -> None:
        """Let the pages say that the daemon is about to end."""
        self._draw()
        self._show()

    def let_go(self) -> None:
        """Let the pages come anew, by which they may come to another daemon."""
        streams, self.streams = self.streams, []
        for stream in streams:
            stream.end("")

    def heard(self, remark: Remark) -> None:
        """Show what was said at the table."""
        self._said.append(remark)
        self._draw()
        self._show()

    def parted(self, reason: str) -> None:
        """Let the pages say that the place is no more; those of a daemon that ends come back by themselves.

        Of one that drains the place is taken over by the very same browser, as it is sent to another daemon.
        """
        self.parted_why = reason
        self._host.people.leave(self)
        if reason == "closing" or (self._host.draining and reason == "taken-over"):
            self.let_go()
            return
        streams, self.streams = self.streams, []
        for stream in streams:
            stream.end(reason)

    # -- drawing ----------------------------------------------------------------------

    def _draw(self) -> None:
        view = self._view
        if view is None:
            return
        self.picture = Picture(
            table=self._table_facts(view),
            view=view,
            moves=self._moves,
            decision=self.decision,
            lately=tuple(self._lately),
            seeds=tuple(self._seeds),
            said=tuple(self._said),
            since=self.clock.seconds(),
            trouble=self.trouble is not None,
            draining=self._host.draining,
            agreed=self._agreed(view),
        )

    def _agreed(self, view: TableView) -> frozenset[int]:
        """Read who wants another game, while one is gathered for."""
        if view.stage is not Stage.GATHERING or view.code not in self._host.hall:
            return frozenset()
        seated = self._host.hall.find(view.code).seated()
        return frozenset(seat for seat, core in seated.items() if core.agreed)

    def _table_facts(self, view: TableView) -> TableFacts:
        if self._facts is None:
            host, place = self._host, self.place
            organizes = place is not None and place.organizer
            self._facts = TableFacts(
                title=host.hall.registry.latest(view.kind).title,
                role="organizer" if organizes else "player" if view.seat is not None else "watcher",
                owned=host.hall.find(view.code).opened.owner is not None,
                levels=levels_of(view.kind),
                joinable=True,
            )
        return self._facts

    def _show(self) -> None:
        picture = self.picture
        moments, self._moments = self._moments, []
        if picture is None or not self.streams:
            return
        pictures = [
            *(
                evolve(each, table=picture.table, view=picture.view, decision="")
                for each in moments
            ),
            picture,
        ]
        for stream in list(self.streams):
            stream.show(pictures)
