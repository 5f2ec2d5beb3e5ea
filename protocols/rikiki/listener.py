"""What one client of the Rikiki wire is told, as lines: answers in their order, and what happens at its table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from twisted.python.failure import Failure

from gamecore.errors import Refused
from gamecore.events import Event, RoundBegan
from gamecore.game import Stage
from gamecore.games.rikiki import (
    Asked,
    Bid,
    CardPlayed,
    Dealt,
    PlayCard,
    RikikiView,
    RoundScored,
)
from gamecore.rules import Move, NextRound, View
from gamecore.table_events import Abandoned, GameBegan, GameOver, Gathered
from gamecore.table_view import TableView
from protocols.host.face import News, Place
from protocols.i18n.refusals import explain, explain_reason
from protocols.i18n.sanitize import clean
from protocols.i18n.translate import ENGLISH, N_, Translator
from protocols.net.line import BoundedLine
from protocols.rikiki import standing, wire
from protocols.rikiki.answers import Answers
from protocols.rikiki.text import TEXT
from protocols.rikiki.wire import Request

if TYPE_CHECKING:
    from protocols.rikiki.server import RikikiFactory

_NO_BOARD = View()
_REFUSALS = {  # what others call otherwise
    "game-began": "wrong-state",
    "game-not-over": "wrong-state",
    "game-over": "wrong-state",
    "line-too-long": "too-long",
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
}
_GREETING = N_("This is Rikiki. NAME yourself, then NEW or TABLES and JOIN; HELP says more.")
_ARRIVALS = ("NEW", "JOIN", "INVITE", "REJOIN", "WATCH")
_STAGES: Mapping[type[Event], Stage] = {
    GameBegan: Stage.PLAYING,
    GameOver: Stage.OVER,
    Gathered: Stage.GATHERING,
    Abandoned: Stage.ABANDONED,
}


class Listener(BoundedLine):
    """What a client hears: answers to its commands, and what happens at its table."""

    max_length = wire.LIMIT
    factory: RikikiFactory
    place: Place | None = None

    name: str = ""
    _for_people: bool = True
    _say: Translator = ENGLISH
    _heard: int = 0  # how many events of its stream were told
    _came_by: str = ""  # the command that brings it to a table whose View is on its way
    _view: TableView | None = None
    _stage: Stage = Stage.GATHERING
    _late: bool = False  # whether NEXT now would only be late
    _quitting: bool = False

    def __init__(self) -> None:
        self._answers = Answers(self._send_answers)
        self.opened: set[str] = set()  # the codes of the tables it has opened

    def connectionMade(self) -> None:
        """Greet."""
        super().connectionMade()
        self.send_lines([wire.WELCOME, *self._to_people(self._say(_GREETING))])

    # -- answers ----------------------------------------------------------------------

    def line_refused(self, reason_key: str) -> None:
        """Say why a line was not even read."""
        request = Request("")
        self._answers.ask(request)
        key = _REFUSALS.get(reason_key, reason_key)
        self._fail(request, f"{key} {explain_reason(reason_key, self._say)}")

    def _send_answers(self, lines: Iterable[str]) -> None:
        self.send_lines(lines)
        if self._quitting and self._answers.oldest is None:
            self.close()

    def _done(self, request: Request, *before: str) -> None:
        self._answers.settle(request, [*before, request.ok()])

    def _fail(self, request: Request, why: str) -> None:
        self._answers.settle(request, [f"ERR {why}"])

    def _turn_down(self, request: Request, refusal: Refused) -> None:
        key = _REFUSALS.get(refusal.key, refusal.key)
        self._fail(request, f"{key} {explain(refusal, TEXT, self._say)}")

    def _player_seat(self) -> int | None:
        player = None if self.place is None else self.place.player
        return None if player is None else player.seat

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Answer whoever has joined with the token that brings them back."""
        request = self._answers.oldest
        if request is not None and request.verb in ("JOIN", "INVITE"):
            seat = self._player_seat() if request.seat is None else request.seat
            place = [] if seat is None else [seat + 1]
            self._answers.settle(request, [request.ok(*request.words, *place, token)])
            self.settled()

    def shown(self, view: TableView) -> None:
        """Say how the table stands to one who comes to it, or keep it for what was asked."""
        self._view, self._stage, self._heard = view, view.stage, view.told
        board = view.board
        self._late = isinstance(board, RikikiView) and (board.phase == "bidding" or board.over)
        came_by, self._came_by = self._came_by, ""
        asked = self._answers.oldest
        if not came_by and asked is not None and asked.verb in standing.LOOKS:
            return
        if view.stage is not Stage.GATHERING or came_by not in ("NEW", "JOIN", "INVITE"):
            self.send_lines(self._numbered(standing.all_lines(view)))
        elif view.seat is not None:
            self.send_lines(self._numbered(standing.who_lines(view, but=view.seat)))

    def told(self, news: News) -> None:
        """Say what happened, behind the answer to the move that made it happen."""
        code = "" if self.place is None else self.place.code
        lines: list[str] = []
        for event in news.events:
            self._heard += 1
            self._follow(event)
            rendered = wire.render(event, news.names, code)
            lines += self._numbered(rendered)
            if self._for_people:
                lines += self._to_people(self._comment(event, news.names))
        if lines:
            self.send_lines(lines)

    def _follow(self, event: Event) -> None:
        """Keep in mind what a later command is judged by, and answer the one that led to this."""
        kind = type(event)
        if kind in (RoundBegan, GameOver):
            self._late = True
        elif kind is CardPlayed:
            self._late = False
        self._stage = _STAGES.get(kind, self._stage)
        request = self._answers.oldest
        if request is not None and wire.leads_to(request, event, self._player_seat()):
            self._done(request)
        if kind is Abandoned:
            self.factory.host.drop(self)

    def _comment(self, event: Event, names: Sequence[str]) -> str | None:
        """Say to people what they may do now, and what a round has brought."""
        match event:
            case Asked(_, bids, cards):
                moves: list[Move] = [*map(Bid, bids), *map(PlayCard, cards)]
                return TEXT.ask(moves, _NO_BOARD, self._say)
            case RoundScored(number, rounds):
                return None if number == rounds else TEXT.ask([NextRound()], _NO_BOARD, self._say)
            case Dealt():
                return TEXT.describe(event, names, self._say)
            case GameOver():
                won = ", ".join(names[seat] for seat in event.outcome.winners)
                return self._say("The game is over. Won by: {names}.", names=won)
        return None

    def answered(self, tag: Request | None, refusal: Refused | None) -> None:
        """Answer a command that is done, or was refused."""
        if tag is None:
            return
        if refusal is None:
            self._confirm(tag)
            return
        if tag.verb in _ARRIVALS:
            self._came_by = ""
        key = _REFUSALS.get(refusal.key, refusal.key)
        if tag.verb == "NEXT" and key == "wrong-state" and self._late:
            self._done(tag)
        else:
            self._turn_down(tag, refusal)

    def _confirm(self, request: Request) -> None:
        if request.verb in standing.LOOKS and self._view is not None:
            self._done(request, *self._numbered(standing.LOOKS[request.verb](self._view)))
        elif request.verb not in ("JOIN", "INVITE"):  # they wait for their token
            self._done(request)

    def paused(self, trouble: str | None) -> None:
        """Say that play is paused, and that it goes on; read nothing meanwhile."""
        if trouble is None:
            self.send_line("RESUMED")
            self.go_on_reading()
        else:
            self.send_line(f"PAUSED journal {clean(trouble)}")
            self.stop_reading()

    def parted(self, reason: str) -> None:
        """Say why the place at the table is no more, and close."""
        self.dismiss(reason)

    # -- lines out --------------------------------------------------------------------

    def _numbered(self, lines: Iterable[str]) -> Sequence[str]:
        """Add to each event where in this client's stream it stands, for programs."""
        return list(lines) if self._for_people else [f"{line} @{self._heard}" for line in lines]

    def _to_people(self, sentence: str | None) -> Sequence[str]:
        return [f"# {sentence}"] if sentence and self._for_people else []

    def farewell(self, reason: str) -> bytes:
        """Say why the link is closed."""
        key = _REFUSALS.get(reason, reason)
        return self.encoded(f"BYE {key} {explain_reason(reason, self._say)}")

    def overflowed(self) -> None:
        """Give a player who did not read how things stand instead of all that happened; close on others."""
        if self._player_seat() is None:
            self.dismiss("does-not-read")
        else:
            self.forget_waiting()
            self.factory.host.look(self)

    def gone(self, reason: Failure) -> None:
        """Let the seat be held, and the name go."""
        self.factory.names.forget(self)
        self.factory.host.drop(self)
