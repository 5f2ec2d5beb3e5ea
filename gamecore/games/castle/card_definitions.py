"""What is printed on a card, and the abilities on it."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from gamecore.games.castle.effect_schema import Fact, Item, Requires, Sort, Trigger, When
from gamecore.games.castle.operations import Effect


@frozen
class Ability(Fact):
    """One thing a card does; ``level`` is what a mage must have reached for it."""

    trigger: Trigger
    text: str
    effects: tuple[Effect, ...]
    level: int = 1
    optional: bool = False
    when: When | None = None
    requires: Requires | None = None
    uses: Literal["own_turn", "card", "game"] | None = None
    voids_attack: bool = False


@frozen
class CardDefinition(Fact):
    """What is printed on a card; ``cost`` lists alternatives, each a list of parts."""

    id: int
    key: str
    name: str
    type: Sort
    limit: int
    abilities: tuple[Ability, ...]
    points: int = 0
    health: int = 0
    cost: tuple[tuple[Item, ...], ...] = ()
