"""Effects that are about cards on the field: who picks them, and what is done to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from attrs import define, evolve

from gamecore.games.castle import card_events, effect_schema, events
from gamecore.games.castle import operations as castle_operations
from gamecore.games.castle.continuous_effects import covers, has_in_play, matching
from gamecore.games.castle.core import AbilityUse, Piece, Question, RoundCore
from gamecore.games.castle.destroying import Destroying, place, take_off
from gamecore.games.castle.engine import ask, offers, performs, takes
from gamecore.games.castle.entering import tell_points
from gamecore.games.castle.event_types import Asking
from gamecore.games.castle.moves import Choose, Decline, Reply, Spot

Aimed = (
    castle_operations.Destroy
    | castle_operations.Stun
    | castle_operations.ModifyPoints
    | castle_operations.ExtraAttack
    | castle_operations.Steal
    | castle_operations.SwapControl
    | castle_operations.RedirectAttack
)


@define(eq=False)
class PickCards(Question):
    """Which cards on the field an effect is about, one after the other."""

    why: ClassVar[Asking] = "target"
    effect: Aimed
    target: effect_schema.Target
    left: int
    picked: tuple[int, ...] = ()


# -- picking --------------------------------------------------------------------------


def aim(core: RoundCore, use: AbilityUse, effect: Aimed, target: effect_schema.Target) -> None:
    """Find the cards an effect is about; ask only where there is a choice."""
    options = _options(core, use, target)
    count = len(options) if target.count == "all" else target.count
    if not options:
        core.emit(events.Skipped(use.seat, use.card, effect.op))
    elif len(options) <= count and not target.up_to:
        _strike(core, use, effect, tuple(piece.uid for _, piece in options))
    else:
        seat = use.seat if target.chooser == "controller" else 1 - use.seat
        ask(core, PickCards(seat, use, effect, target, count))


def _options(
    core: RoundCore, use: AbilityUse, target: effect_schema.Target
) -> list[tuple[Spot, Piece]]:
    attacker = core.action.piece if core.action is not None else None
    return matching(core, use.seat, target, use.source, attacker)


@offers(PickCards)
def offer_field(core: RoundCore, question: PickCards) -> Sequence[Reply]:
    """List the cards that may be picked and were not."""
    options = _options(core, question.use, question.target)
    left: list[Reply] = [
        Choose(spot) for spot, piece in options if piece.uid not in question.picked
    ]
    return [*left, Decline()] if question.target.up_to else left


@takes(PickCards)
def pick(core: RoundCore, question: PickCards, move: Reply) -> None:
    """Note the card, and ask for the next or strike."""
    picked = question.picked
    if isinstance(move, Choose):
        piece = core.on_field(move.spot)
        picked = picked if piece is None else (*picked, piece.uid)
        following = evolve(question, left=question.left - 1, picked=picked)
        if following.left and any(
            isinstance(each, Choose) for each in offer_field(core, following)
        ):
            ask(core, following)
            return
    else:
        core.emit(events.Declined(question.seat, question.use.card))
    _strike(core, question.use, question.effect, picked)


def _strike(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    if uids:
        core.mark(*map(core.spot_of, uids))
        use.chosen = (
            uids[0] if not isinstance(effect, castle_operations.SwapControl) else use.chosen
        )
        _STRIKES[type(effect)](core, use, effect, uids)


# -- carrying out -------------------------------------------------------------------------


def _destroy(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    core.push(Destroying(uids, "ability", use.source))


def _stun(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    stunned = False
    for uid in uids:
        found = core.find(uid)
        if found is not None and not covers(
            core, found[0].seat, castle_operations.StunImmunity, found[1].definition.type
        ):
            found[1].stunned = stunned = True
            core.emit(card_events.Stunned(found[0], found[1].card))
    if not stunned and core.tells_of_no_stun:
        core.emit(events.Skipped(use.seat, use.card, effect.op))


def _modify(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    for uid in uids:
        found = core.find(uid)
        if found is not None and isinstance(effect, castle_operations.ModifyPoints):
            _boost(core, found[1], effect.amount)


def _boost(core: RoundCore, piece: Piece, amount: int) -> None:
    piece.boost += amount
    tell_points(core, piece)


def _grant_attacks(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    for uid in uids:
        found = core.find(uid)
        if found is not None and isinstance(effect, castle_operations.ExtraAttack):
            spot, piece = found
            piece.attacks_allowed = max(piece.attacks_allowed, effect.attacks)
            core.emit(card_events.AttacksGranted(spot, piece.card, piece.attacks_allowed, False))


def _steal(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    found, slots = core.find(uids[0]), core.free_slots(use.seat, "soldier")
    if found is not None and slots and core.find(use.source) is not None:
        spot, piece = found
        home = spot.seat if piece.held_by is None else piece.home
        take_off(core, spot)
        target = Spot(use.seat, "soldier", slots[0])
        place(core, piece, target)
        piece.held_by, piece.home = use.source, home
        core.emit(card_events.ControlChanged(spot, target, piece.card, piece.owner))


def _swap(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    """Remember one's own card first, then exchange it with the enemy's."""
    if use.chosen is None and isinstance(effect, castle_operations.SwapControl):
        use.chosen = uids[0]
        aim(core, use, effect, effect.enemy)
        return
    own, enemy = core.find(use.chosen), core.find(uids[0])
    if own is not None and enemy is not None:
        for piece, source, target in ((own[1], own[0], enemy[0]), (enemy[1], enemy[0], own[0])):
            place(core, piece, target)
            core.emit(card_events.ControlChanged(source, target, piece.card, piece.owner))


def _redirect(core: RoundCore, use: AbilityUse, effect: Aimed, uids: tuple[int, ...]) -> None:
    target = core.spot_of(uids[0])
    if core.action is not None and target is not None:
        core.action.target = uids[0]
        core.emit(card_events.Redirected(core.action.number, target))


_STRIKES: dict[type, Callable[[RoundCore, AbilityUse, Aimed, tuple[int, ...]], None]] = {
    castle_operations.Destroy: _destroy,
    castle_operations.Stun: _stun,
    castle_operations.ModifyPoints: _modify,
    castle_operations.ExtraAttack: _grant_attacks,
    castle_operations.Steal: _steal,
    castle_operations.SwapControl: _swap,
    castle_operations.RedirectAttack: _redirect,
}


# -- operations -----------------------------------------------------------------------


@performs(castle_operations.Destroy)
def destroy(core: RoundCore, use: AbilityUse, effect: castle_operations.Destroy) -> None:
    """Destroy cards, more of them if a certain friend is in play."""
    target, other = effect.target, effect.count_if
    if other is not None and has_in_play(core, use.seat, other.own_field_has):
        target = evolve(target, count=other.count)
    aim(core, use, effect, target)


@performs(castle_operations.Stun)
def stun(core: RoundCore, use: AbilityUse, effect: castle_operations.Stun) -> None:
    """Stun cards; those that cannot be stunned may be picked in vain."""
    aim(core, use, effect, effect.target)


@performs(castle_operations.ExtraAttack)
def grant_attacks(core: RoundCore, use: AbilityUse, effect: castle_operations.ExtraAttack) -> None:
    """Let a card attack several times this turn."""
    aim(core, use, effect, effect.target)


@performs(castle_operations.RedirectAttack)
def redirect_attack(
    core: RoundCore, use: AbilityUse, effect: castle_operations.RedirectAttack
) -> None:
    """Aim the attack under way at another card."""
    aim(core, use, effect, effect.target)


@performs(castle_operations.Steal)
def steal(core: RoundCore, use: AbilityUse, effect: castle_operations.Steal) -> None:
    """Take control of a card, if there is a slot for it and the thief is still there."""
    if core.free_slots(use.seat, "soldier") and core.find(use.source) is not None:
        aim(core, use, effect, effect.target)
    else:
        core.emit(events.Skipped(use.seat, use.card, effect.op))


@performs(castle_operations.SwapControl)
def swap(core: RoundCore, use: AbilityUse, effect: castle_operations.SwapControl) -> None:
    """Exchange two cards, if both sides have one."""
    if _options(core, use, effect.own) and _options(core, use, effect.enemy):
        aim(core, use, effect, effect.own)
    else:
        core.emit(events.Skipped(use.seat, use.card, effect.op))


@performs(castle_operations.ModifyPoints)
def modify_points(core: RoundCore, use: AbilityUse, effect: castle_operations.ModifyPoints) -> None:
    """Change points for as long as the card is on the field."""
    if isinstance(effect.target, effect_schema.Target):
        aim(core, use, effect, effect.target)
        return
    found, amount = core.find(use.source), effect.amount
    if effect.amount_per is not None:
        wanted = effect.amount_per.enemy_field_count
        enemies = core.sides[1 - use.seat].pieces()
        amount += effect.amount_per.amount * sum(spot.zone in wanted for spot, _ in enemies)
    if found is not None:
        _boost(core, found[1], amount)


@performs(castle_operations.AllowAttack)
def allow_attack(core: RoundCore, use: AbilityUse, effect: castle_operations.AllowAttack) -> None:
    """Let the mage attack this turn at its level."""
    found = core.find(use.source)
    if found is not None:
        spot, piece = found
        piece.any_level = True
        core.emit(card_events.AttacksGranted(spot, piece.card, piece.attacks_allowed, True))
