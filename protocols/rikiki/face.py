"""One client of the Rikiki wire, from its greeting to its goodbye: what it says, and what it is told.

Each command is answered in its turn; what happens at the table is told as lines, behind the answer to the command
that made it happen.  What each command does is the door's affair (``commands``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, cast

from twisted.python.failure import Failure

from gamecore.errors import Malformed, Refused
from gamecore.events import Event, RoundBegan
from gamecore.game import Stage
from gamecore.games.rikiki import (
    Asked,
    Bid,
    CardPlayed,
    CardsChosen,
    Dealt,
    PlayCard,
    RikikiView,
    RoundScored,
)
from gamecore.rules import Move, NextRound, View
from gamecore.settings import Value
from gamecore.table_events import Abandoned, GameBegan, GameOver, Gathered, Left
from gamecore.table_view import TableView
from protocols.host.card import Card
from protocols.host.face import News
from protocols.host.seated_link import SeatedDoor, SeatedLink, show_anew
from protocols.i18n.describe import tell
from protocols.i18n.refusals import ABOUT_TO_END, explain, explain_reason
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import ENGLISH, N_, Translator
from protocols.net.limits import TokenBucket
from protocols.net.line import BoundedLine
from protocols.rikiki import snapshot, wire
from protocols.rikiki.reply_queue import ReplyQueue
from protocols.rikiki.text import TEXT
from protocols.rikiki.wire import Request

MOST_WAITING = 64  # lines, until it is known whether the one before them led to a table
_NO_BOARD = View()
_REFUSALS = {  # what others call otherwise
    "agreed-already": "wrong-state",
    "game-began": "wrong-state",
    "game-not-over": "wrong-state",
    "game-over": "wrong-state",
    "line-too-long": "too-long",
    "name-in-brackets": "name-bad",
    "name-too-long": "name-bad",
    "no-game": "wrong-state",
    "no-name": "name-bad",
    "no-such-seat": "full",
    "no-such-setting": "usage",
    "not-at-a-table": "not-seated",
    "not-now": "wrong-state",
    "nothing-said": "usage",
    "seat-taken": "full",
    "setting-not-a-choice": "usage",
    "setting-not-a-number": "usage",
    "setting-not-yes-or-no": "usage",
    "setting-out-of-bounds": "usage",
    "table-full": "full",
    "too-few-players": "too-few",
    "unknown-token": "bad-token",
    "lost-by-absence": "bad-token",
}
_GREETING = N_("This is Rikiki. NAME yourself, then NEW or TABLES and JOIN; HELP says more.")
_ARRIVALS = ("NEW", "JOIN", "INVITE", "REJOIN", "WATCH")
_STAGES: Mapping[type[Event], Stage] = {
    GameBegan: Stage.PLAYING,
    GameOver: Stage.OVER,
    Gathered: Stage.GATHERING,
    Abandoned: Stage.ABANDONED,
}


class RikikiDoor(SeatedDoor, Protocol):
    """What a face, and what it says, needs of the door that let it in."""

    def perform(self, face: RikikiFace, request: Request) -> None:
        """Do what a command says; raises Malformed or Refused where it is answered with an error at once."""

    def take_name(self, face: RikikiFace, name: str) -> None:
        """Call a face so, and not as before; raises Refused ``name-taken``."""

    def release_name(self, face: RikikiFace) -> None:
        """Let others be called what a face was called."""

    def list_tables(self) -> Iterable[Card]:
        """List the tables that can be joined."""

    def find(self, code: str) -> Card:
        """Find a table of Rikiki, whichever door it was opened at; raises Refused ``no-such-table``."""

    def open(
        self, options: Mapping[str, Value], house: Mapping[str, Value], by: str | None
    ) -> tuple[Card, str]:
        """Open a table that begins when its owner says so; gives it and the owner's token.

        Raises Refused as ``Host.open``.
        """

    def at(self, code: str) -> Sequence[RikikiFace]:
        """List everybody here who is at a table."""


class RikikiFace(SeatedLink, BoundedLine):
    """One client of the wire."""

    max_length = wire.LIMIT
    factory: RikikiDoor

    name: str = ""
    for_people: bool = True
    say: Translator = ENGLISH
    came_by: str = ""  # the command that brings it to a table whose View is on its way
    stage: Stage = Stage.GATHERING  # of its table
    quitting: bool = False
    _heard: int = 0  # how many events of its stream were told
    _view: TableView | None = None
    _late: bool = False  # whether NEXT now would only be late

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()  # behind what leads to a table
        self._acting = False
        self.replies = ReplyQueue(self._send_replies)
        self.owner_tokens: dict[str, str] = {}  # of the tables it has opened, by their codes
        self.remarks = TokenBucket(1.0, 8.0)

    def connectionMade(self) -> None:
        """Greet."""
        super().connectionMade()
        self.send_lines([wire.WELCOME, *self.to_people(self.say(_GREETING))])

    # -- commands and their answers ---------------------------------------------------

    def line_received(self, line: str) -> None:
        """Act on a line, or keep it until it is known whether the command before it leads to a table."""
        if line.strip():
            self._wait_for(partial(self._act_on, line))

    def _wait_for(self, act: Callable[[], None]) -> None:
        """Do something in its turn."""
        if len(self._waiting) >= MOST_WAITING:
            self.dismiss("too-fast")
            return
        self._waiting.append(act)
        self._go_on()

    def _go_on(self) -> None:
        while self._waiting and not (
            self._acting or self.quitting or self.replies.awaits(_ARRIVALS)
        ):
            self._acting = True
            try:
                self._waiting.popleft()()
            finally:
                self._acting = False

    def _act_on(self, line: str) -> None:
        try:
            request = wire.parse(line)
        except Malformed as problem:
            request = Request("")
            self.replies.expect(request)
            self._fail(request, str(problem))
            return
        self.replies.expect(request)
        try:
            self.factory.perform(self, request)
        except Malformed as problem:
            self._fail(request, str(problem))
        except Refused as refusal:
            self._turn_down(request, refusal)

    def line_refused(self, reason_key: str) -> None:
        """Say why a line was not even read."""
        self._wait_for(partial(self._refuse_line, reason_key))

    def _refuse_line(self, reason_key: str) -> None:
        request = Request("")
        self.replies.expect(request)
        key = _REFUSALS.get(reason_key, reason_key)
        self._fail(request, f"{key} {explain_reason(reason_key, self.say)}")

    def _send_replies(self, lines: Iterable[str]) -> None:
        self.send_lines(lines)
        if self.quitting and self.replies.oldest is None:
            self.close()
        self._go_on()

    def done(self, request: Request, *before: str) -> None:
        """Answer that a command is done, behind other lines."""
        self.replies.settle(request, [*before, request.ok()])

    def _fail(self, request: Request, why: str) -> None:
        self.replies.settle(request, [f"ERR {why}"])

    def _turn_down(self, request: Request, refusal: Refused) -> None:
        key = _REFUSALS.get(refusal.key, refusal.key)
        self._fail(request, f"{key} {explain(refusal, TEXT, self.say, coded=True)}")

    def failed(self, failure: Failure, request: Request) -> None:
        """Answer why what was asked for could not be done; a failure of ours is none of the client's."""
        failure.trap(Refused)
        self._turn_down(request, cast(Refused, failure.value))

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Answer whoever has joined with the token that brings them back."""
        request = self.replies.oldest
        if request is not None and request.verb in ("JOIN", "INVITE"):
            seat = self.seat if request.seat is None else request.seat
            place = [] if seat is None else [seat + 1]
            self.replies.settle(request, [request.ok(*request.words, *place, token)])
            self.settled()

    def shown(self, view: TableView) -> None:
        """Say how the table stands to one who comes to it, or keep it for what was asked."""
        self._view, self.stage, self._heard = view, view.stage, view.told
        board = view.board
        self._late = isinstance(board, RikikiView) and (board.phase == "bidding" or board.over)
        came_by, self.came_by = self.came_by, ""
        asked = self.replies.oldest
        if not came_by and asked is not None and asked.verb in snapshot.LOOKS:
            return
        if view.stage is not Stage.GATHERING or came_by not in ("NEW", "JOIN", "INVITE", "START"):
            self.send_lines(self._numbered(snapshot.all_lines(view)))
        elif view.seat is not None:
            self.send_lines(self._numbered(snapshot.who_lines(view, but=view.seat)))

    def told(self, news: News) -> None:
        """Say what happened, behind the answer to the move that made it happen."""
        code = "" if self.place is None else self.place.code
        lines: list[str] = []
        for event in news.events:
            self._heard += 1
            self._follow(event)
            rendered = wire.render(event, news.names, code)
            lines += self._numbered(rendered)
            if self.for_people:
                lines += self.to_people(self._comment(event, news.names))
                lines += self.to_people(self._hint(event))
        if lines:
            self.send_lines(lines)

    def _follow(self, event: Event) -> None:
        """Keep in mind what a later command is judged by, and answer the one that led to this."""
        kind = type(event)
        if kind in (RoundBegan, GameOver):
            self._late = True
        elif kind is CardPlayed:
            self._late = False
        self.stage = _STAGES.get(kind, self.stage)
        request = self.replies.oldest
        if request is not None and wire.leads_to(request, event, self.seat):
            self.done(request)
        if kind is Abandoned:
            self.host.drop(self)

    def _comment(self, event: Event, names: Sequence[str]) -> str | None:
        """Say to people what they may do now, and what a round has brought."""
        match event:
            case Asked(_, bids, cards):
                moves: list[Move] = [*map(Bid, bids), *map(PlayCard, cards)]
                return TEXT.ask(moves, _NO_BOARD, self.say)
            case RoundScored(number, rounds):
                return None if number == rounds else TEXT.ask([NextRound()], _NO_BOARD, self.say)
            case CardsChosen():
                return TEXT.describe(event, names, self.say)
            case Dealt():
                return TEXT.describe(event, names, self.say)
            case GameOver():
                won = ", ".join(names[seat] for seat in event.outcome.winners)
                return self.say("The game is over. Won by: {names}.", names=won)
            case Abandoned() | Left():
                return tell(event, names, TEXT, self.say)
        return None

    def _hint(self, event: Event) -> str | None:
        """Say to whoever opened the table what only they may say between rounds."""
        opened = self.place is not None and self.place.code in self.owner_tokens
        organizes = opened or (self.place is not None and self.place.organizer)
        if not organizes or not isinstance(event, RoundScored) or event.number == event.rounds:
            return None
        return self.say("CARDS n deals another number of cards than the schedule has.")

    def answered(self, tag: Request | None, refusal: Refused | None) -> None:
        """Answer a command that is done, or was refused."""
        if tag is None:
            return
        if refusal is None:
            self._confirm(tag)
            return
        if tag.verb in _ARRIVALS:
            self.came_by = ""
        key = _REFUSALS.get(refusal.key, refusal.key)
        if tag.verb == "NEXT" and key == "wrong-state" and self._late:
            self.done(tag)
        else:
            self._turn_down(tag, refusal)

    def _confirm(self, request: Request) -> None:
        if request.verb in snapshot.LOOKS and self._view is not None:
            self.done(request, *self._numbered(snapshot.LOOKS[request.verb](self._view)))
        elif request.verb not in ("JOIN", "INVITE"):  # they wait for their token
            self.done(request)

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused, and that it goes on; read nothing meanwhile."""
        if trouble is None:
            self.send_line("RESUMED")
        else:
            self.send_line(f"PAUSED journal {clean(trouble)}")
        self.read_while(trouble is None)

    def parted(self, reason: str) -> None:
        """Say why the place at the table is no more, and close."""
        self.dismiss(reason)

    def begins_no_more(self) -> None:
        """Let go of one who waits for a game, and say to all other people what is to come."""
        super().begins_no_more()
        if not self.closing:
            self.send_lines(self.to_people(self.say(ABOUT_TO_END)))

    # -- lines out --------------------------------------------------------------------

    def _numbered(self, lines: Iterable[str]) -> Sequence[str]:
        """Add to each event where in this client's stream it stands, for programs."""
        return (
            list(lines) if self.for_people else [wire.numbered(line, self._heard) for line in lines]
        )

    def to_people(self, sentence: str | None) -> Sequence[str]:
        """Write a line for people; none for programs, or if there is nothing to say."""
        return [f"# {sentence}"] if sentence and self.for_people else []

    def farewell(self, reason: str) -> bytes:
        """Say why the link is closed."""
        key = _REFUSALS.get(reason, reason)
        return self.encoded(f"BYE {key} {explain_reason(reason, self.say)}")

    def overflowed(self) -> None:
        """Give a player who did not read how things stand instead of all that happened; close on others."""
        show_anew(self, self, self.host)

    def input_ended(self) -> None:
        """Let others have the name, and the seat, of one who cannot come back."""
        super().input_ended()
        if self.place is None or not self.place.may_return:
            self.factory.release_name(self)

    def gone(self, reason: Failure) -> None:
        """Let the seat be held, and the name go."""
        self._waiting.clear()
        self.factory.release_name(self)
        super().gone(reason)
