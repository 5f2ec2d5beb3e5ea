"""The health of castles, and the end of the game."""

from __future__ import annotations

from attrs import define

from gamecore.games.castle import card_events, operations
from gamecore.games.castle.abilities import CarryOut, mark_used, use_of
from gamecore.games.castle.continuous_effects import has_in_play
from gamecore.games.castle.core import AbilityUse, RoundCore, Step
from gamecore.games.castle.engine import does, performs
from gamecore.games.castle.event_types import HealthCause
from gamecore.games.castle.moves import Spot


@define(eq=False)
class CheckEnd(Step):
    """See whether a castle has fallen in what has just been carried out."""


def hit(core: RoundCore, seat: int, amount: int, cause: HealthCause, source: Spot | None) -> None:
    """Lower a castle's health; one that would fall may have a way out (specification 1.10)."""
    side = core.sides[seat]
    if amount >= side.health and seat not in core.fallen:
        for index, ability in enumerate(side.castle.definition.abilities):
            if ability.trigger == "replacement" and index not in side.castle.spent:
                rescue = use_of(seat, side.castle, index)
                mark_used(core, rescue)
                core.push(CarryOut(rescue))
                return
        core.fallen.add(seat)
    _set_health(core, seat, max(side.health - amount, 0), cause, source)


def _set_health(
    core: RoundCore, seat: int, health: int, cause: HealthCause, source: Spot | None
) -> None:
    side = core.sides[seat]
    change, side.health = health - side.health, health
    core.emit(card_events.CastleChanged(seat, health, change, cause, source))


@does(CheckEnd)
def check_end(core: RoundCore, step: CheckEnd) -> None:
    """End the game if a castle has fallen; if both have, nobody wins."""
    if core.fallen:
        core.lose(*((seat, "castle") for seat in sorted(core.fallen)))


@performs(operations.DamageCastle)
def damage(core: RoundCore, use: AbilityUse, effect: operations.DamageCastle) -> None:
    """Hit a castle from afar."""
    seat = use.seat if effect.player == "self" else 1 - use.seat
    hit(core, seat, effect.amount, "ability", core.spot_of(use.source))


@performs(operations.HealCastle)
def heal(core: RoundCore, use: AbilityUse, effect: operations.HealCastle) -> None:
    """Heal one's own castle; a castle in ruins stays one."""
    side = core.sides[use.seat]
    amount: int = effect.amount
    other = effect.amount_if
    if other is not None and has_in_play(core, use.seat, other.own_field_has):
        amount = side.castle.definition.health if other.amount == "full" else other.amount
    if use.seat not in core.fallen:
        health = min(side.health + amount, side.castle.definition.health)
        _set_health(core, use.seat, health, "ability", core.spot_of(use.source))


@performs(operations.SetCastleHealth)
def set_health(core: RoundCore, use: AbilityUse, effect: operations.SetCastleHealth) -> None:
    """Save one's own castle at the last moment."""
    _set_health(core, use.seat, effect.amount, "rescue", core.spot_of(use.source))
