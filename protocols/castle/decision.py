"""What one player may do now, what it was asked, and what it has said of it so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamecore.games.castle import CARDS, CastleView, moves, operations
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import QuestionView
from gamecore.rules import Move
from protocols.castle import wire_questions
from protocols.castle.partial_move import PartialMove, partial_reply
from protocols.castle.visible_cards import card_at
from protocols.castle.wire import Message, Request


class Decision:
    """What the player in a seat has to decide at one table."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.board: CastleView | None = None
        """What the player saw last."""
        self.moves: Sequence[Move] = ()
        """What it may do; nothing while others are awaited."""
        self.partial: PartialMove | None = None
        """The move that is being put together."""
        self.paying: Request | None = None
        """The play that is being paid for."""
        self.draw_offered: moves.UseAbility | None = None
        """The extra draw that a decree gives."""
        self._to_ask = True  # whatever was asked of the board before
        self._early_targets: dict[Spot, Spot] = {}  # named before they were asked for, by trickster
        self._draws_offered: set[tuple[int, Spot]] = set()  # by turn and decree

    @property
    def stage(self) -> str:
        """The stage of the duel if this player is awaited, else nothing."""
        return self.board.stage if self.moves and self.board is not None else ""

    @property
    def is_yes_or_no(self) -> bool:
        """Whether it is asked what wants no card."""
        return wire_questions.is_yes_or_no(self.moves)

    def ask_anew(self) -> None:
        """Forget what was asked, and ask it once more when the player's turn is heard of."""
        self.forget_reply()
        self._to_ask = True

    def forget_reply(self) -> None:
        """Put nothing together any more."""
        self.partial = self.paying = None

    def take_in(self, board: CastleView) -> bool:
        """Take in how things stand, with the moves set before; True if there is something to ask anew."""
        before, self.board = self.board, board
        if not (self._to_ask or board != before):
            return False
        self._to_ask = False
        self.forget_reply()
        return bool(self.moves)

    # -- what is asked --------------------------------------------------------------------

    def name_early(self, trickster: Spot, target: Spot) -> None:
        """Keep what a trickster is to be about until that is asked."""
        self._early_targets[trickster] = target

    def known_reply(self) -> Move | None:
        """Give the reply that was named before it was asked for, once; None if there is none."""
        question = self.question
        if question is None or question.source is None or self.is_yes_or_no:
            return None
        target = self._early_targets.get(question.source)
        if target is None or moves.Choose(target) not in self.moves:
            return None
        del self._early_targets[question.source]
        return moves.Choose(target)

    @property
    def question(self) -> QuestionView | None:
        """What this player is asked, if it is a question."""
        question = None if self.board is None else self.board.question
        return question if question is not None and question.seat == self.seat else None

    def ask(self) -> Iterator[Message]:
        """Ask what is to be asked."""
        question, board = self.question, self.board
        if board is None:
            return
        if question is not None:
            yield self._ask_question(question, board)
        elif board.stage == "turn":
            self._early_targets.clear()
            yield from self._offer_draws(board)

    def _ask_question(self, question: QuestionView, board: CastleView) -> Message:
        if self.is_yes_or_no:
            return wire_questions.ask_yes_or_no(question, board, self.seat)
        self.partial = self.reply()
        purpose = wire_questions.purpose(question)
        return wire_questions.ask_position(self.partial, purpose, question.source, board, self.seat)

    def reply(self) -> PartialMove:
        """Begin a reply to the question that is asked; there must be one."""
        assert self.board is not None
        place_of = wire_questions.places_in(self.board, self.seat, self.moves)
        return partial_reply(self.moves, place_of)

    def _offer_draws(self, board: CastleView) -> Iterator[Message]:
        """Offer the extra draw that a decree gives, once a turn."""
        for move in self.moves:
            if not isinstance(move, moves.UseAbility) or move.source.zone != "decree":
                continue
            card = card_at(board, move.source)
            if card is None or not _draws(card, move.ability):
                continue
            self.draw_offered = move
            if (board.turn, move.source) not in self._draws_offered:
                self._draws_offered.add((board.turn, move.source))
                yield wire_questions.offer_draw(card, board, self.seat)


def _draws(card: int, ability: int) -> bool:
    return isinstance(CARDS[card].abilities[ability].effects[0], operations.Draw)
