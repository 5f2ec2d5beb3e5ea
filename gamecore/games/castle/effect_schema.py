"""The vocabulary of the cards: who, which, when and for what price.

A card is data (``cards.json``), and this is its grammar: a definition (``card_definitions``) has a cost and
abilities, an ability has a trigger and effects, an effect is one of the ``operations`` with its own few words.  The
classes are the schema as well: what they do not know cannot be read.
"""

from __future__ import annotations

from typing import Literal, Self

from attrs import frozen

Kind = Literal["soldier", "mage", "trickster", "decree"]
Zone = Literal["hand", "soldier", "mage", "trickster", "decree", "castle", "deck", "discard"]
Sort = Literal["castle", "decree", "soldier", "trickster", "mage"]
Wanted = Literal[
    "soldier", "mage", "trickster", "decree", "same_type_as_destroyed", "same_type_as_attacker"
]
Side = Literal["own", "enemy", "any"]
Player = Literal["self", "enemy"]
Trigger = Literal[
    "on_play",
    "on_level",
    "in_play",
    "field",
    "special",
    "response",
    "replacement",
    "on_destroy_enemy",
    "decree_timer",
]
Occasion = Literal[
    "enemy_action",
    "enemy_attack",
    "enemy_ability",
    "enemy_trickster_activated",
    "card_destroyed",
    "card_would_be_destroyed",
    "castle_would_fall",
    "card_destroyed_by_this",
]


class Fact:
    """What is printed never changes, so a copy of it is itself."""

    __slots__ = ()

    def __deepcopy__(self, memo: object) -> Self:
        return self


# -- who and which --------------------------------------------------------------------


@frozen
class Filter(Fact):
    """Which cards of a deck or a hand will do."""

    types: tuple[Wanted, ...] = ()
    card_id: int | None = None
    printed_cost: Literal["none"] | None = None


@frozen
class Target(Fact):
    """Which cards on the field an effect is about, and who picks them."""

    side: Side
    types: tuple[Kind, ...]
    count: int | Literal["all"] = 1
    chooser: Literal["controller", "opponent"] = "controller"
    up_to: bool = False
    exclude_source: bool = False
    exclude_attacker: bool = False


@frozen
class AmountIf(Fact):
    """Another amount while the controller has a certain card in play."""

    own_field_has: int
    amount: int | Literal["full"]


@frozen
class CountIf(Fact):
    """Another count of targets while the controller has a certain card in play."""

    own_field_has: int
    count: int | Literal["all"]


@frozen
class AmountPer(Fact):
    """An amount for each of the enemy's cards of some types."""

    enemy_field_count: tuple[Kind, ...]
    amount: int


# -- occasions, requirements and costs --------------------------------------------------


@frozen
class When(Fact):
    """What an ability answers to or follows from."""

    event: Occasion
    owner: Player | None = None
    types: tuple[Kind, ...] = ()
    during: Literal["own_turn"] | None = None
    attacker_types: tuple[Kind, ...] = ()
    kinds: tuple[
        Literal["on_play", "on_level", "in_play", "special", "trickster", "decree"], ...
    ] = ()
    with_op: tuple[Literal["draw", "search"], ...] = ()


@frozen
class Requires(Fact):
    """What must be there before a card or an ability may be used at all."""

    own_field: tuple[Kind, ...] = ()
    enemy_field: tuple[Kind, ...] = ()
    own_hand_min: int = 0
    exclude_attacker: bool = False


@frozen
class Item(Fact):
    """One part of a cost: cards of one's own field, or health of one's own castle."""

    pay: Literal["destroy_own", "castle_health"]
    amount: int = 0
    card_type: Kind | None = None
    count: int = 0
    card_id: int | None = None
    min_level: int = 0
