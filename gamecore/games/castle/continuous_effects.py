"""What holds while cards are on the field: their points, what protects them, whom they may attack."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from typing import TypeVar, cast

from gamecore.games.castle import effect_schema, operations
from gamecore.games.castle.core import TOP_LEVEL, Piece, RoundCore
from gamecore.games.castle.decks import CARDS
from gamecore.games.castle.moves import Spot

F = TypeVar("F", bound=effect_schema.Fact)

_CONSTANT: Sequence[Sequence[operations.Effect]] = tuple(
    tuple(
        effect
        for ability in definition.abilities
        if ability.trigger == "field" and ability.when is None
        for effect in ability.effects
    )
    for definition in CARDS
)  # by the number of the card


@cache
def _of_kind(kind: type[F]) -> Mapping[int, Sequence[F]]:
    """Pick the constant effects of one kind, by the numbers of the few cards that have any."""
    picked = {
        card: [effect for effect in effects if isinstance(effect, kind)]
        for card, effects in enumerate(_CONSTANT)
    }
    return {card: effects for card, effects in picked.items() if effects}


def in_force(core: RoundCore, seat: int) -> list[Piece]:
    """List the cards of a side whose abilities count: its castle, and what is face up and not stunned."""
    side = core.sides[seat]
    return [side.castle, *[piece for piece in side.face_up() if not piece.stunned]]


def constants(core: RoundCore, seat: int, kind: type[F]) -> list[tuple[Piece, F]]:
    """List a side's constant effects of one kind, with the cards they belong to."""
    by_card = _of_kind(cast(Hashable, kind))
    side = core.sides[seat]
    castle = side.castle
    found = [(castle, effect) for effect in by_card.get(castle.card, ())]
    # Few cards have any, and this is asked at every move: the others are passed over first.
    for piece in side.face_up():
        if piece.card in by_card and not piece.stunned:
            found += [(piece, effect) for effect in by_card[piece.card]]
    return found


def has(core: RoundCore, seat: int, kind: type[effect_schema.Fact]) -> bool:
    """Tell whether a side has a constant effect of one kind."""
    return bool(constants(core, seat, kind))


def covers(
    core: RoundCore,
    seat: int,
    kind: type[operations.CapPoints | operations.StunImmunity | operations.Untargetable],
    sort: effect_schema.Sort,
) -> bool:
    """Tell whether a side's constant effect of one kind covers cards of a type."""
    return any(sort in effect.types for _, effect in constants(core, seat, kind))


class PointsCount:
    """What the points of a side's cards come to, as things stand; of use for as long as nothing changes."""

    __slots__ = ("_caps", "_modifiers")

    def __init__(self, core: RoundCore, seat: int) -> None:
        self._modifiers = [
            (effect.target.types, effect.amount)
            for _, effect in constants(core, seat, operations.ModifyPoints)
            if isinstance(effect.target, effect_schema.Target)
        ]
        self._caps = [effect.types for _, effect in constants(core, 1 - seat, operations.CapPoints)]

    def of(self, piece: Piece) -> int:
        """Count the points of one card: never below 0, never above a cap."""
        definition = piece.definition
        total = definition.points + piece.boost
        for types, amount in self._modifiers:
            if definition.type in types:
                total += amount
        for types in self._caps:
            if definition.type in types:
                total = min(total, definition.points)
        return max(total, 0)


def points(core: RoundCore, seat: int, piece: Piece) -> int:
    """Count the points of a card on the field of ``seat``: never below 0, never above a cap."""
    return PointsCount(core, seat).of(piece)


# -- picking --------------------------------------------------------------------------


def may_pick(core: RoundCore, chooser: int, spot: Spot, piece: Piece) -> bool:
    """Tell whether an ability of ``chooser``'s may be about a card: it is there, and nothing protects it."""
    if piece.shown:
        return False
    return spot.seat == chooser or not covers(
        core, spot.seat, operations.Untargetable, piece.definition.type
    )


def matching(
    core: RoundCore,
    seat: int,
    target: effect_schema.Target,
    source: int | None,
    attacker: int | None = None,
) -> list[tuple[Spot, Piece]]:
    """List the cards an effect of ``seat``'s may be about, its own side first, in the order of their spots.

    What strikes every card of a type picks none, so nothing protects from it.
    """
    sides = {"own": (seat,), "enemy": (1 - seat,), "any": (seat, 1 - seat)}[target.side]
    barred = {source if target.exclude_source else None}
    barred |= {attacker if target.exclude_attacker else None}
    return [
        (spot, piece)
        for side in sides
        for spot, piece in core.sides[side].pieces()
        if spot.zone in target.types
        and piece.uid not in barred
        and (may_pick(core, seat, spot, piece) or (target.count == "all" and not piece.shown))
    ]


def meets(
    core: RoundCore, seat: int, requires: effect_schema.Requires | None, source: int | None
) -> bool:
    """Tell whether what an ability requires is there, its own card left aside."""
    if requires is None:
        return True
    if len(core.sides[seat].hand) < requires.own_hand_min:
        return False
    fields: list[tuple[effect_schema.Side, tuple[effect_schema.Kind, ...]]]
    fields = [("own", requires.own_field), ("enemy", requires.enemy_field)]
    for side, types in fields:
        if types:
            wanted = effect_schema.Target(
                side, types, 1, "controller", False, True, requires.exclude_attacker
            )
            attacker = core.action.piece if core.action is not None else None
            if not matching(core, seat, wanted, source, attacker):
                return False
    return True


def has_in_play(core: RoundCore, seat: int, card: int) -> bool:
    """Tell whether a side has a certain card face up on its field."""
    return any(piece.card == card for piece in core.sides[seat].face_up())


# -- attacking (specification 1.7) ----------------------------------------------------


def cannot_attack(core: RoundCore, seat: int, piece: Piece) -> str | None:
    """Say why a card of the active player's may not attack, or None."""
    if core.turn == 1:
        return "no-attack-on-first-turn"
    if piece.definition.type not in ("soldier", "mage"):
        return "cannot-attack"
    if piece.stunned:
        return "card-stunned"
    if piece.attacks >= piece.attacks_allowed:
        return "already-attacked"
    if piece.definition.type == "mage" and piece.level < TOP_LEVEL and not piece.any_level:
        return None if has(core, seat, operations.MagesAttackAnyLevel) else "level-too-low"
    return None


def attackable(core: RoundCore, seat: int, piece: Piece) -> list[Spot]:
    """List what a card of ``seat``'s may attack, if it may attack at all."""
    enemy = 1 - seat
    taunting = {each.uid for each, _ in constants(core, enemy, operations.Taunt)}
    field = [
        (spot, each)
        for spot, each in core.sides[enemy].pieces()
        if spot.zone in ("soldier", "mage") and may_pick(core, seat, spot, each)
    ]
    if taunting:
        return [spot for spot, each in field if each.uid in taunting]
    spots = [spot for spot, _ in field]
    direct = any(each is piece for each, _ in constants(core, seat, operations.DirectCastleAttack))
    if direct or not any(core.sides[enemy].field["soldier"]):
        spots.append(Spot(enemy, "castle", 0))
    return spots
