"""The door of 1-2-3 Pass: whoever connects is seated, and the game begins when the table is full.

Stock clients take whatever one read gives for one text, and say nothing before the first board.  So texts go out a
gap apart to everybody who was never seen to end a line (specification, sections 2 and 3.4), and nobody is asked who
they are; but a moment passes before a newcomer is seated, in which one who was here before may say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from attrs import frozen
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.games.pass123 import RULES, PassView
from gamecore.settings import setting
from gamecore.table import Table
from gamecore.table_view import TableView
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host, News, Place
from protocols.host.table_actions import start
from protocols.net.limits import TokenBucket
from protocols.net.line import LineSplitter
from protocols.net.link import Link
from protocols.net.pacing import Spacing
from protocols.pass123 import wire
from protocols.pass123.screen import Phase, Screen

WELCOME_SECONDS = 0.2  # in which a newcomer may say RETURN
PATIENCE_SECONDS = 0.1  # with bytes that are no code yet, and have no line end
LAST_LOOK_SECONDS = 5.0
LAST_ANSWER_SECONDS = 300.0  # for a client at its prompt to hear that all is over
_MOVE, _START, _BACK = "move", "start", "back"


@frozen
class PassDoorSettings:
    """How the door treats clients that do not read lines."""

    send_gap: float = setting(0.2, "seconds between two texts to a stock client", low=0, high=5)


class PassFace(Link):
    """One client of the 1-2-3 Pass wire, from its first moment to the last look at the board."""

    deadline = 0.0  # it may be silent until its first board, which may be long
    factory: PassFactory
    place: Place | None = None

    _token: str | None = None
    _welcomed: bool = False
    _asked: bool = False
    _early: int = 0
    _ends_after: float | None = None
    _begun: bytes = b""
    _patience: IDelayedCall | None = None
    _spacing: Spacing | None = None

    def __init__(self) -> None:
        self._screen = Screen()
        self._splitter = LineSplitter(wire.LIMIT)
        self._bucket = TokenBucket(rate=20, burst=40)

    def connectionMade(self) -> None:
        super().connectionMade()
        self._start_timer(WELCOME_SECONDS, self._welcome)

    def _welcome(self) -> None:
        """Seat a newcomer, once."""
        if not self._welcomed:
            self._welcomed = True
            self._stop_timer()
            self.factory.seat(self)

    # -- bytes in ---------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Cut the bytes into codes and act on each in turn."""
        self._stop_patience()
        if not self._screen.line:
            data, self._begun = self._begun + data, b""
            if b"\n" not in data and b"\r" not in data:
                self._take_unended(data)
                return
            self._become_line()
        for line in self._splitter.feed(data):
            if line is None:
                self.dismiss("input-too-long")
            elif line.strip() and not self.closing:
                self._hear(line)

    def _take_unended(self, data: bytes) -> None:
        """Take for a code what is one, or what has nothing behind it for a moment."""
        if len(data) > wire.LIMIT:
            self.dismiss("input-too-long")
        elif wire.is_whole(data):
            self._hear(data)
        else:
            self._begun = data
            self._patience = self.factory.clock.callLater(PATIENCE_SECONDS, self._lose_patience)

    def _lose_patience(self) -> None:
        self._patience = None
        data, self._begun = self._begun, b""
        self._hear(data)

    def _stop_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _become_line(self) -> None:
        self._screen.line = True
        if self._spacing is not None:
            self._spacing.when_out(self._stop_spacing)
        if self._token is not None:
            self._say([wire.token(self._token)])

    def _stop_spacing(self) -> None:
        self._spacing = None

    def _hear(self, data: bytes) -> None:
        if not self._bucket.take(self.factory.clock.seconds()):
            self.dismiss("too-fast")
            return
        try:
            heard: wire.Heard | None = wire.parse(data)
        except Malformed:
            heard = None
        match heard:
            case wire.Quit():
                self._leave()
            case wire.Return(token) if self._screen.line and self._screen.phase is Phase.SILENT:
                self._come_back(token)
            case wire.Start() if self._screen.phase is Phase.SILENT:
                self._welcome()
                self.factory.host.request(self, start, _START)
            case _:
                self._welcome()
                self._take_code(heard if isinstance(heard, wire.Code) else None)

    def _take_code(self, code: wire.Code | None) -> None:
        """Play a move, or answer at once what cannot be one."""
        screen = self._screen
        missed = screen.catch_up(None if code is None else code.move)
        if screen.phase is Phase.SILENT:
            self._say([wire.NOT_BEGUN] if screen.line else [])
        elif missed:
            self._say(missed)
        elif self._asked:
            self._early += 1
        elif code is None or code.number not in (None, screen.seat + 1):
            self._say(screen.refuse("not-held"))
        elif (
            screen.phase is Phase.WAITING
        ):  # not even if the next pass has begun and it cannot know
            self._say(screen.refuse("already-named"))
        elif screen.phase is not Phase.OVER:
            self._asked = True
            self.factory.host.submit(self, code.move, _MOVE)

    def _come_back(self, token: str) -> None:
        """Give up the seat of a game that has not begun for that of one which has."""
        host, place = self.factory.host, self.place
        self._welcomed = True
        self._stop_timer()
        if place is not None and place.code in host.hall:
            if host.hall.find(place.code).stage is not Stage.GATHERING:
                self._say([wire.reason("game-began")])
                return
            host.leave(self)
        self._token = None
        host.come_back(self, token, _BACK)

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Keep what brings the player back for whoever turns out to read lines."""
        self._token = token
        if self._screen.line:
            self._say([wire.token(token)])

    def shown(self, view: TableView) -> None:
        """Begin the game if it has begun, or go on with it after coming back."""
        board, place = view.board, self.place
        if not isinstance(board, PassView) or place is None or place.player is None:
            return
        screen = self._screen
        if screen.phase is Phase.SILENT or screen.line:
            self._say(screen.begin(board, place.player.seat))
        elif not screen.shows(board):
            self._say(screen.end("table-resting"))

    def told(self, news: News) -> None:
        """Send what the events say."""
        self._say([text for event in news.events for text in self._screen.hear(event)])

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Say what was refused, and that codes sent too early were not taken."""
        key = None if refusal is None else refusal.key
        if tag == _MOVE:
            self._asked = False
            early, self._early = self._early, 0
            texts = [] if key is None else self._screen.refuse(key)
            self._say([*texts, *self._screen.refuse_early() * early])
        elif key is not None and tag == _START:
            self._say([wire.reason(key)] if self._screen.line else [])
        elif key is not None:
            self.turn_down(key)

    def paused(self, trouble: str | None) -> None:
        """Read nothing while play is paused, and say so to those who can be told."""
        if self._screen.line:
            self._say([wire.GOES_ON if trouble is None else wire.PAUSED])
        if trouble is not None:
            self.stop_reading()
        else:
            self.go_on_reading()

    def parted(self, reason: str) -> None:
        """Say why the table is no more, now or in answer to the next code."""
        if reason == "closing":
            self.dismiss(reason)
        else:
            self.turn_down(reason)

    def turn_down(self, reason: str) -> None:
        """End in the one way that a stock client understands."""
        self._say(self._screen.end(reason))

    # -- bytes out, and the end -------------------------------------------------------

    def _say(self, texts: Sequence[bytes]) -> None:
        """Send texts, to a stock client not too soon after each other; see what follows from them."""
        if not self.connected:  # an answer may come behind the end of its link
            return
        if self._screen.line:
            texts = [text if text.endswith(b"\n") else text + b"\n" for text in texts]
        elif self._spacing is None and texts:
            self._spacing = Spacing(self.factory.clock, self.factory.settings.send_gap, self.send)
        if self._spacing is None:
            if texts:
                self.send(b"".join(texts))
        else:
            for text in texts:
                self._spacing.send(text)
        self._end_in_time()

    def _end_in_time(self) -> None:
        """Close some time after the end, however much is told of the table meanwhile."""
        seconds = None
        if self._screen.phase is Phase.OVER:
            seconds = LAST_LOOK_SECONDS
        elif self._screen.owes_answer:
            seconds = LAST_ANSWER_SECONDS
        if seconds is not None and seconds != self._ends_after:
            self._ends_after = seconds
            self._when_out(lambda: self._end_after(seconds))

    def _when_out(self, then: Callable[[], None]) -> None:
        if self._spacing is None:
            then()
        else:
            self._spacing.when_out(then)

    def _end_after(self, seconds: float) -> None:
        if not (self.closing or self.half_closed):  # then it ends sooner than that
            self._start_timer(seconds, self._leave)

    def _leave(self) -> None:
        """Leave for good, and close."""
        self._part()
        self._when_out(self.close)

    def dismiss(self, reason: str) -> None:
        """Say why and close, behind all that still waits for its gap."""
        self._when_out(lambda: super(PassFace, self).dismiss(reason))

    def farewell(self, reason: str) -> bytes:
        """Say why: to a client that owes a code as the answer to it, else as the end."""
        screen = self._screen
        if screen.phase is Phase.OVER:
            return b""
        if screen.phase is Phase.PROMPT and not screen.line:
            return wire.gone_answer(reason)
        return wire.gone(reason)

    def gone(self, reason: Failure) -> None:
        """Give the seat up, or let it be held for one who can come back, and forget every timer."""
        self._stop_patience()
        if self._spacing is not None:
            self._spacing.stop()
        if self._screen.phase is not Phase.OVER and (self._screen.line or self._bot_follows()):
            self.factory.host.drop(self)
        else:
            self._part("disconnected")

    def _bot_follows(self) -> bool:
        """Say whether the table lets a bot play on for whoever does not come back."""
        hall, place = self.factory.host.hall, self.place
        if place is None or place.code not in hall:
            return False
        table = hall.find(place.code)
        return table.stage is not Stage.GATHERING and table.house.absent == "bot"

    def _part(self, why: str = "left") -> None:
        self._welcomed = True
        self.factory.host.leave(self, why)


class PassFactory(DoorFactory):
    """The door itself: seats each newcomer at the table that has waited longest."""

    protocol = PassFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(PassDoorSettings, defaults.door)

    def seat(self, face: PassFace) -> None:
        """Seat a newcomer, or tell it why not."""
        try:
            table = self.only or self._waiting() or self.open_table("", private=False)
            free = table.free_seats()
            if not free:
                raise Refused("no-seat")
        except Refused as refusal:
            face.turn_down(refusal.key)
            return
        names = (f"player {number}" for number in range(free[0] + 1, free[0] + 1000))
        name = next(each for each in names if not table.has_name(each))
        self.host.sit(face, table, free[0], name, keep=True)

    def _waiting(self) -> Table | None:
        """Find a public table that plays as this door's own do."""
        for table in self.host.hall.joinable(RULES.kind):
            if not table.house.password and table.opened.options == self.defaults.options:
                return table
        return None


DOOR = Door(RULES.kind, RULES.title, "tcp:8888", PassDoorSettings, PassFactory)
