"""One client that speaks JSON: its place at a table, and its requests in their order.

A request is acted on when the one before it was answered, for what it means may depend on that; what is heard
meanwhile waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import cast

from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.game import Stage
from gamecore.games.castle.moves import AllowAction, Keep
from gamecore.rules import Move
from gamecore.table_view import Detail, TableView, Turn
from protocols.castle import wire
from protocols.castle.decision import Decision
from protocols.castle.pending_requests import (
    AnyRequest,
    FollowUp,
    ReturnRequest,
    RoomRequest,
    SeatRequest,
)
from protocols.castle.reporter import Reporter, line_refused
from protocols.castle.rooms import Rooms
from protocols.castle.wire import Fault, Message, Request
from protocols.host import table_actions
from protocols.host.card import Card
from protocols.host.face import Host, News
from protocols.host.place import Place
from protocols.host.seated_link import show_anew
from protocols.net.link import Link

UNJOINED_SECONDS = 30.0
MOST_WAITING = 64
MOST_TRIES = 3
_RACES = ("seat-taken", "table-full", "game-began")
_LOCKED = ("wrong-password", "too-many-guesses", "table-closed")
_REPLIES = {
    AllowAction: "ALLOW_ACTION",
    Keep: "GAME_START_ACCEPT",
}  # those that nobody asked a client for
_OVER = (Stage.OVER, Stage.ABANDONED)


class Session:
    """One client, whom the Host knows as a face."""

    def __init__(
        self, link: Link, host: Host, rooms: Rooms, handle: Callable[[Session, Request], None]
    ) -> None:
        """``handle`` acts on a command; raises Fault if that cannot even be tried."""
        self.place: Place | None = None
        self.rooms = rooms
        self.reporter = Reporter(link, rooms.settings.legacy_castle_damage)
        self._link = link
        self._host = host
        self._handle = handle
        self._waiting: deque[str] = deque()
        self._acting = False  # a line is being acted on
        self._outstanding: AnyRequest | None = None  # what was asked, and is not answered
        self._arriving = False  # it has its place, and was not told so yet
        self._after_draw: Callable[[], None] | None = None  # what follows once a draw was taken
        self._coming_room: Deferred[Card] | None = None

    # -- what handlers see ----------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The seat of its player, if it has one."""
        return None if self.place is None else self.place.seat

    @property
    def busy(self) -> bool:
        """Whether it has a place, or is on its way to one."""
        return self.place is not None or isinstance(self._outstanding, SeatRequest | ReturnRequest)

    @property
    def decision(self) -> Decision:
        """What its player has to decide."""
        return self.reporter.decision

    def send(self, message: Message) -> None:
        """Send a message."""
        self.reporter.send(message)

    # -- lines in -------------------------------------------------------------------------

    def line_received(self, line: str) -> None:
        """Act on a line, or keep it until what was asked before is answered."""
        if len(self._waiting) >= MOST_WAITING:
            self.line_refused("too-fast")
            return
        self._waiting.append(line)
        self._go_on()

    def line_refused(self, reason_key: str) -> None:
        """Say why a line was not even read."""
        self.send(line_refused(reason_key))

    def _go_on(self) -> None:
        """Act on what waits, as long as nothing is outstanding."""
        if self._acting:
            return
        self._acting = True
        try:
            while self._waiting and not (self._outstanding or self._arriving or self._link.closing):
                self._act_on(self._waiting.popleft())
        finally:
            self._acting = False
        self._bound_silence()

    def _bound_silence(self) -> None:
        """Let nobody be silent for too long who has no seat; at a table the game has its own clock."""
        self._link.bound_silence(None if self.busy else UNJOINED_SECONDS)

    def _act_on(self, line: str) -> None:
        try:
            request = wire.parse(line)
        except Fault as fault:
            self.reporter.reject(fault.code, str(fault), "")
        else:
            if request is not None:
                self._attempt(request)

    def _attempt(self, request: Request) -> None:
        try:
            self._handle(self, request)
        except Fault as fault:
            self.reporter.reject(fault.code, str(fault), request.command)

    # -- what handlers ask for ------------------------------------------------------------

    def submit(self, move: Move, asked: Request | FollowUp) -> None:
        """Play a move, because of what was asked."""
        self._outstanding = asked
        self._host.submit(self, move, asked)

    def submit_before(self, move: Move, request: Request) -> None:
        """Play a move, and act on a request once more when it is this player's turn again."""
        self._after_draw = partial(self._attempt, request)
        self.submit(move, FollowUp("DRAW_CARD"))

    def look(self) -> None:
        """Ask for a fresh View."""
        self._outstanding = asked = FollowUp("STATE_REQUEST")
        self._host.look(self, asked)

    def leave(self) -> None:
        """Leave the table for good."""
        self._host.leave(self)
        self._outstanding = self._after_draw = None
        self._bound_silence()

    def end(self) -> None:
        """Leave the table for good, and close the link."""
        self.leave()
        self._link.close()

    def create(self, name: str, password: str, private: bool) -> None:
        """Open a room."""
        self._outstanding = asked = RoomRequest()
        opening = self.rooms.open(name, password, private, self._link.came_from)
        self._await_room(opening, asked, partial(self._created, asked))

    def _created(self, asked: RoomRequest, table: Card) -> None:
        if self._outstanding is asked:
            self.send({"COMMAND": "ROOM_CREATE_RESP", "SUCCESS": True, "ROOM": table.code})
            self.answered(asked, None)

    def come_back(self, token: str) -> None:
        """Take the place of the player whom a token was given to."""
        self._outstanding = asked = ReturnRequest()
        self._host.come_back(self, token, asked)

    def join(self, wanted: SeatRequest) -> None:
        """Take a seat."""
        self._outstanding = wanted
        try:
            wanted.check()
            self._seek(wanted)
        except Refused as refusal:
            self.answered(wanted, refusal)

    def _seek(self, wanted: SeatRequest) -> None:
        found = self.rooms.find(wanted, self._link.came_from)
        self._await_room(found, wanted, partial(self._sit, wanted))

    def _await_room(
        self, room: Deferred[Card], asked: AnyRequest, then: Callable[[Card], None]
    ) -> None:
        """Go on with a room once it is there; none is opened for who goes before that."""
        self._coming_room = room
        room.addCallbacks(then, partial(self._failed, asked))

    def _failed(self, asked: AnyRequest, failure: Failure) -> None:
        if failure.trap(Refused, CancelledError) is Refused and self._outstanding is asked:
            self._refuse(asked, cast(Refused, failure.value))

    def _sit(self, wanted: SeatRequest, table: Card) -> None:
        if self._outstanding is not wanted or not self._link.connected:
            return
        self._host.sit(
            self,
            table.code,
            None,
            wanted.name,
            wanted,
            keep=wanted.keep,
            brought=wanted.brought,
            password=wanted.password,
            lock=wanted.lock,
            by=self._link.came_from,
        )

    # -- what the Host says ---------------------------------------------------------------

    @property
    def detail(self) -> Detail:
        """How much to hear with each turn."""
        return self.reporter.detail

    def answered(self, tag: AnyRequest | None, refusal: Refused | None) -> None:
        """Go on once a request was answered; try again where somebody else was quicker."""
        if tag is None or tag is not self._outstanding:
            self._go_on()  # it was asked at a table that is no more
            return
        self._outstanding = None
        if refusal is None:
            self._arriving = isinstance(tag, SeatRequest | ReturnRequest)
            self._done(tag)
            self._follow_draw()
            self._go_on()
        elif isinstance(tag, SeatRequest) and self._tries_again(tag, refusal):
            self._outstanding = tag
            self._seek(tag)
        else:
            self._refuse(tag, refusal)

    def _refuse(self, asked: AnyRequest, refusal: Refused) -> None:
        self._outstanding = self._after_draw = None
        self.reporter.refused(asked, refusal)
        self._go_on()

    def _tries_again(self, wanted: SeatRequest, refusal: Refused) -> bool:
        """Tell whether there may be another room for who was turned away from one."""
        wanted.tries += 1
        if wanted.tried:  # its password may open another
            return refusal.key in (*_RACES, *_LOCKED)
        fits = refusal.key in _RACES and not wanted.room and wanted.tries < MOST_TRIES
        return fits and not self.rooms.is_only_one()

    def _done(self, tag: AnyRequest) -> None:
        if isinstance(tag, SeatRequest):
            self._link.settled()
            if tag.level is not None:
                self._outstanding = asked = FollowUp("JOIN_GAME")
                self._host.request(self, table_actions.add_bot(tag.level), asked)

    def _follow_draw(self) -> None:
        """Go on with what was meant before the draw, if it is this player's turn again."""
        then = self._after_draw
        if then is not None and self._outstanding is None and self.decision.stage == "turn":
            self._after_draw = None
            then()

    def given(self, token: str) -> None:
        """Tell what brings the player back."""
        self.reporter.given(token)

    def shown(self, view: TableView) -> None:
        """Show the table."""
        self._link.settled()
        self._arriving = False
        self.reporter.shown(view)
        if view.stage in _OVER:
            self.leave()
        self._go_on()

    def told(self, news: News) -> None:
        """Tell what happened; the end of the game is the end of its place here."""
        if self.reporter.told(news):
            self.leave()

    def turned(self, turn: Turn) -> None:
        """Tell whose decision is awaited."""
        reply = self.reporter.turned(turn)
        if reply is not None:
            self.submit(reply, Request(_REPLIES.get(type(reply), "TARGET_CARD_RESP"), {}))
        self._follow_draw()
        self._go_on()

    def paused(self, trouble: str | None) -> None:
        """Read nothing while play is paused: what is sent meanwhile is read when it goes on."""
        self._link.read_while(trouble is None)

    def parted(self, reason: str) -> None:
        """Tell why the place at the table is no more."""
        self._outstanding = self._after_draw = None
        self._arriving = False
        self.reporter.parted(reason)
        if reason == "taken-over":
            self._link.close()
        self._bound_silence()

    # -- the end --------------------------------------------------------------------------

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""
        return self.reporter.farewell(reason)

    def overflowed(self) -> None:
        """Give a player who did not read how things stand instead of all that happened."""
        show_anew(self._link, self, self._host)

    def caught_up(self) -> None:
        """Nothing is left to say: a View was sent instead of what was left out."""

    def input_ended(self) -> None:
        """Close when nothing is left to answer."""
        self._host.input_ended(self)
        if self._outstanding is None and self.place is None:
            self._link.close()

    def gone(self) -> None:
        """Let the seat be held for one who can come back; else it is lost."""
        self._waiting.clear()
        self._outstanding = self._after_draw = None
        if self._coming_room is not None:
            self._coming_room.cancel()
        self._host.drop(self)
