"""One client of GOPS: what it says becomes moves, what happens becomes messages.

A stock client reads only what it expects: one message after a name, two or three after START-GAME or JOIN-GAME, and
anything between the start of a game and its END-GAME.  So nothing unasked is said outside a game, and a move that
comes too late for a game just ended is passed over in silence (specification, section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar, Protocol, cast

from attrs import frozen
from twisted.logger import Logger
from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.events import Event
from gamecore.game import Stage
from gamecore.games.gops import Bid, GopsView
from gamecore.settings import setting
from gamecore.table_events import Abandoned, GameOver
from gamecore.table_view import TableView
from protocols.gops import wire, wire_events
from protocols.gops.message_splitter import MessageSplitter
from protocols.host.card import Card
from protocols.host.face import News
from protocols.host.seated_link import SeatedDoor, SeatedLink
from protocols.net.limits import TokenBucket
from protocols.net.pacing import PacedLink

IDLE_SECONDS = 900.0
FRAME_SECONDS = 30.0
MOST_FAULTS = 20  # in a row
_MOVE = "move"
_CREATE, _JOIN, _WATCH, _RETURN = "create", "join", "watch", "return"
_TOO_LATE = ("game-over", "table-closed", "not-seated")
_NO_SEAT = ("game-began", "seat-taken", "table-full")

Render = Callable[[Sequence[Event], tuple[str, ...]], bytes]


def _render(
    write: Callable[[Iterable[str]], bytes],
    seat: int | None,
    events: Sequence[Event],
    names: tuple[str, ...],
) -> bytes:
    return write(wire_events.render(events, names, seat))


_RENDERERS: dict[tuple[bool, int | None], Render] = {
    (lines, seat): partial(_render, wire.lines if lines else wire.frames, seat)
    for lines in (False, True)
    for seat in (0, 1, None)
}


@frozen
class GopsDoorSettings:
    """How the door treats its clients."""

    frame_pause: float = setting(0.0, "seconds between two frames to a client", low=0, high=1)
    line_greeting: bool = setting(True, "let the greeting read as a line too")


class GopsDoor(SeatedDoor, Protocol):
    """What a face needs of the door that let it in."""

    @property
    def settings(self) -> GopsDoorSettings:
        """How clients are treated."""

    def name_newcomer(self, face: GopsFace) -> str:
        """Give a client the name that it has until it says another."""

    def rename(self, face: GopsFace, wanted: str) -> str:
        """Give a client the name it wants, or one like it that nobody else here has."""

    def forget_name(self, face: GopsFace) -> None:
        """Let others have the name of a client."""

    def find(self, code: str) -> Card | None:
        """Find a table by its code."""

    def table_to_open(self, by: str | None) -> Card:
        """Open a table that begins when both have come; raises Refused."""


class GopsFace(SeatedLink, PacedLink):
    """One client of the GOPS wire."""

    deadline = IDLE_SECONDS
    unfinished_seconds = FRAME_SECONDS
    factory: GopsDoor
    name: str = ""

    _log: ClassVar[Logger] = Logger()
    _code: str | None = None  # the game it is in, or on its way to
    _ended: str | None = None  # the game it was in, until it asks for another
    _pending: str | None = None  # what it asked for and was not shown yet
    _token: str | None = None  # to be told with what is shown next
    _faults: int = 0  # faulty messages, since the last that was none

    def __init__(self) -> None:
        self._splitter = MessageSplitter()
        self._bucket = TokenBucket(rate=50, burst=200)

    @property
    def _lines(self) -> bool:
        return self._splitter.lines is True

    def connectionMade(self) -> None:
        super().connectionMade()
        self.name = self.factory.name_newcomer(self)
        write = wire.greeting if self.factory.settings.line_greeting else wire.frame
        self.send(write(wire_events.WELCOME))

    # -- bytes in ---------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Cut the bytes into messages and act on each in turn."""
        began = self._splitter.lines is None
        heard = self._splitter.feed(data)
        if began and self._lines and not self.factory.settings.line_greeting:
            self.send(b"\n")  # behind the greeting, which was a frame
        self._hear_all(heard)
        if self._splitter.broken:
            self._log.info("{peer} sent what is no frame", peer=self.peer)
            self.dismiss("frame-broken")
        elif self._splitter.too_much:
            self.dismiss("line-too-long")
        self.await_rest(self._splitter.unfinished and not self.closing)

    def input_ended(self) -> None:
        """Act on what the end of input makes a last line; then let others have the name, unless it may return."""
        self._hear_all(self._splitter.finish())
        super().input_ended()
        if self.place is None or not self.place.may_return:
            self.factory.forget_name(self)

    def _hear_all(self, heard: Iterable[tuple[str, str]]) -> None:
        for body, fault in heard:
            if self.closing:
                return
            self._hear(body, fault)
            self._rest()

    def _hear(self, body: str, fault: str) -> None:
        if not self._bucket.take(self.factory.clock.seconds()):
            fault = "too-fast"
        if fault:
            self._object(wire_events.reason(fault))
            return
        try:
            request = wire.parse(body, self._lines)
        except Malformed as problem:
            self._object(str(problem))
            return
        self._faults = 0
        self._act(request)

    def _object(self, why: str) -> None:
        self._say(f"INFO~{why}")
        self._faults += 1
        if self._faults >= MOST_FAULTS:
            self.dismiss("too-much-garbage")

    def _rest(self) -> None:
        """Let nobody be silent for too long who is in no game; there the game has its own clock."""
        self.bound_silence(IDLE_SECONDS if self._code is None else None)

    # -- what a client asks for -------------------------------------------------------

    def _act(self, request: wire.Request) -> None:
        match request:
            case wire.PlayTurn():
                self._play(request)
            case wire.SetName(name):
                self._rename(name)
            case wire.Create():
                self._create()
            case wire.Join(code, password):
                self._come_to(code, password, _JOIN)
            case wire.Spectate(code, password):
                self._come_to(code, password, _WATCH)
            case wire.Return(token):
                self._come_back(token)
            case wire.Help():
                self._say(*wire_events.HELP)
            case wire.Disconnect():
                self.host.leave(self)
                self.close()

    def _rename(self, wanted: str) -> None:
        if self._code is not None:
            self._say("INFO~You cannot change your name during a game")
            return
        self.name = self.factory.rename(self, wanted) if wanted else self.name
        self._say(wire_events.named(self.name))

    def _create(self) -> None:
        if self._is_busy():
            return
        try:
            code = self.factory.table_to_open(self.came_from).code
        except Refused as refusal:
            self._say(*wire_events.creation_refused(refusal.key))
            return
        self._sit(code, _CREATE)

    def _come_to(self, code: str, password: str, pending: str) -> None:
        """Take a seat at a table, or look on, if need be once it is known whether there is one of that code."""
        if self._is_busy():
            return
        seeking = self.host.seek(code)
        if seeking is None:
            self._enter(code, password, pending)
        else:
            self._set_out(code, pending)
            seeking.addBoth(self._sought, code, password, pending)

    def _sought(self, failure: Failure | None, code: str, password: str, pending: str) -> None:
        if (self._code, self._pending) != (code, pending) or self.closing:
            return
        if failure is None:
            self._code = self._pending = None
            self._enter(code, password, pending)
        else:
            self._fail_pending(cast(Refused, failure.value).key)

    def _enter(self, code: str, password: str, pending: str) -> None:
        if self.factory.find(code) is None:
            self._say(wire_events.NO_GAME)
        elif pending == _WATCH:
            self._set_out(code, pending)
            self.host.watch(self, code, pending, password, self.came_from)
        else:
            self._sit(code, pending, password)

    def _sit(self, code: str, pending: str, password: str = "") -> None:
        """Take a seat, under another name if somebody has come with this one by another door."""
        self._set_out(code, pending)
        self.host.sit(
            self,
            code,
            None,
            self.name,
            pending,
            keep=self._lines,
            password=password,
            otherwise=wire.names_like(self.name),
            by=self.came_from,
        )

    def _come_back(self, token: str) -> None:
        if not self._is_busy():
            self._set_out("", _RETURN)
            self.host.come_back(self, token, _RETURN)

    def _is_busy(self) -> bool:
        self._ended = None
        if self._code is not None:
            self._say(wire_events.busy(self._code))
        return self._code is not None

    def _set_out(self, code: str, pending: str) -> None:
        self._code, self._pending = code, pending

    def _play(self, turn: wire.PlayTurn) -> None:
        late = self._ended is not None and turn.code in (self._ended, None)
        if turn.code not in (self._code, None) or self._code is None:
            if not late:
                self._say("INFO~You are not in that game")
        elif self._pending is None and (self.place is None or self.place.player is None):
            self._say("INFO~You only look on at this game")
        else:
            self.host.submit(self, Bid(turn.card), _MOVE)

    # -- what the Host says -----------------------------------------------------------

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Say why something was refused, so that each client takes it as an answer to what it asked."""
        if refusal is None:
            return
        if tag is _MOVE:
            self._refuse_move(refusal)
        elif self._pending is not None:
            self._fail_pending(refusal.key)

    def _refuse_move(self, refusal: Refused) -> None:
        match refusal.key:
            case "no-such-card":
                self._say(wire_events.out_of_range(cast(int, refusal.facts["most"])))
            case "card-played":
                self._say(wire_events.NOT_YOURS)
            case "already-laid":
                self._say("INFO~You have chosen a card already; the first choice stands")
            case "no-game":
                self._say("INFO~The other player has not come yet")
            case key if key not in _TOO_LATE:
                self._say(f"INFO~{wire_events.reason(key)}")

    def _fail_pending(self, key: str) -> None:
        code, pending = self._code or "", self._pending
        self._code = self._pending = None
        if pending == _CREATE:
            self._say(*wire_events.creation_refused("table-full" if key in _NO_SEAT else key))
        elif pending == _JOIN and key in _NO_SEAT:
            self._say(wire_events.full(code))
        else:
            self._say(wire_events.join_refused(key))
        self._rest()

    def given(self, token: str) -> None:
        """Keep the token to be told behind the answer that is awaited."""
        self._token = token

    def shown(self, view: TableView) -> None:
        """Answer what was asked for, and show the game if there is one already."""
        pending, self._pending = self._pending, None
        self._code = view.code
        bodies = _ANSWERS[pending](view.code)
        if self._token is not None:
            bodies.append(f"TOKEN~{self._token}")
            self._token = None
        if isinstance(view.board, GopsView):
            bodies += [wire_events.STARTING] if pending == _JOIN else []
            bodies += wire_events.render_view(view.board, view.names, self.seat)
        elif pending != _CREATE:
            bodies.append("INFO~Waiting for the game to start")
        self._say(*bodies)
        if view.stage in (Stage.OVER, Stage.ABANDONED):
            self._end_game()

    def told(self, news: News) -> None:
        """Say what happened; with the end of its game a client is free again."""
        if self.factory.settings.frame_pause and not self._lines:
            self._say(*wire_events.render(news.events, news.names, self.seat))
        else:
            self.send(news.drawn(_RENDERERS[self._lines, self.seat]))
        if any(isinstance(event, GameOver | Abandoned) for event in news.events):
            self._end_game()

    def _end_game(self) -> None:
        self._ended, self._code = self._code, None
        self.host.leave(self)
        self._rest()

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused, or goes on; a stock client that waits for an answer has no ear for it."""
        if self._lines or (self._code is not None and self._pending is None):
            self._say("INFO~Play goes on" if trouble is None else "INFO~Play is paused")

    def parted(self, reason: str) -> None:
        """Say why the place at the table is no more."""
        if self._pending is not None:
            self._fail_pending(reason)
            return
        self._ended, self._code = self._code, None
        self._say(f"INFO~{wire_events.reason(reason)}", wire_events.END)
        if reason == "taken-over":
            self.close()
        self._rest()

    # -- bytes out --------------------------------------------------------------------

    def _say(self, *bodies: str) -> None:
        pause = self.factory.settings.frame_pause
        if self._lines or not pause:
            self.send((wire.lines if self._lines else wire.frames)(bodies))
            return
        for body in bodies:
            self.send_paced(wire.frame(body), pause)

    def farewell(self, reason: str) -> bytes:
        """Say why a connection ends."""
        return (wire.line if self._lines else wire.frame)(f"INFO~{wire_events.reason(reason)}")

    def gone(self, reason: Failure) -> None:
        """Give the seat up, or have it held, and let others have the name."""
        super().gone(reason)
        self.factory.forget_name(self)


_ANSWERS: dict[str | None, Callable[[str], list[str]]] = {
    _CREATE: wire_events.created,
    _JOIN: wire_events.joined,
    _WATCH: wire_events.watched,
    _RETURN: wire_events.returned,
    None: lambda code: [],
}
