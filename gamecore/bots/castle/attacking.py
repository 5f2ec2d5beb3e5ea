"""What attacks are worth."""

from __future__ import annotations

from gamecore.bots.castle.perspective import Perspective
from gamecore.games.castle import moves as castle_moves


def at_castle(attack: castle_moves.Attack) -> bool:
    """Tell whether an attack is aimed at the castle."""
    return attack.target.zone == "castle"


def strength(perspective: Perspective, attack: castle_moves.Attack) -> int:
    """Count the points of an attacker."""
    return perspective.points_at(attack.attacker)


def gain(perspective: Perspective, attack: castle_moves.Attack) -> int:
    """Say what an attack on a card gains: its worth, less that of an attacker that falls with it."""
    difference = strength(perspective, attack) - perspective.points_at(attack.target)
    if difference < 0:
        return -1
    lost = 0 if difference else perspective.worth_at(attack.attacker)
    return perspective.worth_at(attack.target) - lost + (not difference)


def attack_value(perspective: Perspective, attack: castle_moves.Attack) -> float:
    """Say what an attack gains, in points: at the castle, or at a card."""
    if at_castle(attack):
        return castle_value(perspective, strength(perspective, attack))
    return float(gain(perspective, attack))


def castle_value(perspective: Perspective, damage: int) -> float:
    """Say what damage to the enemy's castle is worth: the more, the nearer it is to falling."""
    health = perspective.enemy.health or 1
    return 1000.0 if damage >= health else damage * (0.6 + 20 / (health + 20))


def opens_castle(perspective: Perspective, attack: castle_moves.Attack) -> bool:
    """Tell whether an attack removes the last soldier before the enemy's castle."""
    soldiers = [card.spot for card in perspective.enemy.field if card.spot.zone == "soldier"]
    return soldiers == [attack.target] and gain(perspective, attack) >= 0
