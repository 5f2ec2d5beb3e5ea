"""The door of JSON lines: one connection is one program, at one table at a time.

Every request is answered by exactly one reply with its id.  Replies come in the order of the requests, each
behind all that was told before it, and none before what it tells of is in the journal.  A request that takes
a while (a password, a way back) lets those after it wait.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import Any, cast

from attrs import frozen
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.settings import setting
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.door import Door, DoorFactory, TableDefaults
from protocols.host.face import Host, News, Place
from protocols.host.people import Remark
from protocols.i18n.translate import N_
from protocols.jsonlines import messages
from protocols.jsonlines.handlers import serve, text_of
from protocols.jsonlines.requests import Asked, Id, Unfit, read_request
from protocols.net.limits import AddressBuckets, TokenBucket, counted_as
from protocols.net.line import BoundedLine

MOST_ASKED = 64  # no more is read while so many requests wait for their replies
MOST_TOO_FAST = 200  # refused in a row, and the link is closed
_ADDRESSES_REMEMBERED = 4096
_CATCH_UP = "catch-up"


@frozen
class JsonDoorSettings:
    """How much one program, and one address, may ask for."""

    requests_a_second: float = setting(500.0, "requests a program may make each second", low=1)
    requests_at_once: int = setting(1000, "requests a program may make at once", low=10)
    tables_a_minute: float = setting(60.0, "tables that may be opened from one address", low=0.1)
    tables_at_once: int = setting(200, "tables that may be opened from there at once", low=1)


class JsonFace(BoundedLine):
    """One program: its lines become requests, and all that it hears becomes lines."""

    max_length = 16 * 1024
    newline = b"\n"
    detail = Detail.MOVES
    rate = burst = inf  # what is too fast is refused here, where it has an id
    factory: JsonFactory

    place: Place | None = None
    table: str | None = None  # the table opened, joined or watched last
    _at: str = ""  # the table that was shown last: what is told is told of it

    _budget: TokenBucket | None = None
    _too_fast: int = 0
    _asked: int = 0
    _held: deque[str] | None = None  # lines that wait for a request that takes a while
    _expecting: bool = False  # a View is on its way
    _seen: int | None = None  # the last event that one who comes back has seen
    _told: int = 0
    _turn: Turn | None = None  # the last one, told or passed over
    _again: bool = False  # its moves were not offered with it: they had been offered before
    _behind: bool = False  # what was told last was forgotten, and a View will make it good
    _stands: bool = False  # play is paused
    _full: bool = False  # the program does not read
    _reads: bool = True

    @property
    def host(self) -> Host:
        """Whom to ask."""
        return self.factory.host

    @property
    def name(self) -> str:
        """What the program is called."""
        return self.host.people.name_of(self)

    # -- lines in ---------------------------------------------------------------------

    def line_received(self, line: str) -> None:
        """Answer a request, or let it wait for the one before it."""
        if not line.strip():
            return
        if self._held is None:
            self._answer(line)
        else:
            self._held.append(line)

    def _answer(self, line: str) -> None:
        if self._budget is None:
            self.host.people.enter(self)
            self._budget = self.factory.budget()
        affordable = self._budget.take(self.factory.clock.seconds())
        try:
            id, request = read_request(line)
        except Unfit as problem:
            self.settle(problem.id, problem)
            return
        if not affordable:
            self._slow_down(id)
            return
        self._too_fast = 0
        self.settled()
        serve(self, id, request)

    def _slow_down(self, id: Id) -> None:
        self.settle(id, Refused("too-fast"))
        self._too_fast += 1
        if self._too_fast >= MOST_TOO_FAST:
            self.dismiss("too-fast")

    def line_refused(self, reason_key: str) -> None:
        """Answer a line that cannot be read; nobody knows its id."""
        self.send(messages.write_line_refused(reason_key))

    # -- what the handlers call ----------------------------------------------------------

    def ask(self, asked: Asked) -> Asked:
        """Count a request that the Host will answer."""
        self._asked += 1
        self._mind_reading()
        return asked

    def settle(
        self, id: Id, refusal: Refused | Unfit | None = None, quits: bool = False, **facts: object
    ) -> None:
        """Reply to a request in its turn, behind all that was done before."""
        asked = Asked(id, facts, refusal, known=True, quits=quits)
        self.host.answer(self, self.ask(asked))

    def hold(self) -> None:
        """Let the requests that follow wait for this one."""
        self._held = deque()
        self._mind_reading()

    def go_on(self) -> None:
        """Take up the requests that have waited."""
        held, self._held = self._held, None
        while held and self._held is None and not self.closing:
            self._answer(held.popleft())
        if held and self._held is not None:
            self._held.extend(held)
        self._mind_reading()

    def leave_table(self) -> None:
        """Leave the table for good."""
        self.host.leave(self)
        self._forget_table()
        self._mind_reading()

    def _forget_table(self) -> None:
        self.table = self._seen = self._turn = None
        self._expecting = self._behind = self._again = False
        self._stands = False  # who is at no table is not told that play goes on

    # -- what the Host says -----------------------------------------------------------

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Reply to a request."""
        if tag is _CATCH_UP:
            self._behind = self._behind and refusal is None
            return
        self._asked -= 1
        asked: Asked = tag
        outcome = asked.refusal if asked.known else refusal
        self._reply(asked, outcome)
        if asked.coming:
            self._arrive(asked, outcome is None)
        if asked.moves and outcome is None and self._again and self._turn is not None:
            self._again = False
            self._say_turn(self._turn)
        if asked.quits:
            self._go()
        self._mind_reading()
        self._go_if_done()

    def _reply(self, asked: Asked, outcome: Refused | Unfit | None) -> None:
        if outcome is None:
            self.send(messages.write_done(asked.id, asked.facts))
        elif isinstance(outcome, Unfit):
            self.send(messages.write_unfit(outcome))
        else:
            self.send(messages.write_refused(asked.id, outcome, text_of(self)))

    def _arrive(self, asked: Asked, welcome: bool) -> None:
        """Make ready for the View that follows, if there is to be one."""
        if welcome:
            self._forget_table()
            self.table, self._seen = str(asked.facts["table"]), asked.last
            self._expecting = True
        self.go_on()

    def given(self, token: str) -> None:
        """Hand over the token."""
        self.send(messages.write_token(token))

    def shown(self, view: TableView) -> None:
        """Show the table, unless one who comes back has missed nothing."""
        seen, self._seen = self._seen, None
        self.table, self._at, self._told = view.code, view.code, view.told
        if seen != view.told:
            self.send(messages.write_view(view))
        if self._behind:
            self._behind = False
            if self._turn is not None:
                self._say_turn(self._turn)

    def told(self, news: News) -> None:
        """Tell what happened, each event with its number."""
        if not self._behind:
            rendered = news.drawn(messages.render_events)
            self.send(messages.numbered(rendered, self._at, self._told))
        self._told += len(news.events)

    def turned(self, turn: Turn) -> None:
        """Tell whose decision is awaited, if that is news, and offer moves once for each decision."""
        self._expecting = False
        before, self._turn = self._turn, turn
        offered = before is not None and bool(turn.moves) and turn.moves == before.moves
        self._again = offered
        if before is None or turn.moves != before.moves or not _is_same(turn, before):
            self._say_turn(turn, offers=not offered)
        self._go_if_done()

    def _say_turn(self, turn: Turn, offers: bool = True) -> None:
        if not self._behind:
            self.send(messages.write_turn(turn, self._at, offers))

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused, and read nothing meanwhile."""
        self._stands = trouble is not None
        self.send(messages.write_paused(self._stands))
        self._mind_reading()

    def parted(self, reason: str) -> None:
        """Say that the place at the table is no more; who was taken over has nothing left to do here."""
        if reason == "taken-over":
            self.dismiss(reason)
            return
        self.send(messages.write_parted(reason, self._at or self.table))
        self._forget_table()
        self._mind_reading()

    def heard(self, remark: Remark) -> None:
        """Hear what somebody said."""
        self.send(messages.write_remark(remark))

    # -- a program that does not read, and the end ------------------------------------

    def _mind_reading(self) -> None:
        """Read, or leave alone what the program sends, as all that is under way allows."""
        busy = self._full or self._stands or self._held is not None
        reads = not busy and self._asked < MOST_ASKED
        if reads != self._reads and not (self.half_closed or self.closing):
            self._reads = reads
            (self.go_on_reading if reads else self.stop_reading)()

    def pauseProducing(self) -> None:
        """The program does not read: it is not heard either, so that nobody owes it ever more replies."""
        super().pauseProducing()
        self._full = True
        self._mind_reading()

    def resumeProducing(self) -> None:
        """The program has read all that the transport held."""
        super().resumeProducing()
        self._full = False
        self._mind_reading()

    def overflowed(self) -> None:
        """Give a player the latest View instead of all that waits; part with anybody else."""
        if self.place is None or self.place.player is None:
            self.dismiss("does-not-read")
            return
        kept = messages.without_passing(self._queue or ())
        if sum(map(len, kept)) > self.backlog // 2:
            self.abort()
            return
        self.forget_waiting()
        for each in kept:
            self.send(each)
        if not self._behind:
            self._behind = True
            self.host.look(self, _CATCH_UP)

    def farewell(self, reason: str) -> bytes:
        """Say why the link is closed."""
        return messages.write_closed(reason)

    def input_ended(self) -> None:
        """Nothing more can come; what was asked is still answered."""
        self._go_if_done()

    def _go_if_done(self) -> None:
        waits = self._asked or self._held is not None or self._expecting
        if self.half_closed and not (waits or self.closing):
            self._go()

    def _go(self) -> None:
        self.host.drop(self)
        self.close()

    def gone(self, reason: Failure) -> None:
        """Give the seat up for now, and the name."""
        self.host.drop(self)
        self.host.people.leave(self)


def _is_same(turn: Turn, other: Turn) -> bool:
    return (turn.to_move, turn.due) == (other.to_move, other.due)


class JsonFactory(DoorFactory):
    """The door itself, and what may be asked for at it."""

    protocol = JsonFace  # type: ignore[assignment]  # see LinkFactory

    def __init__(self, host: Host, defaults: TableDefaults) -> None:
        super().__init__(host, DOOR, defaults)
        self.settings = cast(JsonDoorSettings, defaults.door)
        rate, burst = self.settings.tables_a_minute / 60, self.settings.tables_at_once
        self._openings = AddressBuckets(rate, burst, _ADDRESSES_REMEMBERED)

    def budget(self) -> TokenBucket:
        """Give one program what it may ask for."""
        return TokenBucket(self.settings.requests_a_second, self.settings.requests_at_once)

    def count_opening(self, face: JsonFace) -> None:
        """Count a table that is opened from an address; raises Refused ``too-many-tables``."""
        address = counted_as(face.came_from or "")
        if not self._openings.take(address, self.clock.seconds()):
            raise Refused("too-many-tables")


DOOR = Door(
    "json",
    "JSON lines",
    "tcp:4243",
    JsonDoorSettings,
    JsonFactory,
    purpose=N_("programs: JSON lines, every game"),
)
