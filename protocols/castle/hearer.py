"""What a client that speaks objects is told and asked, and why it is refused something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gamecore.errors import Refused
from gamecore.games.castle import CARDS, CastleView, moves, operations
from gamecore.games.castle.moves import Spot
from gamecore.rules import Move
from gamecore.table_events import Abandoned, GameOver
from gamecore.table_view import Detail, TableView, Turn
from protocols.castle import choices, questions, wire
from protocols.castle.choices import Choice
from protocols.castle.messages import OVER, player_list
from protocols.castle.pending_requests import Back, Creation, Wanted
from protocols.castle.state import changes, state
from protocols.castle.text import TEXT
from protocols.castle.wire import Message, Request
from protocols.castle.wire_events import Teller
from protocols.host.face import News
from protocols.i18n.refusals import explain, explain_reason
from protocols.i18n.translate import ENGLISH

if TYPE_CHECKING:
    from protocols.castle.face import CastleFace

_JOINS = ("JOIN_GAME", "REJOIN_GAME")


class Hearer:
    """Tells one client what there is to tell."""

    def __init__(self, face: CastleFace) -> None:
        self._face = face
        self._extended = False
        self._token: str | None = None
        self._joining: Request | None = None
        self._teller: Teller | None = None
        self._board: CastleView | None = None
        self._moves: Sequence[Move] = ()
        self._fresh = False  # whether the board was shown and nothing was asked since
        self._choice: Choice | None = None
        self._paying: Request | None = None  # the play that is being paid for
        self._early: dict[Spot, Spot] = {}  # what a trickster is to be about, by where it lay
        self._offered: set[tuple[int, Spot]] = set()  # draws offered, by turn and decree
        self._offer: moves.UseAbility | None = None

    def _object(self, code: str, text: str, command: str) -> None:
        """Say why something was not taken; a join that is none ends the link, behind the reply."""
        if command in _JOINS and code != "ALREADY_JOINED":
            self._send(_refused_join(code, text))
            self._face.close()
            return
        self._send(wire.error(code, text, command[:40]))

    def _send(self, *messages: Message) -> None:
        if messages:
            self._face.send(wire.render(messages))

    def created(self, code: str) -> None:
        """Say that a room is open."""
        self._send({"COMMAND": "ROOM_CREATE_RESP", "SUCCESS": True, "ROOM": code})

    def _extend(self, extended: bool) -> None:
        """Follow the cards at every turn, or only where a decision is awaited."""
        self._extended = extended
        self._face.detail = Detail.BOARD if extended else Detail.OWN_BOARD

    @property
    def _seat(self) -> int:
        return self._face.seat or 0

    @property
    def _stage(self) -> str:
        return self._board.stage if self._moves and self._board is not None else ""

    # -- what the Host says -----------------------------------------------------------

    def given(self, token: str) -> None:
        """Keep the token to be told with the reply."""
        self._token = token

    def shown(self, view: TableView) -> None:
        """Reply to who has come, and show how the table stands."""
        board = view.board
        request, self._joining = self._joining, None
        self._teller = Teller(self._seat, self._face.factory.settings.legacy_castle_damage)
        if request is not None or board != self._board:
            self._choice = self._paying = None
            self._fresh = True
        self._board = None
        if isinstance(board, CastleView):
            self._teller.follow(board)
            self._board = board
        messages = [] if request is None else [self._welcome(view)]
        if request is None or request.command == "REJOIN_GAME":
            messages.append(state(view))
        elif isinstance(board, CastleView):
            messages += self._beginning(view, board)
        self._send(*messages)
        if view.stage in OVER:
            self._face.leave()

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

    def _beginning(self, view: TableView, board: CastleView) -> list[Message]:
        """Say what has happened from the beginning of the game until now."""
        names, seat = view.names, self._seat
        init: Message = {"COMMAND": "GAME_INIT", "PLAYER_LIST": player_list(names)}
        if board.turn or self._teller is None:
            return [init, state(view)]
        hand = [each.card or 0 for each in board.sides[seat].hand]
        return [init, *self._teller.first_hand(hand, names)]

    def told(self, news: News) -> None:
        """Say what happened; the end of the game is the end of its place here."""
        if self._teller is None:
            return
        self._send(*self._teller.tell(news.events, news.names))
        if any(isinstance(event, GameOver | Abandoned) for event in news.events):
            self._face.leave()

    def turned(self, turn: Turn) -> None:
        """Say what has become of the cards, and ask what is to be asked."""
        before, board = self._board, turn.board
        self._moves = turn.moves
        self._offer = None
        if not isinstance(board, CastleView):
            return
        if not turn.moves:
            self._follow(turn, board)
            return
        self._board = board
        if self._teller is not None:
            self._teller.hold(board)
        if self._extended:
            self._send(*changes(before, board, self._seat))
        if self._fresh or board != before:
            self._fresh = False
            self._choice = self._paying = None
            self._ask(board)

    def _follow(self, turn: Turn, board: CastleView) -> None:
        """Say what has become of the cards while the other player is awaited."""
        if self._extended and turn.to_move and self._board is not None:
            self._send(*changes(self._board, board, self._seat))
            self._board = board

    def _ask(self, board: CastleView) -> None:
        question = board.question
        if not self._moves:
            return
        if question is not None and question.seat == self._seat:
            self._ask_question(board)
        elif board.stage == "turn":
            self._early.clear()
            self._offer_draw(board)

    def _ask_question(self, board: CastleView) -> None:
        question, seat = board.question, self._seat
        assert question is not None
        if questions.is_yes_or_no(self._moves):
            self._send(questions.ask_yes_or_no(question, board, seat))
            return
        place = questions.places_in(board, seat, self._moves)
        choice = choices.of_question(self._moves, seat, place)
        early = None if question.source is None else self._early.get(question.source)
        if early is not None and moves.Choose(early) in self._moves:
            assert question.source is not None
            del self._early[question.source]
            self._face.submit(moves.Choose(early), Request("TARGET_CARD_RESP", {}))
            return
        self._choice = choice
        self._send(
            questions.ask_target(choice, questions.why(question), question.source, board, seat)
        )

    def _offer_draw(self, board: CastleView) -> None:
        """Offer the extra draw that a decree gives, once a turn."""
        for move in self._moves:
            if not isinstance(move, moves.UseAbility) or move.source.zone != "decree":
                continue
            field = board.sides[self._seat].field
            card = next((each.card for each in field if each.spot == move.source), None)
            if card is not None and isinstance(
                CARDS[card].abilities[move.ability].effects[0], operations.Draw
            ):
                self._offer = move
                if (board.turn, move.source) not in self._offered:
                    self._offered.add((board.turn, move.source))
                    self._send(questions.offer_draw(card, board, self._seat))

    def refused(self, asked: Any, refusal: Refused) -> None:
        """Say why something was refused."""
        text = explain(refusal, TEXT, ENGLISH)
        if isinstance(asked, Wanted | Back):
            self._joining = None
            self._object(wire.join_code(refusal), text, asked.command)
        elif isinstance(asked, Creation):
            self._object("NOT_ALLOWED", text, asked.command)
        elif not isinstance(asked, Request):
            self._object(wire.code_of(refusal), text, asked.command)
        else:
            self._refuse(asked, self._code(refusal, asked), text)

    def _code(self, refusal: Refused, asked: Request) -> str:
        answers = asked.command in ("ACTIVATE_TRICKSTER", "ALLOW_ACTION", "DESTROY_CARD")
        if answers:
            return "NOT_ALLOWED" if self._stage == "window" else "NO_WINDOW"
        if self._stage == "question" and refusal.key == "not-offered":
            return "WRONG_PHASE"
        return wire.code_of(refusal)

    def _refuse(self, request: Request, code: str, text: str) -> None:
        """Refuse in the words of the command, where it has any."""
        keys = _REPLIES.get(request.command)
        if keys is None:
            self._send(wire.error(code, text, request.command))
            return
        given = {key: request.fields.get(key) for key in keys[1:]}
        found = {"COMMAND": keys[0], "PLAYER_ID": self._seat, **given}
        self._send({**found, "SUCCESS": False, "CODE": code, "MESSAGE": text})

    def line_refused(self, key: str) -> None:
        """Say why a line was not even read."""
        self._send(wire.error(wire.CODES.get(key, "MALFORMED"), explain_reason(key, ENGLISH)))

    def paused(self, trouble: str | None) -> None:
        """Say nothing: what is sent meanwhile is read when play goes on."""

    def parted(self, reason: str) -> None:
        """Say why the place at the table is no more."""
        if self._joining is not None:
            self._object("NOT_ALLOWED", explain_reason(reason, ENGLISH), self._joining.command)
        else:
            self._send(wire.error("PARTED", explain_reason(reason, ENGLISH)))

    def farewell(self, reason: str) -> bytes:
        """Say why the link ends."""
        return wire.render([wire.error("CLOSED", explain_reason(reason, ENGLISH))])


def _refused_join(code: str, text: str) -> Message:
    return {"COMMAND": "JOIN_GAME_RESP", "SUCCESS": False, "MESSAGE": text, "CODE": code}


_REPLIES: Mapping[str, tuple[str, ...]] = {
    "PLAY_CARD": ("PLAY_CARD_RESP", "CARD_ID", "START_POS", "END_POS"),
    "ATTACK_CARD": ("ATTACK_CARD_RESP", "ATTACKER", "TARGET"),
    "LEVEL_MAGE": ("LEVEL_MAGE_RESP", "TARGET"),
    "LEVEL_MAGE_RESP": ("LEVEL_MAGE_RESP", "TARGET"),
}
