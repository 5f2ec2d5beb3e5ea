"""The bot that goes by the old scripts."""

from __future__ import annotations

from collections.abc import Sequence

from gamecore.bots import Bot
from gamecore.bots.castle.perspective import Perspective, of_class
from gamecore.games.castle import moves as castle_moves
from gamecore.rules import Chance, Move, View


class ScriptBot(Bot):
    """The old computer player as it was meant: play, attack, level, end the turn, in the old order."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Take the first of the script's preferences that is legal; now and then a script is a short one."""
        perspective = Perspective.of(view)
        if perspective.view.stage == "window":
            return moves[0] if chance.random() < 0.5 else moves[-1]
        if perspective.view.stage != "turn" or isinstance(moves[0], castle_moves.DrawCard):
            return moves[0]
        plays, attacks = (
            of_class(castle_moves.PlayCard, moves),
            of_class(castle_moves.Attack, moves),
        )
        levels = of_class(castle_moves.LevelMage, moves)
        if plays:
            return max(plays, key=lambda each: (-each.hand, each.slot))
        if attacks and chance.random() < 0.9:
            return min(attacks, key=_by_script)
        return levels[0] if levels and chance.random() < 0.8 else moves[-1]


def _by_script(attack: castle_moves.Attack) -> tuple[int, int, int]:
    """Soldiers on soldiers first, the enemy's first slot before its second; then mages and castles."""
    duel = attack.attacker.zone == attack.target.zone == "soldier"
    return 0 if duel else 1, attack.target.slot, attack.attacker.slot
