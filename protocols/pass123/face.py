"""One client of the 1-2-3 Pass wire, from its first moment to the last look at the board.

Stock clients take whatever one read gives for one text, and say nothing before the first board.  So texts go out a
gap apart to everybody who was never seen to end a line (specification, sections 2 and 3.4), and nobody is asked who
they are; but a moment passes before a newcomer is seated, in which one who was here before may say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen
from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.games.pass123 import PassView
from gamecore.settings import setting
from gamecore.table_view import TableView
from protocols.host.face import News
from protocols.host.seated_link import SeatedDoor, SeatedLink
from protocols.host.table_actions import start
from protocols.net.limits import TokenBucket
from protocols.net.line import LineSplitter
from protocols.net.pacing import PacedLink
from protocols.pass123 import wire
from protocols.pass123.session import Phase, Session

WELCOME_SECONDS = 0.2  # in which a newcomer may say RETURN
PATIENCE_SECONDS = 0.1  # with bytes that are no code yet, and have no line end
LAST_LOOK_SECONDS = 5.0
LAST_ANSWER_SECONDS = 300.0  # for a client at its prompt to hear that all is over
_MOVE, _START, _BACK, SEAT = "move", "start", "back", "seat"
_NO_SEAT = ("table-full", "game-began", "no-such-table")


@frozen
class PassDoorSettings:
    """How the door treats clients that do not read lines."""

    send_gap: float = setting(0.2, "seconds between two texts to a stock client", low=0, high=5)


class PassDoor(SeatedDoor, Protocol):
    """What a face needs of the door that let it in."""

    @property
    def settings(self) -> PassDoorSettings:
        """How clients are treated."""

    def seat(self, face: PassFace) -> None:
        """Seat a newcomer, or tell it why not."""


class PassFace(SeatedLink, PacedLink):
    """One client of the 1-2-3 Pass wire."""

    deadline = 0.0  # it may be silent until its first board, which may be long
    unfinished_seconds = PATIENCE_SECONDS
    factory: PassDoor

    _welcomed: bool = False
    _asked: bool = False  # a move was played that is not answered yet
    _early: int = 0  # codes that came before that answer
    _ends_after: float | None = None  # seconds from its last text to the end, once that is certain
    _begun: bytes = b""  # what came without a line end and is no code

    def __init__(self) -> None:
        self._session = Session()
        self._splitter = LineSplitter(wire.LIMIT)
        self._bucket = TokenBucket(rate=20, burst=40)

    @property
    def reads_lines(self) -> bool:
        """Whether it was seen to end a line, and so can be told more than a stock client."""
        return self._session.line

    def connectionMade(self) -> None:
        super().connectionMade()
        self._start_timer(WELCOME_SECONDS, self._welcome)

    def _welcome(self) -> None:
        """Seat a newcomer, once; not one who could not play."""
        if not (self._welcomed or self.half_closed):
            self._welcomed = True
            self.settled()
            self.factory.seat(self)

    def input_ended(self) -> None:
        """Take for a code what came last; who cannot come back has no seat any more, unless in a game."""
        self.await_rest(False)
        self.never_ended()
        super().input_ended()

    # -- bytes in ---------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Cut the bytes into codes and act on each in turn."""
        self.await_rest(False)
        if not self._session.line:
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
            self.await_rest(True)

    def never_ended(self) -> None:
        """Take what has nothing behind it for a code."""
        data, self._begun = self._begun, b""
        if data:
            self._hear(data)

    def _become_line(self) -> None:
        self._session.line = True
        self.end_pacing()
        self.host.give_token(self)  # if it sits without one

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
            case wire.Return(token) if self._session.line and self._session.phase is Phase.SILENT:
                self._come_back(token)
            case wire.Help() if self._session.line:
                self._welcome()
                self._say([wire.HELP])
            case wire.Start() if self._session.phase is Phase.SILENT:
                self._welcome()
                self.host.request(self, start, _START)
            case _:
                self._welcome()
                self._take_code(heard if isinstance(heard, wire.Code) else None)

    def _take_code(self, code: wire.Code | None) -> None:
        """Play a move, or answer at once what cannot be one."""
        session = self._session
        missed = session.catch_up(None if code is None else code.move)
        if session.phase is Phase.SILENT:
            self._say([wire.NOT_BEGUN] if session.line else [])
        elif missed:
            self._say(missed)
        elif self._asked:
            self._early += 1
        elif code is None or code.number not in (None, session.seat + 1):
            self._say(session.refuse("not-held"))
        elif session.phase is Phase.WAITING:
            # Not even if the next pass has begun, of which it cannot know.
            self._say(session.refuse("already-named"))
        elif session.phase is not Phase.OVER:
            self._asked = True
            self.host.submit(self, code.move, _MOVE)

    def _come_back(self, token: str) -> None:
        """Give up the seat of a game that has not begun for that of one which has."""
        host, place = self.host, self.place
        self._welcomed = True
        self.settled()
        if place is not None and place.code in host.hall:
            if host.hall.find(place.code).stage is not Stage.GATHERING:
                self._say([wire.reason("game-began")])
                return
            host.leave(self)
        host.come_back(self, token, _BACK)

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Tell what brings the player back; only who reads lines is given it."""
        self._say([wire.token(token)])

    def shown(self, view: TableView) -> None:
        """Begin the game if it has begun, or go on with it after coming back."""
        if self.reads_lines:  # which it may have shown on its way to the table
            self.host.give_token(self)
        board, place = view.board, self.place
        if not isinstance(board, PassView) or place is None or place.player is None:
            return
        session = self._session
        if session.phase is Phase.SILENT or session.line:
            self._say(session.begin(board, place.player.seat))
        elif not session.shows(board):
            self._say(session.end("table-resting"))

    def told(self, news: News) -> None:
        """Send what the events say."""
        self._say([text for event in news.events for text in self._session.hear(event)])

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Say what was refused, and that codes sent too early were not taken."""
        key = None if refusal is None else refusal.key
        if tag == _MOVE:
            self._asked = False
            early, self._early = self._early, 0
            texts = [] if key is None else self._session.refuse(key)
            self._say([*texts, *self._session.refuse_early() * early])
        elif key is not None and tag == _START:
            self._say([wire.reason(key)] if self._session.line else [])
        elif key is not None:
            self.turn_down("no-seat" if tag == SEAT and key in _NO_SEAT else key)

    def paused(self, trouble: str | None) -> None:
        """Read nothing while play is paused, and say so to those who can be told."""
        if self._session.line:
            self._say([wire.GOES_ON if trouble is None else wire.PAUSED])
        self.read_while(trouble is None)

    def parted(self, reason: str) -> None:
        """Say why the table is no more, now or in answer to the next code."""
        if reason == "closing":
            self.dismiss(reason)
        else:
            self.turn_down(reason)

    def turn_down(self, reason: str) -> None:
        """End in the one way that a stock client understands."""
        self._say(self._session.end(reason))

    # -- bytes out, and the end -------------------------------------------------------

    def _say(self, texts: Sequence[bytes]) -> None:
        """Send texts, to a stock client not too soon after each other; see what follows from them.

        They are not joined with what comes next even for one who reads lines: a text is what one read brings.
        """
        if not self.connected:  # an answer may come behind the end of its link
            return
        if self._session.line:
            texts = [text if text.endswith(b"\n") else text + b"\n" for text in texts]
        if texts and self._session.line and self._pacer is None:
            self.send_alone(b"".join(texts))
        else:
            for text in texts:
                self.send_paced(text, self.factory.settings.send_gap)
        self._end_in_time()

    def _end_in_time(self) -> None:
        """Close some time after the end, however much is told of the table meanwhile."""
        seconds = None
        if self._session.phase is Phase.OVER:
            seconds = LAST_LOOK_SECONDS
        elif self._session.owes_answer:
            seconds = LAST_ANSWER_SECONDS
        if seconds is not None and seconds != self._ends_after:
            self._ends_after = seconds
            self.when_out(lambda: self._end_after(seconds))

    def _end_after(self, seconds: float) -> None:
        if not (self.closing or self.half_closed):  # then it ends sooner than that
            self._start_timer(seconds, self._leave)

    def _leave(self) -> None:
        """Leave for good, and close."""
        self._part()
        self.when_out(self.close)

    def farewell(self, reason: str) -> bytes:
        """Say why: to a client that owes a code as the answer to it, else as the end."""
        session = self._session
        if session.phase is Phase.OVER:
            return b""
        if session.phase is Phase.PROMPT and not session.line:
            return wire.gone_answer(reason)
        return wire.gone(reason)

    def gone(self, reason: Failure) -> None:
        """Give the seat up, or let it be held for one who can come back to a game that is not over."""
        if self._session.phase is Phase.OVER:
            self._part("disconnected")
        super().gone(reason)

    def _part(self, why: str = "left") -> None:
        self._welcomed = True
        self.host.leave(self, why)
