"""One connection of the JSON door: one program, at one table at a time.

Every request is answered by exactly one reply with its id.  Replies come in the order of the requests, each
behind all that was told before it, and none before what it tells of is in the journal.  A request that takes
a while (a password, a way back) lets those after it wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, Protocol

import attrs
from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.table_view import Detail, TableView, Turn
from protocols.host.face import News
from protocols.host.people import Remark
from protocols.host.seated_link import SeatedDoor, SeatedLink
from protocols.i18n.game_text import GameText, find_text
from protocols.jsonlines import messages
from protocols.jsonlines.intake import Intake
from protocols.jsonlines.pending_reply import PendingReply
from protocols.jsonlines.requests import Id, Play, Unfit, read_request
from protocols.jsonlines.table_feed import TableFeed
from protocols.net.limits import TokenBucket
from protocols.net.line import BoundedLine

MOST_TOO_FAST = 200  # refused in a row, and the link is closed
_CATCH_UP = "catch-up"


class JsonDoor(SeatedDoor, Protocol):
    """What a program's connection needs of the door that let it in."""

    def budget(self) -> TokenBucket:
        """Give one program what it may ask for."""

    def count_opening(self, address: str) -> None:
        """Count a table that is opened from an address; raises Refused ``too-many-tables``."""

    def serve(self, face: JsonFace, id: Id, request: attrs.AttrsInstance) -> None:
        """Do what a program asks for; sooner or later it is answered, once."""


class JsonFace(SeatedLink, BoundedLine):
    """One program: its lines become requests, and all that it hears becomes lines."""

    max_length = 16 * 1024
    newline = b"\n"
    detail = Detail.MOVES
    screens = 1
    rate = burst = inf  # what is too fast is refused here, where it has an id
    factory: JsonDoor

    table: str | None = None  # the table opened, joined or watched last

    _budget: TokenBucket | None = None  # from the first request on
    _too_fast: int = 0
    _counting: bool = False  # a move that was sent with a count is not answered yet
    _next_move: tuple[Id, Play] | None = None  # the one behind it

    def __init__(self) -> None:
        self._intake = Intake(self)
        self._feed = TableFeed()

    @property
    def name(self) -> str:
        """What the program is called."""
        return self.host.people.name_of(self)

    # -- lines in ---------------------------------------------------------------------

    def line_received(self, line: str) -> None:
        """Answer a request, or let it wait for the one before it."""
        if line.strip() and not self._intake.holds(line):
            self._answer(line)

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
        if self._counting and isinstance(request, Play) and request.n is not None:
            self._next_move = id, request  # whether it was played already, the answer tells
            self.hold()
        else:
            self.factory.serve(self, id, request)

    def _slow_down(self, id: Id) -> None:
        self.settle(id, Refused("too-fast"))
        self._too_fast += 1
        if self._too_fast >= MOST_TOO_FAST:
            self.dismiss("too-fast")

    def line_refused(self, reason_key: str) -> None:
        """Answer a line that cannot be read; nobody knows its id."""
        self.send(messages.write_line_refused(reason_key))

    # -- what the handlers call -------------------------------------------------------

    def ask(self, pending: PendingReply) -> PendingReply:
        """Count a request that the Host will answer."""
        self._intake.ask()
        self._counting = self._counting or _counts(pending)
        return pending

    def settle(
        self, id: Id, refusal: Refused | Unfit | None = None, quits: bool = False, **facts: object
    ) -> None:
        """Reply to a request in its turn, behind all that was done before."""
        pending = PendingReply(id, facts, refusal, known=True, quits=quits)
        self.host.answer(self, self.ask(pending))

    def hold(self) -> None:
        """Let the requests that follow wait for this one."""
        self._intake.hold()

    def go_on(self) -> None:
        """Take up the requests that have waited."""
        for line in self._intake.release():
            self._answer(line)

    def leave_table(self) -> None:
        """Leave the table for good."""
        self.host.leave(self)
        self._forget_table()

    def _forget_table(self) -> None:
        self.table = None
        self._feed.leave()
        self._intake.pause(False)  # who is at no table is not told that play goes on

    # -- what the Host says -----------------------------------------------------------

    def answered(self, tag: Any, refusal: Refused | None) -> None:
        """Reply to a request."""
        if tag is _CATCH_UP:
            if refusal is not None:
                self._feed.give_up_view()
            return
        if tag is None:  # the house itself has seated it, and says so by the View that follows
            if refusal is None:
                self._come_to_table()
            return
        pending: PendingReply = tag
        self._intake.answered()
        outcome = pending.refusal if pending.known else refusal
        self._reply(pending, outcome)
        if pending.comes:
            self._arrive(pending, outcome is None)
        if pending.moves and outcome is None:
            self._say(self._feed.offer_again())
        if pending.quits:
            self._go()
        if _counts(pending):
            self._counted()
        self._intake.review()
        self._go_if_done()

    def _counted(self) -> None:
        """Take up the move that has waited for the answer to the one before it."""
        self._counting = False
        waiting, self._next_move = self._next_move, None
        if waiting is not None:
            self.factory.serve(self, *waiting)
            self.go_on()

    def _reply(self, pending: PendingReply, outcome: Refused | Unfit | None) -> None:
        if outcome is None:
            counted = {**self._count(pending), **self._seat_taken(pending)}
            self.send(messages.write_done(pending.id, {**pending.facts, **counted}))
        elif isinstance(outcome, Unfit):
            self.send(messages.write_unfit(outcome))
        else:
            self.send(messages.write_refused(pending.id, outcome, self._text, pending.played))

    def _seat_taken(self, pending: PendingReply) -> Mapping[str, int | None]:
        """Say which seat was taken, to a program that sits down."""
        return {"seat": self.seat} if pending.sits and self.place is not None else {}

    def _count(self, pending: PendingReply) -> Mapping[str, int]:
        """Say how many moves its seat has made, to a program that counts them or comes back."""
        if pending.played is not None:
            return {"played": pending.played + 1}
        player = None if self.place is None or not pending.returns else self.place.player
        return {} if player is None else {"played": player.played}

    @property
    def _text(self) -> GameText | None:
        """The words of the game at whose table the program is."""
        code = None if self.place is None else self.place.code
        if code is None or code not in self.host.hall:
            return None
        return find_text(self.host.hall.find(code).rules.kind)

    def _arrive(self, pending: PendingReply, welcome: bool) -> None:
        """Make ready for the View that follows, if there is to be one."""
        if welcome:
            self._come_to_table(pending.last)
            self.table = str(pending.facts["table"])
        self.go_on()

    def _come_to_table(self, last: int | None = None) -> None:
        self._forget_table()
        self._feed.come(last)

    def _say(self, said: bytes) -> None:
        if said:
            self.send(said)

    def given(self, token: str) -> None:
        """Hand over the token."""
        self.send(messages.write_token(token))

    def shown(self, view: TableView) -> None:
        """Show the table, unless one who comes back has missed nothing."""
        self.table = view.code
        self._say(self._feed.show(view))

    def told(self, news: News) -> None:
        """Tell what happened, each event with its number."""
        self._say(self._feed.tell(news))

    def turned(self, turn: Turn) -> None:
        """Tell whose decision is awaited, if that is news, and offer moves once for each decision."""
        self._say(self._feed.turn_to(turn))
        self._go_if_done()

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused, and read nothing meanwhile."""
        paused = trouble is not None
        self.send(messages.write_paused(paused))
        self._intake.pause(paused)

    def begins_no_more(self) -> None:
        """Say that the daemon is about to end; its seat is kept, so that it may choose when to come elsewhere."""
        self.send(messages.write_draining())

    def parted(self, reason: str) -> None:
        """Say that the place at the table is no more; who was taken over has nothing left to do here."""
        if reason == "taken-over":
            self.dismiss(reason)
            return
        self.send(messages.write_parted(reason, self._feed.code or self.table))
        self._forget_table()

    def heard(self, remark: Remark) -> None:
        """Hear what somebody said."""
        self.send(remark.drawn(messages.write_remark, lambda: messages.write_remark(remark)))

    # -- a program that does not read, and the end ------------------------------------

    def pauseProducing(self) -> None:
        """The program does not read."""
        super().pauseProducing()
        self._intake.fill(True)

    def resumeProducing(self) -> None:
        """The program has read all that the transport held."""
        super().resumeProducing()
        self._intake.fill(False)

    def overflowed(self) -> None:
        """Give a player the latest View instead of all that waits; part with anybody else."""
        if self.seat is None:
            self.dismiss("does-not-read")
            return
        kept = messages.without_passing(self._queue or ())
        if sum(map(len, kept)) > self.backlog // 2:
            self.abort()
            return
        self.forget_waiting()
        for each in kept:
            self.send(each)
        if self._feed.fall_behind():
            self.host.look(self, _CATCH_UP)

    def farewell(self, reason: str) -> bytes:
        """Say why the link is closed."""
        return messages.write_closed(reason)

    def input_ended(self) -> None:
        """Nothing more can come; what was asked is still answered."""
        super().input_ended()
        self._go_if_done()

    def _go_if_done(self) -> None:
        done = self._intake.idle and not self._feed.awaited
        if self.half_closed and done and not self.closing:
            self._go()

    def _go(self) -> None:
        self.host.drop(self)
        self.close()

    def gone(self, reason: Failure) -> None:
        """Give the seat up for now, and the name."""
        super().gone(reason)
        self.host.people.leave(self)


def _counts(pending: PendingReply) -> bool:
    return pending.moves and pending.played is not None
