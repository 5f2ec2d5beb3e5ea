"""Whether to answer an action, and with what."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.bots.castle.perspective import LAST_CARDS, WORTH, Perspective, ops_of
from gamecore.games.castle import CARDS
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.operations import Destroy
from gamecore.games.castle.view import ActionView
from gamecore.rules import Move

_BIG_HIT = 15  # damage to the castle that is worth an answer
_BIG_CARD = 20  # points of a card that are worth an answer
_STRIKES = frozenset({"destroy", "destroy_attacker", "destroy_source", "stun"})


def choose_answer(perspective: Perspective, moves: Sequence[Move], eager: bool) -> Move:
    """Answer what is dangerous, with what helps against it; cancel whatever answers one's own actions."""
    action = perspective.view.action
    answers = [each for each in moves if not isinstance(each, castle_moves.AllowAction)]
    if action is None or not answers:
        return moves[-1]
    if action.seat == perspective.me:
        return answers[0] if action.doing in ("attack", "ability", "play") else moves[-1]
    if any(each.seat == perspective.me and not each.cancelled for each in action.answers):
        return moves[-1]  # one answer is enough
    scored = [
        (_answer_value(perspective, action, each, eager), -at) for at, each in enumerate(answers)
    ]
    value, at = max(scored)
    return answers[-at] if value > 0 else moves[-1]


def _answer_value(perspective: Perspective, action: ActionView, move: Move, eager: bool) -> int:
    if not isinstance(move, castle_moves.ActivateTrickster):
        return 0
    definition = perspective.definition_at(
        castle_moves.Spot(perspective.me, "trickster", move.slot)
    )
    if definition is None:
        return 0
    ability = definition.abilities[0]
    ops = ops_of(ability)
    if action.doing == "attack" and _is_dangerous(perspective, action):
        return 30 if "destroy_attacker" in ops else 20 if ability.voids_attack else 10
    if "cancel" in ops:
        return 15 if _hurts(action) else 0
    targets = [each.target for each in ability.effects if isinstance(each, Destroy)]
    types = {kind for target in targets if target.side != "own" for kind in target.types}
    big = [card for card in perspective.enemy.field if card.spot.zone in types]
    if any(card.points >= _BIG_CARD for card in big):
        return 12
    return (
        5
        if eager and ops & {"draw", "play_card"} and perspective.own.deck_count > LAST_CARDS
        else 0
    )


def _is_dangerous(perspective: Perspective, action: ActionView) -> bool:
    """Tell whether an attack would kill a better card, or hit the castle hard."""
    attacker, target = action.source, action.target
    if attacker is None or target is None:
        return False
    strength = perspective.points_at(attacker)
    if target.zone == "castle":
        return strength >= min(_BIG_HIT, perspective.own.health or 1)
    return (
        strength > perspective.points_at(target)
        and perspective.worth_at(target) >= WORTH["trickster"]
    )


def _hurts(action: ActionView) -> bool:
    """Tell whether the ability of an action is worth cancelling."""
    if action.card is None or action.ability is None:
        return False
    return bool(ops_of(CARDS[action.card].abilities[action.ability]) & (_STRIKES | {"play_card"}))
