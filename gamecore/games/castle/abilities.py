"""Abilities at work: they begin, perhaps by asking whether they may, and carry out one operation after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import define

from gamecore.games.castle import effect_schema, events
from gamecore.games.castle.core import AbilityUse, Piece, Question, RoundCore, Step
from gamecore.games.castle.engine import ask, does, offers, perform, takes
from gamecore.games.castle.event_types import Asking
from gamecore.games.castle.moves import Accept, Decline, Reply

_OFFERED: frozenset[effect_schema.Trigger] = frozenset({"on_play", "field", "on_destroy_enemy"})


@define(eq=False)
class Begin(Step):
    """Let an ability begin, unless it was cancelled."""

    use: AbilityUse


@define(eq=False)
class CarryOut(Step):
    """Carry out an ability from one of its operations on."""

    use: AbilityUse
    at: int = 0


@define(eq=False)
class MayUse(Question):
    """Whether to do what an ability lets one do."""

    why: ClassVar[Asking] = "may"


def use_of(seat: int, piece: Piece, index: int) -> AbilityUse:
    """Let an ability of a card be used by a seat."""
    return AbilityUse(seat, piece.uid, piece.card, piece.definition.abilities[index], index)


def uses_on(
    seat: int, piece: Piece, trigger: effect_schema.Trigger, level: int = 1
) -> list[AbilityUse]:
    """List the abilities of a card that a trigger sets off, on a mage those of one level."""
    return [
        use_of(seat, piece, index)
        for index, ability in enumerate(piece.definition.abilities)
        if ability.trigger == trigger and ability.level == level
    ]


def uses_on_level(core: RoundCore, seat: int, piece: Piece, level: int) -> list[AbilityUse]:
    """List what a mage does by rising to a level: nothing while it is stunned."""
    if piece.stunned and core.stun_silences:
        return []
    return uses_on(seat, piece, "on_level", level)


def source_of(core: RoundCore, use: AbilityUse) -> Piece | None:
    """Find the card an ability belongs to, while it is in play."""
    for side in core.sides:
        if side.castle.uid == use.source:
            return side.castle
    found = core.find(use.source)
    return None if found is None else found[1]


def mark_used(core: RoundCore, use: AbilityUse) -> None:
    """Remember that an ability was used, for the turn or for good."""
    piece = source_of(core, use)
    if piece is not None and use.ability.uses is not None:
        if use.ability.uses == "own_turn":
            piece.used |= {use.index}
        else:
            piece.spent |= {use.index}


def is_used(piece: Piece, index: int) -> bool:
    """Tell whether an ability of a card cannot be used again now."""
    return index in piece.used or index in piece.spent


@does(Begin)
def begin(core: RoundCore, step: Begin) -> None:
    """Ask first where the card says 'may'; with an empty deck there is nothing to ask for."""
    use = step.use
    if use.cancelled:
        return
    if not use.ability.optional or use.ability.trigger not in _OFFERED:
        core.push(CarryOut(use))
    elif core.sides[use.seat].deck:
        ask(core, MayUse(use.seat, use))


@offers(MayUse)
def offer_yes_and_no(core: RoundCore, question: MayUse) -> Sequence[Reply]:
    """Yes or no."""
    return [Accept(), Decline()]


@takes(MayUse)
def use_or_not(core: RoundCore, question: MayUse, move: Reply) -> None:
    """Use the ability, or do not."""
    if isinstance(move, Accept):
        mark_used(core, question.use)
        core.push(CarryOut(question.use))
    else:
        core.emit(events.Declined(question.seat, question.use.card))


@does(CarryOut)
def carry_out(core: RoundCore, step: CarryOut) -> None:
    """Carry out one operation; the rest waits below whatever that one still has to do."""
    effects = step.use.ability.effects
    if step.at + 1 < len(effects):
        core.push(CarryOut(step.use, step.at + 1))
    perform(core, step.use, effects[step.at])
