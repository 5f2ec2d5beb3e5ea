"""Which cards and abilities are worth playing, and paying for."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.bots.castle.perspective import (
    LAST_CARDS,
    Perspective,
    of_class,
    ops_of,
    worth,
    worth_of,
)
from gamecore.games.castle import CARDS
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.card_definitions import CardDefinition
from gamecore.games.castle.operations import Destroy, Draw, Effect
from gamecore.rules import Move

_GAINS = frozenset(
    {"draw", "search", "heal_castle", "destroy", "play_card", "stun", "extra_attack"}
)


def _definition_of(perspective: Perspective, move: castle_moves.PlayCard) -> CardDefinition:
    card = perspective.own.hand[move.hand].card
    assert card is not None
    return CARDS[card]


def worth_playing(perspective: Perspective, move: castle_moves.PlayCard) -> bool:
    """Never pay with a card that has more points than the one played; keep a soldier on the field."""
    definition = _definition_of(perspective, move)
    if any(perspective.points_at(spot) > definition.points for spot in move.pay):
        return False
    soldiers = sum(card.spot.zone == "soldier" for card in perspective.own.field)
    paid = sum(spot.zone == "soldier" for spot in move.pay)
    remaining = soldiers - paid + (definition.type == "soldier")
    return definition.type in ("trickster", "decree") or remaining > 0 or not paid


def play_value(perspective: Perspective, move: castle_moves.PlayCard) -> tuple[int, int, int]:
    """Rank a play: by type, then by its worth less half of what is paid, then by its slot."""
    definition = _definition_of(perspective, move)
    order = {"soldier": 3, "mage": 2, "decree": 1, "trickster": 0}[definition.type]
    paid = sum(perspective.worth_at(spot) for spot in move.pay)
    return order, worth_of(definition) - (paid + 1) // 2, -move.slot


def added(perspective: Perspective, move: castle_moves.PlayCard) -> int:
    """Say what a play adds: a card drawn or fetched counts half a card, one destroyed what it is worth."""
    definition = _definition_of(perspective, move)
    added = worth_of(definition) - sum(perspective.worth_at(spot) for spot in move.pay)
    for ability in definition.abilities if definition.type != "trickster" else ():
        if ability.trigger == "on_play":
            added += sum(_entry_value(perspective, effect) for effect in ability.effects)
    return added


def _entry_value(perspective: Perspective, effect: Effect) -> int:
    if isinstance(effect, Draw):
        amount = effect.amount if isinstance(effect.amount, int) else 1
        return 6 * amount if perspective.own.deck_count > amount else -100
    if isinstance(effect, Destroy):
        targets = [
            card for card in perspective.enemy.field if card.spot.zone in effect.target.types
        ]
        return max(map(worth, targets), default=0)
    return {"search": 7, "play_card": 12, "damage_castle": 8, "stun": 5}.get(effect.op, 0)


def ability_to_use(
    perspective: Perspective, moves: Sequence[Move]
) -> castle_moves.UseAbility | None:
    """Find the first ability that is worth using, if there is one."""
    uses = of_class(castle_moves.UseAbility, moves)
    return next((each for each in uses if _worth_using(perspective, each)), None)


def _worth_using(perspective: Perspective, move: castle_moves.UseAbility) -> bool:
    definition = perspective.definition_at(move.source)
    if definition is None:
        return False
    ops = ops_of(definition.abilities[move.ability])
    if not ops & _GAINS:
        return "prevent_destroy" in ops
    if "draw" in ops and perspective.own.deck_count <= LAST_CARDS:
        return False
    if ops == {"heal_castle"}:
        return _damaged(perspective)
    enemies = len(perspective.enemy.field)
    if "destroy_self" in ops:
        return enemies > 1 if "destroy" in ops else len(perspective.own.hand) < 4
    return enemies > 0 or "destroy" not in ops


def _damaged(perspective: Perspective) -> bool:
    castle, health = perspective.own.castle, perspective.own.health
    return castle is not None and health is not None and health < CARDS[castle].health
