"""What one client of the JSON wire is told and asked, and why it is refused something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamecore.errors import Refused
from gamecore.games.castle import CastleView
from gamecore.games.castle.events import TimedOut
from gamecore.rules import Move
from gamecore.table_events import Abandoned, GameOver
from gamecore.table_view import Detail, TableView, Turn
from protocols.castle import wire
from protocols.castle.decision import Decision
from protocols.castle.original import OriginalManner, is_nameless, is_original
from protocols.castle.pending_requests import (
    AnyRequest,
    FollowUp,
    ReturnRequest,
    RoomRequest,
    SeatRequest,
)
from protocols.castle.text import TEXT
from protocols.castle.wire import Message, Request
from protocols.castle.wire_events import EventWriter
from protocols.castle.wire_messages import game_void, player_list
from protocols.castle.wire_state import card_changes, whole_state
from protocols.host.face import News
from protocols.i18n.describe import tell
from protocols.i18n.refusals import explain, explain_reason
from protocols.i18n.translate import ENGLISH
from protocols.net.link import Link

_JOINS = ("JOIN_GAME", "REJOIN_GAME")
_BEYOND_THE_SEED = ("ROOM_LIST", "ROOM_CREATE", "REJOIN_GAME", "STATE_REQUEST", "ACTIVATE_ABILITY")
_ANSWERS = ("ACTIVATE_TRICKSTER", "ALLOW_ACTION", "DESTROY_CARD")


class Reporter:
    """Tells one client what there is to tell, and keeps what it was told of its table."""

    def __init__(self, link: Link, legacy_castle_damage: bool) -> None:
        self.decision = Decision(0)
        """What its player has to decide; that of nobody before it has joined."""
        self._original: OriginalManner | None = None
        self._beyond_the_seed = False  # whether the client said what an original one does not know
        self._link = link
        self._legacy_castle_damage = legacy_castle_damage
        self._joining: Request | None = None
        self._extended = False
        self._token: str | None = None
        self._writer: EventWriter | None = None

    def send(self, *messages: Message) -> None:
        """Send messages."""
        self._post(messages if self._original is None else self._original.translate(messages))

    def _post(self, messages: Sequence[Message]) -> None:
        if messages:
            self._link.send(wire.render(messages))

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""
        last = [link_closed(reason)]
        return wire.render(last if self._original is None else self._original.translate(last))

    def meant(self, request: Request) -> Request | None:
        """Say what a client means by a request; None if by nothing; raises Fault."""
        if self._original is None:
            self._beyond_the_seed |= request.command in _BEYOND_THE_SEED
            return request
        self._original.missed = 0
        meant = self._original.dialogue.answer_to(request)
        self._post(self._original.dialogue.go_on())
        return meant

    @property
    def detail(self) -> Detail:
        """How much the session must hear of each turn: the cards are followed with the wider messages alone."""
        return Detail.BOARD if self._extended else Detail.OWN_BOARD

    # -- arriving -------------------------------------------------------------------------

    def expect(self, request: Request, extended: bool) -> None:
        """Take note that the client asks for a seat; with ``extended`` it wants the messages beyond the seed's."""
        self._joining, self._extended = request, extended
        original = is_original(request) and not self._beyond_the_seed
        self._original = OriginalManner(self._legacy_castle_damage) if original else None

    def given(self, token: str) -> None:
        """Keep the token to be told with the reply."""
        self._token = token

    def shown(self, view: TableView) -> None:
        """Reply to who has come, and show how the table stands."""
        board = view.board if isinstance(view.board, CastleView) else None
        request, self._joining = self._joining, None
        writer = self._follow(view.seat or 0, board, anew=request is not None)
        if request is None:
            self.send(whole_state(view))
        elif request.command == "REJOIN_GAME":
            self.send(self._welcome(view), whole_state(view))
        else:
            self.send(self._welcome(view), *_beginning(view, board, writer))

    def _follow(self, seat: int, board: CastleView | None, anew: bool) -> EventWriter:
        """Follow a table from where it stands."""
        if anew:
            self.decision = Decision(seat)
        elif board != self.decision.board:
            self.decision.ask_anew()
        self.decision.board = board
        writer = self._writer = EventWriter(seat, self._legacy_castle_damage)
        if board is not None:
            writer.see(board)
        return writer

    def _welcome(self, view: TableView) -> Message:
        others = {
            key: name for key, name in player_list(view.names).items() if key != str(view.seat)
        }
        found: Message = {
            "COMMAND": "JOIN_GAME_RESP",
            "SUCCESS": True,
            "PLAYER_LIST": others,
            "PLAYER_ID": view.seat,
            "ROOM": view.code,
        }
        token, self._token = self._token, None
        return found if token is None else {**found, "TOKEN": token}

    # -- what happens ---------------------------------------------------------------------

    def told(self, news: News) -> bool:
        """Say what happened; True if that was the end of the game."""
        if self._writer is None:
            return False
        self.send(*self._writer.write(news.events, news.names))
        for event in news.events:
            if isinstance(event, Abandoned):
                self._tell_closed(tell(event, news.names, TEXT) or "")
        if self._original is not None:
            self._original.missed += news.events.count(TimedOut(self.decision.seat))
        return any(isinstance(event, GameOver | Abandoned) for event in news.events)

    def _tell_closed(self, text: str) -> None:
        """Say that the table is no more, and a game there void; why comes first, for many go at a game's end."""
        self.send(wire.error("CLOSED", text))
        if self.decision.board is not None:
            self.send(game_void())

    def turned(self, turn: Turn) -> Move | None:
        """Say what has become of the cards, and ask what is to be asked, or give the reply if it is known."""
        decision, board = self.decision, turn.board
        decision.moves, decision.draw_offered = turn.moves, None
        if not turn.moves:
            self._forget_boxes()
        if not isinstance(board, CastleView):
            return None
        if self._extended and turn.to_move:
            self.send(*card_changes(decision.board, board, decision.seat))
        if not turn.moves:
            decision.board = board
            return None
        return self._ask(turn, board)

    def _ask(self, turn: Turn, board: CastleView) -> Move | None:
        """Ask what is to be asked, or give the reply that is known."""
        decision, original = self.decision, self._original
        if self._writer is not None:
            self._writer.remember_hand(board)
        answer = None if original is None else original.answer_for_it(board, turn.moves)
        if answer is not None:
            decision.board = board
            return answer
        if not decision.take_in(board):
            return None
        if board.stage != "mulligan":  # whose offer came with the hand
            self._forget_boxes()
        reply = decision.known_reply()
        if reply is None:
            asked = list(decision.ask())
            if original is not None and any(map(is_nameless, asked)):
                return turn.moves[0]
            self.send(*asked)
        return reply

    def _forget_boxes(self) -> None:
        """Take note that what an original client was asked before is settled."""
        if self._original is not None:
            self._original.dialogue.forget()

    def parted(self, reason: str) -> None:
        """Say why the place at the table is no more."""
        text = explain_reason(reason, ENGLISH)
        if self._joining is not None:
            self.reject("NOT_ALLOWED", text, self._joining.command)
        else:
            self.send(wire.error("PARTED", text))

    # -- refusals -------------------------------------------------------------------------

    def refused(self, asked: AnyRequest, refusal: Refused) -> None:
        """Say why the house refused a request."""
        text = explain(refusal, TEXT, ENGLISH, coded=True)
        match asked:
            case SeatRequest() | ReturnRequest():
                self._joining = None
                self.reject(wire.join_code(refusal), text, asked.command)
            case RoomRequest():
                self.reject("NOT_ALLOWED", text, asked.command)
            case FollowUp():
                self.reject(wire.code_of(refusal), text, asked.command)
            case Request():
                self.refuse(asked, self._code(refusal, asked), text)

    def _code(self, refusal: Refused, asked: Request) -> str:
        stage = self.decision.stage
        if asked.command in _ANSWERS:
            return "NOT_ALLOWED" if stage == "window" else "NO_WINDOW"
        if stage == "question" and refusal.key == "not-offered":
            return "WRONG_PHASE"
        return wire.code_of(refusal)

    def refuse(self, request: Request, code: str, text: str) -> None:
        """Refuse a request with the reply of its own command, where it has one."""
        reply = _OWN_REPLIES.get(request.command)
        if reply is None:
            self.send(wire.error(code, text, request.command))
            return
        command, *keys = reply
        given = {key: request.fields.get(key) for key in keys}
        found = {"COMMAND": command, "PLAYER_ID": self.decision.seat, **given}
        self.send({**found, "SUCCESS": False, "CODE": code, "MESSAGE": text})

    def reject(self, code: str, text: str, command: str) -> None:
        """Say why something was not taken; a join that is none ends the link, behind the reply."""
        if command in _JOINS and code != "ALREADY_JOINED":
            self.send(_join_refused(code, text))
            self._link.close()
        else:
            self.send(wire.error(code, text, command[:40]))


def line_refused(reason_key: str) -> Message:
    """Say why a line was not even read."""
    text = explain_reason(reason_key, ENGLISH)
    return wire.error(wire.CODES.get(reason_key, "MALFORMED"), text)


def link_closed(reason: str) -> Message:
    """Say why a link ends."""
    return wire.error("CLOSED", explain_reason(reason, ENGLISH))


def _beginning(view: TableView, board: CastleView | None, writer: EventWriter) -> list[Message]:
    """Say what has happened from the beginning of the game until now."""
    if board is None:
        return []
    init: Message = {"COMMAND": "GAME_INIT", "PLAYER_LIST": player_list(view.names)}
    if board.turn:
        return [init, whole_state(view)]
    hand = [each.card or 0 for each in board.sides[writer.seat].hand]
    return [init, *writer.first_hand(hand, view.names)]


def _join_refused(code: str, text: str) -> Message:
    return {"COMMAND": "JOIN_GAME_RESP", "SUCCESS": False, "MESSAGE": text, "CODE": code}


_OWN_REPLIES: Mapping[str, tuple[str, ...]] = {
    "PLAY_CARD": ("PLAY_CARD_RESP", "CARD_ID", "START_POS", "END_POS"),
    "ATTACK_CARD": ("ATTACK_CARD_RESP", "ATTACKER", "TARGET"),
    "LEVEL_MAGE": ("LEVEL_MAGE_RESP", "TARGET"),
    "LEVEL_MAGE_RESP": ("LEVEL_MAGE_RESP", "TARGET"),
}
