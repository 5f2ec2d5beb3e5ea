"""What an effect can do, one frozen class an operation.

What an operation does is said where it ``performs``: in ``dealing``, ``discarding``, ``castles``,
``destroying``, ``entering``, ``targeting`` and ``answering``; the constant ones are asked for in
``continuous_effects``.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from attrs import frozen

from gamecore.games.castle.effect_schema import (
    AmountIf,
    AmountPer,
    CountIf,
    Fact,
    Filter,
    Kind,
    Player,
    Target,
)

# -- operations that happen once ------------------------------------------------------


@frozen
class Draw(Fact):
    """Take cards from the top of one's own deck."""

    op: ClassVar = "draw"
    amount: int | Literal["sum_enemy_mage_levels"]
    amount_if: AmountIf | None = None


@frozen
class Search(Fact):
    """Choose cards from one's own deck, take them and shuffle."""

    op: ClassVar = "search"
    filter: Filter
    amount: int = 1


@frozen
class LookTop(Fact):
    """Look at the top of one's own deck, take some and shuffle."""

    op: ClassVar = "look_top"
    amount: int
    take: int


@frozen
class OpponentMaySearch(Fact):
    """Let the enemy take copies of the cards just taken from their own deck."""

    op: ClassVar = "opponent_may_search"
    amount: int


@frozen
class CopyDrawOrSearch(Fact):
    """Draw or fetch what the cancelled ability would have drawn or fetched."""

    op: ClassVar = "copy_draw_or_search"


@frozen
class Discard(Fact):
    """Put cards from a hand on its owner's discard pile."""

    op: ClassVar = "discard"
    player: Player
    amount: int
    chooser: Literal["controller", "random"] = "controller"


@frozen
class PlayCard(Fact):
    """Put a card into play at its cost, outside the allowance of the turn."""

    op: ClassVar = "play_card"
    sources: tuple[Literal["hand", "deck"], ...]
    filter: Filter
    cancel_on_play: bool = False
    level_to: int | None = None
    points_bonus: int = 0
    optional: bool = False


@frozen
class Destroy(Fact):
    """Put cards from the field on their owners' discard piles."""

    op: ClassVar = "destroy"
    target: Target
    count_if: CountIf | None = None


@frozen
class DestroySelf(Fact):
    """Give up the card whose ability this is."""

    op: ClassVar = "destroy_self"


@frozen
class DestroySource(Fact):
    """Destroy the card whose ability was answered."""

    op: ClassVar = "destroy_source"


@frozen
class DestroyAttacker(Fact):
    """Destroy the card that has declared the attack."""

    op: ClassVar = "destroy_attacker"


@frozen
class Stun(Fact):
    """No attacks and no abilities until its controller's turn is over."""

    op: ClassVar = "stun"
    target: Target


@frozen
class HealCastle(Fact):
    """Raise the health of one's own castle, never above what is printed."""

    op: ClassVar = "heal_castle"
    amount: int
    amount_if: AmountIf | None = None


@frozen
class DamageCastle(Fact):
    """Lower the health of a castle."""

    op: ClassVar = "damage_castle"
    player: Player
    amount: int


@frozen
class SetCastleHealth(Fact):
    """Set the health of one's own castle."""

    op: ClassVar = "set_castle_health"
    amount: int


@frozen
class ModifyPoints(Fact):
    """Add to points: for good when it happens, for as long as it stands when it is constant."""

    op: ClassVar = "modify_points"
    target: Target | Literal["self"]
    amount: int = 0
    amount_per: AmountPer | None = None


@frozen
class LevelSelf(Fact):
    """Raise the mage itself to a level at once."""

    op: ClassVar = "level_self"
    level: int


@frozen
class ExtraAttack(Fact):
    """Let a card attack several times this turn."""

    op: ClassVar = "extra_attack"
    target: Target
    attacks: int


@frozen
class AllowAttack(Fact):
    """Let the mage itself attack this turn at any level."""

    op: ClassVar = "allow_attack"
    target: Literal["self"]


@frozen
class ReduceCost(Fact):
    """Leave cards out of a cost: of one card played this turn, or of the card just fetched."""

    op: ClassVar = "reduce_cost"
    scope: Literal["next_card_played", "fetched_card"]
    items: int


@frozen
class PreventDestroy(Fact):
    """Save one's own cards from being destroyed: one now, or all for this turn."""

    op: ClassVar = "prevent_destroy"
    uses: int | Literal["all"]


@frozen
class Steal(Fact):
    """Take control of an enemy card for as long as the source is in play."""

    op: ClassVar = "steal"
    target: Target


@frozen
class SwapControl(Fact):
    """Let a card of each side change sides for good."""

    op: ClassVar = "swap_control"
    own: Target
    enemy: Target


@frozen
class Cancel(Fact):
    """Take what is answered off the stack."""

    op: ClassVar = "cancel"
    what: Literal["trickster", "ability"]


@frozen
class RedirectAttack(Fact):
    """Point the declared attack at another card."""

    op: ClassVar = "redirect_attack"
    target: Target


@frozen
class Reveal(Fact):
    """Look at cards of the enemy's."""

    op: ClassVar = "reveal"
    what: Literal["field_tricksters", "hand"]


@frozen
class Schedule(Fact):
    """Destroy a card at the end of a later turn, counted from this one as the first."""

    op: ClassVar = "schedule"
    what: Literal["destroy_self", "destroy_target", "destroy_played_card"]
    turns: int
    whose: Literal["own", "any"]


# -- operations that hold while their card is in play ---------------------------------


@frozen
class CapPoints(Fact):
    """Enemy cards of these types never have more than their printed points."""

    op: ClassVar = "cap_points"
    types: tuple[Kind, ...]


@frozen
class StunImmunity(Fact):
    """One's own cards of these types cannot be stunned."""

    op: ClassVar = "stun_immunity"
    types: tuple[Kind, ...]


@frozen
class NoHandLimit(Fact):
    """The hand may hold any number of cards."""

    op: ClassVar = "no_hand_limit"


@frozen
class Taunt(Fact):
    """Enemy attacks may only be aimed at cards that say this."""

    op: ClassVar = "taunt"


@frozen
class DirectCastleAttack(Fact):
    """The card itself may attack the castle behind soldiers."""

    op: ClassVar = "direct_castle_attack"


@frozen
class MagesAttackAnyLevel(Fact):
    """One's own mages may attack at any level."""

    op: ClassVar = "mages_attack_any_level"


@frozen
class Untargetable(Fact):
    """One's own cards of these types cannot be picked by enemy abilities or attacks."""

    op: ClassVar = "untargetable"
    types: tuple[Kind, ...]


Effect = (
    Draw
    | Search
    | LookTop
    | OpponentMaySearch
    | CopyDrawOrSearch
    | Discard
    | PlayCard
    | Destroy
    | DestroySelf
    | DestroySource
    | DestroyAttacker
    | Stun
    | HealCastle
    | DamageCastle
    | SetCastleHealth
    | ModifyPoints
    | LevelSelf
    | ExtraAttack
    | AllowAttack
    | ReduceCost
    | PreventDestroy
    | Steal
    | SwapControl
    | Cancel
    | RedirectAttack
    | Reveal
    | Schedule
    | CapPoints
    | StunImmunity
    | NoHandLimit
    | Taunt
    | DirectCastleAttack
    | MagesAttackAnyLevel
    | Untargetable
)
