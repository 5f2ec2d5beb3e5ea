"""The door of Expanding Nim: connections become faces, faces meet in pairs.

Stock clients read their link by single reads, so two objects must never meet in one: to a client that
was never seen to end an object with a line end, objects go out a gap apart, or padded to the size of one
read (specification, section 2).  All others read lines, and need neither.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import cast

from attrs import frozen
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.game import Stage
from gamecore.games.nim import NOTHING, RULES, Faulted, NimOptions, NimView, PileSet, Taken
from gamecore.settings import setting
from gamecore.table import Table
from gamecore.table_events import Abandoned
from gamecore.table_view import TableView
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host, News, Place
from protocols.net.json_objects import ObjectStream
from protocols.net.link import Link
from protocols.net.pacing import Spacing
from protocols.nim import wire

HELLO_SECONDS = 10.0
OBJECT_SECONDS = 10.0
LAST_LOOK_SECONDS = 30.0
_MISSING = b""  # stands for bytes that are no object
_MOVE = "move"


@frozen
class NimDoorSettings:
    """How the door treats clients that do not read lines."""

    gap: float = setting(0.05, "seconds between two objects to a stock client", low=0, high=5)
    pad: bool = setting(False, "pad objects to a stock client instead of spacing them out")


class NimFace(Link):
    """One client of the Nim wire, from its hello to the last look at the final state."""

    deadline = HELLO_SECONDS
    factory: NimFactory
    place: Place | None = None

    _hello: wire.Hello | wire.Resume | None = None
    _token: str | None = None  # set for one who can come back
    _playing: bool = False
    _finished: bool = False
    _my_turn: bool = False
    _keeps_early: bool = False
    _patience: IDelayedCall | None = None
    _spacing: Spacing | None = None

    def __init__(self) -> None:
        self._stream = ObjectStream(wire.LIMIT)
        self._kept: deque[bytes] = deque()  # objects that came before their time
        self._kept_bytes = 0
        self._asked = 0  # moves that were not answered yet

    # -- bytes in ---------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Cut the bytes into objects and act on each in turn."""
        if self._finished:
            return
        for written in self._stream.feed(data):
            self._take_in(written)
        if self._stream.broken is not None and not self._finished:
            self._take_in(_MISSING)
        self._time_unfinished()

    def _time_unfinished(self) -> None:
        """Give an object that has begun some seconds to end."""
        waits = self._stream.unfinished and not self._finished
        if waits and self._patience is None:
            self._patience = self.factory.clock.callLater(OBJECT_SECONDS, self._lose_patience)
        elif not waits and self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _lose_patience(self) -> None:
        self._patience = None
        self._take_in(_MISSING)

    def _take_in(self, written: bytes) -> None:
        if self._finished:
            return
        if self._hello is None:
            self._greet(written)
        elif self._playing and (self._my_turn or not self._keeps_early):
            self._move(written)
        else:
            self._keep_for_later(written)

    def _greet(self, written: bytes) -> None:
        try:
            hello = wire.parse_hello(written)
        except Malformed as problem:
            self._finished = True
            self.dismiss(str(problem))
            return
        self._hello = hello
        self.settled()
        if isinstance(hello, wire.Resume):
            self._token = hello.token
            self.factory.host.come_back(self, hello.token)
            return
        try:
            self.factory.seat(self, hello)
        except Refused as refusal:
            self._turn_down(refusal.key)

    def _keep_for_later(self, written: bytes) -> None:
        if written is _MISSING and self._kept and self._kept[-1] is _MISSING:
            return  # however long garbage goes on, it takes no room
        self._kept.append(written)
        self._kept_bytes += len(written)
        if self._kept_bytes > wire.LIMIT:
            self.factory.host.leave(self, "disconnected")
            self._turn_down("input-too-long")

    def _move(self, written: bytes) -> None:
        self._my_turn = False
        move = NOTHING if written is _MISSING else wire.parse_move(written)
        self._asked += 1
        self.factory.host.submit(self, move, _MOVE)

    def _play_kept(self) -> None:
        while self._kept and not self._finished and (self._my_turn or not self._keeps_early):
            written = self._kept.popleft()
            self._kept_bytes -= len(written)
            self._move(written)
        self._go_if_done()

    def input_ended(self) -> None:
        """Nothing more can come; what is in store is still played, and what was asked is answered."""
        self._stop_timer()
        self._go_if_done()

    def _go_if_done(self) -> None:
        """Go, once no bytes can come and none that came still wait for anything."""
        if self.half_closed and not (self._kept or self._asked or self.closing):
            self.factory.host.drop(self)
            self._when_out(self.close)

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Keep the token for the object that begins the game."""
        self._token = token

    def shown(self, view: TableView) -> None:
        """Begin the game if it stands ready, or go on with it after coming back.

        A second View, in the middle of a game, is more than this wire can say.
        """
        board = view.board
        if self._playing:
            self._say_closing("table-resting")
        elif isinstance(board, NimView):
            last = wire.render_view(board, view.names)
            self._say(self._padded(self._start(board.options, board.mover, bool(last))))
            if last:
                self._say(self._padded(last))
            self._begin(board.options.early_moves == "keep", board.mover)
            if view.stage is not Stage.PLAYING:
                self._end_game()

    def _start(self, options: NimOptions, mover: int | None, resumed: bool = False) -> bytes:
        if self._token is None or self.place is None or self.place.player is None:
            return wire.render_start(options)
        seat = self.place.player.seat
        return wire.render_kept_start(options, self._token, seat, mover, resumed)

    def told(self, news: News) -> None:
        """Send what the events say, and keep track of the turn."""
        written = news.drawn(wire.render_padded if self._pads() else wire.render)
        if not written or self._finished:
            return
        if not self._playing and (closed := _closing(news)):
            self._turn_down(closed.why)
            return
        if self._token is not None and not self._playing:
            written = self._kept_start(news) or written
        self._say(written)
        for event in news.events:
            kind = type(event)
            if kind is Taken and not cast(Taken, event).won:
                if self._keeps_early:
                    self._pass_turn(1 - cast(Taken, event).seat)
            elif kind is PileSet:
                self._begin(cast(PileSet, event).options.early_moves == "keep", 0)
            elif kind in (Taken, Faulted, Abandoned):
                self._end_game()

    def _kept_start(self, news: News) -> bytes:
        options = [event.options for event in news.events if isinstance(event, PileSet)]
        return self._padded(self._start(options[0], 0)) if options else b""

    def paused(self, trouble: str | None) -> None:
        """Read nothing while play is paused: this wire has no room to say so."""
        if trouble is not None:
            self.stop_reading()
        else:
            self.go_on_reading()

    def answered(self, tag: object, refusal: Refused | None) -> None:
        """Pass over a move too late for a game that is over; anything else that is refused ends it."""
        if tag is _MOVE:
            self._asked -= 1
        if refusal is not None and refusal.key not in ("game-over", "table-closed", "not-seated"):
            self.parted(refusal.key)
        self._go_if_done()

    def parted(self, reason: str) -> None:
        """Say why the table is no more, and close."""
        if reason == "closing" and self._token is not None and not self._finished:
            self._say(self._padded(wire.render_pause(reason)))
            self._end_game()
        else:
            self._turn_down(reason)

    def _begin(self, keeps_early: bool, mover: int | None) -> None:
        self._playing = True
        self._keeps_early = keeps_early
        self._pass_turn(mover)

    def _pass_turn(self, mover: int | None) -> None:
        self._my_turn = (
            self.place is not None
            and self.place.player is not None
            and (self.place.player.seat == mover)
        )
        if self._kept or self.half_closed:
            self._play_kept()

    # -- bytes out --------------------------------------------------------------------

    def _say(self, written: bytes) -> None:
        """Send one object, for a stock client not too soon after the one before it."""
        if self._spacing is None:
            if self._stream.lines or self.factory.settings.pad:
                self.send(written)
                return
            self._spacing = Spacing(self.factory.clock, self.factory.settings.gap, self.send)
        self._spacing.send(written)

    def _end_game(self) -> None:
        """Stop listening; close once the final state is out and has been looked at."""
        self._finished = True
        self._kept.clear()
        self._when_out(self._part_soon)

    def _when_out(self, then: Callable[[], None]) -> None:
        """Do something once all that was said is on its way."""
        if self._spacing is None:
            then()
        else:
            self._spacing.when_out(then)

    def _part_soon(self) -> None:
        if self._stream.lines or self.half_closed:
            self.close()
        elif not self.closing:
            self._start_timer(LAST_LOOK_SECONDS, self.close)

    def _turn_down(self, reason: str) -> None:
        """Refuse or end in the one way that a stock client understands: a start, then a final state."""
        if self._finished:
            return
        if not self._playing:
            self._say(self._padded(wire.render_no_start()))
        self._say_closing(reason)

    def _say_closing(self, reason: str) -> None:
        self._say(self._padded(wire.render_closing(reason, ())))
        self._end_game()

    def _padded(self, written: bytes) -> bytes:
        return wire.pad(written) if self._pads() else written

    def _pads(self) -> bool:
        return self.factory.settings.pad and not self._stream.lines

    def dismiss(self, reason: str) -> None:
        """Say why and close, behind all that still waits for its gap."""
        if self._spacing is None:
            super().dismiss(reason)
        else:
            self._spacing.when_out(lambda: super(NimFace, self).dismiss(reason))

    def farewell(self, reason: str) -> bytes:
        """Say why in one object, to those who were not told so in a final state."""
        if self._finished and self._hello is not None:
            return b""
        goes_on = reason == "closing" and self._token is not None
        return (wire.render_pause if goes_on else wire.render_refusal)(reason)

    def gone(self, reason: Failure) -> None:
        """Give the seat up, and forget every timer."""
        self._finished = True
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        if self._spacing is not None:
            self._spacing.stop()
        self.factory.host.drop(self)
        if isinstance(self._hello, wire.Hello):
            self.factory.forget_meeting(self._hello)


def _closing(news: News) -> Abandoned | None:
    return next((event for event in news.events if isinstance(event, Abandoned)), None)


class NimFactory(DoorFactory):
    """The door itself: finds each newcomer a table."""

    protocol = NimFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(NimDoorSettings, defaults.door)
        self._meetings: dict[str, str] = {}  # the codes of tables opened to meet at, by name

    def seat(self, face: NimFace, hello: wire.Hello) -> None:
        """Seat a newcomer at the table it names, else with the one who has waited longest.

        Raises Refused: ``seat-taken``, ``hall-full``, ``closing``.
        """
        table = self._find_table(hello)
        name = hello.name
        if table.has_name(name):
            stem = wire.fit_name(name, wire.NAME_LIMIT - len(" (2)"))
            name = next(each for each in (f"{stem} (2)", f"{stem} (3)") if not table.has_name(each))
        self.host.sit(face, table, hello.order, name, keep=hello.resume)

    def _find_table(self, hello: wire.Hello) -> Table:
        table = self.only or self._choose_table(hello)
        if hello.order not in table.free_seats():
            raise Refused("seat-taken")
        return table

    def _choose_table(self, hello: wire.Hello) -> Table:
        if hello.table is None:
            waiting = self.host.hall.with_free_seat(RULES.kind, hello.order)
            return waiting or self.open_table("", private=False)
        table = self._meeting(hello.table)
        if table is None:
            table = self.open_table(hello.table, private=True)
            self._meetings[hello.table] = table.code
        return table

    def _meeting(self, name: str) -> Table | None:
        """Find a table by the name of a meeting, or by its own code."""
        hall = self.host.hall
        for code in (self._meetings.get(name, ""), name.upper()):
            if code in hall:
                table = hall.find(code)
                if table.rules.kind == RULES.kind and table.joinable:
                    return table
        return None

    def forget_meeting(self, hello: wire.Hello) -> None:
        """Let go of the name of a meeting once its table no longer gathers."""
        if hello.table is not None and self._meeting(hello.table) is None:
            self._meetings.pop(hello.table, None)

    def open_table(self, name: str, private: bool) -> Table:
        """Open a table that begins when both have come; raises Refused.

        What the gap makes late is credited to each think, whoever sits there.
        """
        lag = 0.0 if self.settings.pad else self.settings.gap
        options = {**self.defaults.options, "lag": lag}
        house = {**self.defaults.house, "private": private, "start": "full"}
        return self.host.open(RULES.kind, name, options, house)


DOOR = Door(RULES.kind, RULES.title, "tcp:9000", NimDoorSettings, NimFactory)
