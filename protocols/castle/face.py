"""One client at the door of Castle Wars, whichever way it speaks: its link, its place, its requests in their order.

A request is acted on when the one before it was answered, for what it means may depend on that.  What is heard
meanwhile waits; the voice of the client, chosen by its first byte, says all that there is to say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from gamecore.bots import find_bot
from gamecore.errors import Refused
from gamecore.games.castle import RULES, Deck
from gamecore.rules import Move
from gamecore.table import Table
from gamecore.table_view import Detail, TableView, Turn
from protocols.castle import wire
from protocols.castle.objects import Objects
from protocols.castle.pending_requests import Ask, Back, Creation, Wanted
from protocols.castle.text_session import TextSession
from protocols.host import table_actions
from protocols.host.face import News, Place
from protocols.i18n.names import read_name
from protocols.net.limits import TokenBucket
from protocols.net.line import BoundedLine

if TYPE_CHECKING:
    from protocols.castle.server import CastleFactory

UNJOINED_SECONDS = 30.0
READING_SECONDS = 900.0  # for a person who reads help, or builds a deck
MOST_WAITING = 64
MOST_TRIES = 3
_RACES = ("seat-taken", "table-full", "game-began")


class Voice(Protocol):
    """How one client speaks, and is spoken to."""

    def hear(self, line: str) -> None:
        """Act on one line."""

    def line_refused(self, key: str) -> None:
        """Say why a line was not even read."""

    def created(self, code: str) -> None:
        """Say that a room is open."""

    def given(self, token: str) -> None:
        """Get what brings the player back."""

    def shown(self, view: TableView) -> None:
        """See the table."""

    def told(self, news: News) -> None:
        """Hear what happened."""

    def turned(self, turn: Turn) -> None:
        """Hear whose decision is awaited."""

    def refused(self, asked: Any, refusal: Refused) -> None:
        """Hear that a request was refused; ``asked`` has its ``command``."""

    def paused(self, trouble: str | None) -> None:
        """Hear that play is paused, or goes on."""

    def parted(self, reason: str) -> None:
        """Hear that the place at the table is no more."""

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""


class CastleFace(BoundedLine):
    """One client of the Castle Wars door."""

    max_length = wire.LIMIT
    newline = b"\n"
    detail = Detail.OWN_BOARD
    deadline = UNJOINED_SECONDS
    factory: CastleFactory
    place: Place | None = None
    voice: Voice | None = None

    _outstanding: object = None
    _before: Callable[[], None] | None = None  # what follows once a draw has been taken
    _quiet: float = UNJOINED_SECONDS
    _acting: bool = False
    _may_act: bool = False

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()
        self._openings = TokenBucket(1 / 20, 5.0)

    @property
    def seat(self) -> int | None:
        """The seat of its player, if it has one."""
        player = None if self.place is None else self.place.player
        return None if player is None else player.seat

    @property
    def busy(self) -> bool:
        """Whether it has a place, or is on its way to one."""
        return self.place is not None or isinstance(self._outstanding, Wanted | Back)

    # -- lines in ---------------------------------------------------------------------

    def line_received(self, line: str) -> None:
        """Act on a line, or keep it until what was asked before is answered."""
        if self.voice is None:
            if not line.strip():
                return
            self._choose_voice(line)
        if len(self._waiting) >= MOST_WAITING:
            self.line_refused("too-fast")
            return
        self._waiting.append(line)
        self._go_on()

    def _choose_voice(self, line: str) -> None:
        if line.lstrip()[:1] in "{[":
            self.voice = Objects(self)
        else:
            self.voice, self._quiet = TextSession(self), READING_SECONDS
            self.newline = b"\r\n"  # somebody may read this on a terminal

    def line_refused(self, reason_key: str) -> None:
        """Say why a line was not even read."""
        if self.voice is None:
            self.voice = Objects(self)
        self.voice.line_refused(reason_key)

    def _go_on(self) -> None:
        """Act on what waits, as long as nothing is outstanding."""
        if self._acting:
            return
        self._acting = True
        try:
            while self._waiting and self._outstanding is None and not self.closing:
                assert self.voice is not None
                self.voice.hear(self._waiting.popleft())
        finally:
            self._acting = False
        self._rest()

    def _rest(self) -> None:
        """Let nobody be silent for too long who has no seat; at a table the game has its own clock."""
        if self.closing or self.half_closed:
            return
        if self.busy:
            self._stop_timer()
        else:
            self._start_timer(self._quiet, partial(self.dismiss, "idle"))

    # -- what the voice asks for --------------------------------------------------------

    def submit(self, move: Move, asked: object) -> None:
        """Play a move."""
        self._outstanding = asked
        self.factory.host.submit(self, move, asked)

    def submit_before(self, move: Move, then: Callable[[], None]) -> None:
        """Play a move, and go on with what was meant when it is this player's turn again."""
        self._before = then
        self.submit(move, Ask("DRAW_CARD"))

    def look(self, command: str = "STATE_REQUEST") -> None:
        """Ask for a fresh View."""
        self._outstanding = asked = Ask(command)
        self.factory.host.look(self, asked)

    def leave(self) -> None:
        """Leave the table for good."""
        self.factory.host.leave(self)
        self._outstanding = self._before = None
        self._rest()

    def create(self, name: str, password: str, private: bool) -> None:
        """Open a room."""
        self._outstanding = asked = Creation()
        try:
            if not self._openings.take(self.factory.clock.seconds()):
                raise Refused("too-fast")
            opening = self.factory.open_room(name, password, private)
        except Refused as refusal:
            self.answered(asked, refusal)
            return
        opening.addCallbacks(partial(self._created, asked), partial(self._failed, asked))

    def _created(self, asked: Creation, table: Table) -> None:
        if self._outstanding is asked and self.voice is not None:
            self.voice.created(table.code)
            self.answered(asked, None)

    def come_back(self, token: str) -> None:
        """Take the place of the player whom a token was given to."""
        self._outstanding = asked = Back()
        self.factory.host.come_back(self, token, asked)

    def join(self, wanted: Wanted) -> None:
        """Take a seat."""
        self._outstanding = wanted
        try:
            wanted.name = read_name(wanted.name)
            wanted.brought = _deck_of(wanted.deck)
            if wanted.level is not None:
                find_bot(RULES.kind, wanted.level)
            self._seek(wanted)
        except Refused as refusal:
            self.answered(wanted, refusal)

    def _seek(self, wanted: Wanted) -> None:
        found: Deferred[Table] = self.factory.room_for(wanted)
        found.addCallbacks(partial(self._sit, wanted), partial(self._failed, wanted))

    def _failed(self, asked: object, failure: Failure) -> None:
        failure.trap(Refused)
        if self._outstanding is asked:
            assert isinstance(failure.value, Refused)
            self.answered(asked, failure.value)

    def _sit(self, wanted: Wanted, table: Table) -> None:
        if self._outstanding is not wanted or not self.connected:
            return
        free = table.free_seats()
        if not free:
            self.answered(wanted, Refused("table-full"))
            return
        self.factory.host.sit(
            self,
            table,
            free[0],
            wanted.name,
            wanted,
            keep=wanted.keep,
            brought=wanted.brought,
            password=wanted.password,
        )

    # -- what the Host says -----------------------------------------------------------

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Go on once a request was answered; try again where somebody else was quicker."""
        if tag is None or tag is not self._outstanding or self.voice is None:
            self._go_on()  # it was asked at a table that is no more
            return
        self._outstanding = None
        if refusal is None:
            self._done(tag)
        elif isinstance(tag, Wanted) and self._tries_again(tag, refusal):
            return
        else:
            self._before = None
            self.voice.refused(tag, refusal)
        self._follow_draw()
        self._go_on()

    def _tries_again(self, wanted: Wanted, refusal: Refused) -> bool:
        wanted.tries += 1
        again = refusal.key in _RACES and not wanted.room and wanted.tries < MOST_TRIES
        if again and not self.factory.only:
            self._outstanding = wanted
            self._seek(wanted)
            return True
        return False

    def _done(self, tag: object) -> None:
        if isinstance(tag, Wanted):
            self.settled()
            if tag.level is not None:
                self._outstanding = asked = Ask("JOIN_GAME")
                self.factory.host.request(self, table_actions.add_bot(tag.level), asked)

    def _follow_draw(self) -> None:
        """Go on with what was meant before the draw, if it is this player's turn again."""
        then = self._before
        if then is not None and self._outstanding is None and self._may_act:
            self._before = None
            then()

    def given(self, token: str) -> None:
        """Tell what brings the player back."""
        if self.voice is not None:
            self.voice.given(token)

    def shown(self, view: TableView) -> None:
        """Show the table."""
        self.settled()
        if self.voice is not None:
            self.voice.shown(view)

    def told(self, news: News) -> None:
        """Tell what happened."""
        if self.voice is not None:
            self.voice.told(news)

    def turned(self, turn: Turn) -> None:
        """Tell whose decision is awaited."""
        self._may_act = bool(turn.moves) and getattr(turn.board, "stage", "") == "turn"
        if self.voice is not None:
            self.voice.turned(turn)
        self._follow_draw()
        self._go_on()

    def paused(self, trouble: str | None) -> None:
        """Read nothing while play is paused."""
        if self.voice is not None:
            self.voice.paused(trouble)
        if trouble is None:
            self.go_on_reading()
        else:
            self.stop_reading()

    def parted(self, reason: str) -> None:
        """Tell why the place at the table is no more."""
        self._outstanding = self._before = None
        if self.voice is not None:
            self.voice.parted(reason)
        if reason == "taken-over":
            self.close()
        self._rest()

    # -- the end ----------------------------------------------------------------------

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""
        voice = Objects(self) if self.voice is None else self.voice
        return voice.farewell(reason)

    def overflowed(self) -> None:
        """Give a player who did not read how things stand instead of all that happened."""
        if self.seat is None:
            self.dismiss("does-not-read")
        else:
            self.forget_waiting()
            self.factory.host.look(self)

    def input_ended(self) -> None:
        """Close when nothing is left to answer."""
        if self._outstanding is None and self.place is None:
            self.close()

    def gone(self, reason: Failure) -> None:
        """Let the seat be held for one who can come back; else it is lost."""
        self._waiting.clear()
        self._outstanding = self._before = None
        self.factory.host.drop(self)


def _deck_of(numbers: Sequence[int] | None) -> Deck:
    """Make a deck of its numbers, the castle last; the usual one of none; raises Refused ``deck-``."""
    if numbers is None:
        return Deck()
    if not numbers:
        raise Refused("deck-size", cards=0, wanted=len(Deck().cards))
    return Deck(tuple(numbers[:-1]), numbers[-1])
