"""What to choose where a card asks."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.bots.castle.perspective import LAST_CARDS, Perspective, of_class, ops_of, worth_of
from gamecore.games.castle import CARDS
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.view import QuestionView
from gamecore.rules import Move

_FAVOURS = frozenset({"modify_points", "extra_attack"})


def choose_reply(perspective: Perspective, moves: Sequence[Move]) -> Move:
    """Pick the enemy's best card, one's own least, and say yes to what costs nothing."""
    question = perspective.view.question
    puts, takes = of_class(castle_moves.PutCard, moves), of_class(castle_moves.TakeCard, moves)
    chosen = of_class(castle_moves.Choose, moves)
    if puts:
        return max(puts, key=lambda each: _put_value(perspective, each))
    if takes:
        return max(takes, key=lambda each: worth_of(CARDS[each.card]))
    if chosen and question is not None:
        return _pick(perspective, question, chosen)
    few = perspective.own.deck_count <= LAST_CARDS
    may_draw = question is not None and question.why == "may" and _draws(question)
    return moves[-1] if may_draw and few else moves[0]


def _draws(question: QuestionView) -> bool:
    return any("draw" in ops_of(ability) for ability in CARDS[question.card].abilities)


def _put_value(perspective: Perspective, move: castle_moves.PutCard) -> int:
    return worth_of(CARDS[move.card]) - sum(perspective.worth_at(spot) for spot in move.pay)


def _pick(
    perspective: Perspective, question: QuestionView, chosen: Sequence[castle_moves.Choose]
) -> castle_moves.Choose:
    enemy = [each for each in chosen if each.spot.seat != perspective.me]
    if enemy:
        return max(enemy, key=lambda each: perspective.worth_at(each.spot))
    favour = question.why == "target" and any(
        ops_of(ability) & _FAVOURS for ability in CARDS[question.card].abilities
    )
    pick = max if favour else min
    return pick(chosen, key=lambda each: perspective.worth_at(each.spot))
