"""One client of the Nim wire, from its hello to the last look at the final state.

Stock clients read their link by single reads, so two objects must never meet in one: to a client that
was never seen to end an object with a line end, objects go out a gap apart, or padded to the size of one
read (specification, section 2).  All others read lines, and need neither.
"""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Protocol, cast

from attrs import frozen
from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.games.nim import NOTHING, Faulted, NimOptions, NimView, PileSet, Taken
from gamecore.settings import setting
from gamecore.table_events import Abandoned
from gamecore.table_view import TableView
from protocols.host import table_actions
from protocols.host.face import Face, News
from protocols.host.seated_link import SeatedDoor, SeatedLink
from protocols.net.json_objects import ObjectStream
from protocols.net.link import PIECE
from protocols.net.pacing import PacedLink
from protocols.nim import wire

HELLO_SECONDS = 10.0
OBJECT_SECONDS = 10.0
LAST_LOOK_SECONDS = 30.0
AHEAD_SECONDS = 30.0  # for so long a move waits for its turn behind the end of the input
_NO_OBJECT = b""  # stands for bytes that are none
_MOVE = "move"
_TOO_LATE = ("game-over", "table-closed", "not-seated", "not-now")


@frozen
class NimDoorSettings:
    """How the door treats clients that do not read lines."""

    gap: float = setting(0.05, "seconds between two objects to a stock client", low=0, high=5)
    pad: bool = setting(False, "pad objects to a stock client instead of spacing them out")


class NimDoor(SeatedDoor, Protocol):
    """What a face needs of the door that let it in."""

    @property
    def settings(self) -> NimDoorSettings:
        """How clients are treated."""

    def seat(self, face: Face, hello: wire.Hello, by: str | None) -> None:
        """Find a newcomer from an address a seat; raises Refused."""


class Phase(Enum):
    """How far a client has come."""

    GREETING = "its hello is awaited"
    WAITING = "it has no game yet"
    PLAYING = "its game is on"
    OVER = "it was told how it ended"


GREETING, WAITING, PLAYING, OVER = Phase  # names that are found at once: a move looks at several


class EarlyObjects:
    """What a client sent before its time, as far as there is room for it."""

    __slots__ = ("_bytes", "_kept")

    def __init__(self) -> None:
        self._kept: deque[bytes] = deque()
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._kept)

    def keep(self, written: bytes) -> bool:
        """Keep one object for later; False if that is too much."""
        if written is _NO_OBJECT and self._kept and self._kept[-1] is _NO_OBJECT:
            return True  # however long garbage goes on, it takes no room
        self._kept.append(written)
        self._bytes += len(written)
        return self._bytes <= wire.LIMIT

    def next(self) -> bytes:
        """Take out the first."""
        written = self._kept.popleft()
        self._bytes -= len(written)
        return written

    def clear(self) -> None:
        """Let go of them all."""
        self._kept.clear()


class NimFace(SeatedLink, PacedLink):
    """One client of the Nim wire."""

    deadline = HELLO_SECONDS
    unfinished_seconds = OBJECT_SECONDS
    factory: NimDoor

    _phase: Phase = GREETING
    _token: str | None = None  # set for one who can come back
    _returned: bool = False
    _keeps_early: bool = False  # whether moves out of turn wait for it, rather than lose
    _my_turn: bool = False
    _paused: bool = False
    _seat: int | None = None  # in the game that is on

    def __init__(self) -> None:
        self._stream = ObjectStream(wire.LIMIT)
        self._early = EarlyObjects()
        self._asked = 0  # moves that were not answered yet

    # -- bytes in ---------------------------------------------------------------------

    def piece_end(self, data: bytes, start: int) -> int:
        """Cut behind each line, and behind all blanks that follow: they say nothing here."""
        return self._stream.blanks_end(data, super().piece_end(data, start), start + PIECE)

    def received(self, data: bytes) -> None:
        """Cut the bytes into objects and act on each in turn."""
        if self._phase is OVER:
            return
        stream = self._stream
        for written in stream.feed(data):
            self._take_in(written)
        if stream.broken is not None:
            self._take_in(_NO_OBJECT)
        self.await_rest(stream.unfinished and self._phase is not OVER and not self.closing)

    def never_ended(self) -> None:
        """Take an object that does not end for none."""
        self._take_in(_NO_OBJECT)

    def _take_in(self, written: bytes) -> None:
        if self._phase is OVER or self.closing:
            return
        if self._may_move():
            self._move(written)
        elif self._phase is GREETING:
            self._greet(written)
        elif not self._early.keep(written):
            self.host.leave(self, "disconnected")
            self._turn_down("input-too-long")

    def _greet(self, written: bytes) -> None:
        try:
            hello = wire.parse_hello(written)
        except Malformed as problem:
            person = not written.lstrip().startswith(b"{")
            self.dismiss(f"{problem}; say {wire.A_HELLO} first" if person else str(problem))
            return
        self._phase = WAITING
        self.settled()
        if isinstance(hello, wire.Resume):
            self._token, self._returned = hello.token, True
            self.host.come_back(self, hello.token)
            return
        seeking = None if hello.table is None else self.host.seek(hello.table)
        if seeking is None:
            self._be_seated(hello)
        else:  # another daemon of the house may have opened that table just now
            seeking.addBoth(self._sought, hello)

    def _sought(self, failure: Failure | None, hello: wire.Hello) -> None:
        if not self.connected or self.closing:
            return
        if failure is None:
            self._be_seated(hello)
        else:
            self._turn_down(cast(Refused, failure.value).key)

    def _be_seated(self, hello: wire.Hello) -> None:
        try:
            self.factory.seat(self, hello, self.came_from)
        except Refused as refusal:
            self._turn_down(refusal.key)

    def _move(self, written: bytes) -> None:
        if self._token is not None and self._was_played(written):
            return
        self._my_turn = False
        move = NOTHING if written is _NO_OBJECT else wire.parse_move(written)
        self._asked += 1
        self.host.submit(self, move, _MOVE)

    def _was_played(self, written: bytes) -> bool:
        """Say whether a move is not to be played, since it was already or cannot be yet: by its own count."""
        count = wire.read_count(written) if b'"n"' in written else None
        player = None if self.place is None else self.place.player
        if count is None or player is None:
            return False
        try:
            return table_actions.was_played(count, player.played)
        except Refused:
            self._say(self._padded(wire.render_wrong_count(player.played)))
            return True

    def _play_early(self) -> None:
        while self._early and self._may_move():
            self._move(self._early.next())
            self._bound_early()
        self._go_if_done()

    def _may_move(self) -> bool:
        """Say whether the next move is to be made: one that may say its count waits for the answer to the last."""
        counts = self._token is not None and self._asked > 0
        playing = self._phase is PLAYING and not counts
        return playing and (self._my_turn or not self._keeps_early)

    def input_ended(self) -> None:
        """Nothing more can come; what is in store is still played, and what was asked is answered."""
        self._bound_early()
        self._go_if_done()

    def _bound_early(self) -> None:
        """Let moves that were sent ahead wait only so long, once no more can come."""
        if self.half_closed and not self.closing and self._phase is not OVER:
            self._start_timer(AHEAD_SECONDS, self._give_up_early)

    def _give_up_early(self) -> None:
        if self._asked or self._paused:  # it is we who are late
            self._bound_early()
            return
        self.host.drop(self)
        self._turn_down("input-ended")

    def _go_if_done(self) -> None:
        """Go, once no bytes can come and none that came still wait for anything."""
        if self.half_closed and not (self._early or self._asked or self.closing):
            self.host.drop(self)
            self.when_out(self.close)

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Keep the token for the object that begins the game."""
        self._token = token

    def shown(self, view: TableView) -> None:
        """Begin the game if it stands ready, or go on with it after coming back.

        A second View, in the middle of a game, is more than this wire can say.
        """
        board = view.board
        if self._phase is PLAYING:
            self._say_closing("table-resting")
        elif self._phase is WAITING and isinstance(board, NimView):
            last = wire.render_view(board, view.names)
            start = self._start(board.options, board.mover, view.played, bool(last))
            self._say(self._padded(start))
            if last:
                self._say(self._padded(last))
            self._begin(board.options, board.mover)
            if view.stage is not Stage.PLAYING:
                self._end_game()

    def _start(
        self, options: NimOptions, mover: int | None, played: int, resumed: bool = False
    ) -> bytes:
        if self._token is None or self.place is None or self.place.player is None:
            return wire.render_start(options)
        told = played if self._returned else None
        seat = self.place.player.seat
        return wire.render_kept_start(options, self._token, seat, mover, told, resumed)

    def told(self, news: News) -> None:
        """Send what the events say, and keep track of the turn."""
        written = news.drawn(wire.render_padded if self._pads() else wire.render)
        if not written or self._phase is OVER:
            return
        if self._phase is WAITING:
            self._begin_by(news, written)
            return
        self._say(written)
        for event in news.events:
            if isinstance(event, Taken) and not event.won:
                if self._keeps_early:
                    self._pass_turn(1 - event.seat)
            elif isinstance(event, Taken | Faulted | Abandoned):
                self._end_game()

    def _begin_by(self, news: News, written: bytes) -> None:
        """Begin the game that the news is of; the table may also have been given up before it."""
        for event in news.events:
            if isinstance(event, Abandoned):
                self._turn_down(event.why)
                return
            if isinstance(event, PileSet):
                kept = self._token is not None
                self._say(self._padded(self._start(event.options, 0, 0)) if kept else written)
                self._begin(event.options, 0)

    def paused(self, trouble: str | None) -> None:
        """Read nothing while play is paused: this wire has no room to say so."""
        self._paused = trouble is not None
        self.read_while(not self._paused)

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Pass over a move too late for its game, or for one made elsewhere; anything else refused ends it."""
        if tag is _MOVE:
            self._asked -= 1
        if refusal is not None and refusal.key not in _TOO_LATE:
            self.parted(refusal.key)
        self._play_early()

    def parted(self, reason: str) -> None:
        """Say why the table is no more, and close."""
        if reason == "closing" and self._token is not None and self._phase is not OVER:
            self._say(self._padded(wire.render_pause(reason)))
            self._end_game()
        else:
            self._turn_down(reason)

    def _begin(self, options: NimOptions, mover: int | None) -> None:
        self._phase = PLAYING
        self._keeps_early = options.early_moves == "keep"
        self._seat = self.seat
        self._pass_turn(mover)

    def _pass_turn(self, mover: int | None) -> None:
        self._my_turn = mover is not None and mover == self._seat
        if self._early or self.half_closed:
            self._play_early()

    # -- bytes out --------------------------------------------------------------------

    def _say(self, written: bytes) -> None:
        """Send one object, for a stock client not too soon after the one before it, nor together with it."""
        if self._pacer is None and self._stream.lines:
            self.send(written)
        elif self._pacer is None and self.factory.settings.pad:
            self.send_alone(written)
        else:
            self.send_paced(written, self.factory.settings.gap)

    def _end_game(self) -> None:
        """Stop listening; close once the final state is out and has been looked at."""
        self._phase = OVER
        self._early.clear()
        self.when_out(self._part_soon)

    def _part_soon(self) -> None:
        if self._stream.lines or self.half_closed:
            self.close()
        elif not self.closing:
            self._start_timer(LAST_LOOK_SECONDS, self.close)

    def _turn_down(self, reason: str) -> None:
        """Refuse or end in the one way that a stock client understands: a start, then a final state."""
        if self._phase is OVER:
            return
        if self._phase is not PLAYING:
            self._say(self._padded(wire.render_no_start()))
        self._say_closing(reason)

    def _say_closing(self, reason: str) -> None:
        self._say(self._padded(wire.render_closing(reason, ())))
        self._end_game()

    def _padded(self, written: bytes) -> bytes:
        return wire.pad(written) if self._pads() else written

    def _pads(self) -> bool:
        return self.factory.settings.pad and not self._stream.lines

    def farewell(self, reason: str) -> bytes:
        """Say why in one object, to those who were not told so in a final state."""
        if self._phase is OVER:
            return b""
        goes_on = reason == "closing" and self._token is not None
        return (wire.render_pause if goes_on else wire.render_refusal)(reason)

    def gone(self, reason: Failure) -> None:
        """Take in nothing more, and give the seat up."""
        self._phase = OVER
        super().gone(reason)
