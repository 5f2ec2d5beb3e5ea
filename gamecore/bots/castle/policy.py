"""The bots with a policy: one that sees to each thing by itself, and one that also plans its attacks."""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh

from gamecore.bots import Bot
from gamecore.bots.castle.answering import choose_answer
from gamecore.bots.castle.attacking import (
    at_castle,
    attack_value,
    castle_value,
    gain,
    opens_castle,
    strength,
)
from gamecore.bots.castle.perspective import Perspective, of_class, stand
from gamecore.bots.castle.playing import ability_to_use, added, play_value, worth_playing
from gamecore.bots.castle.replying import choose_reply
from gamecore.games.castle import CARDS
from gamecore.games.castle import moves as castle_moves
from gamecore.rules import Chance, Move, View

_A_LEAD = 60.0  # points that are three quarters of the way to a sure win


class PolicyBot(Bot):
    """Plays the costliest card it may, levels, uses what gains, and attacks downwards only."""

    eager = False  # to turn up tricksters that gain something whatever the enemy does
    moves_ahead = 24
    costly = True

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Decide by what is awaited."""
        perspective = Perspective.of(view)
        match perspective.view.stage:
            case "mulligan":
                return _accept_or_redraw(perspective, moves)
            case "window":
                return choose_answer(perspective, moves, self.eager)
            case "question":
                return choose_reply(perspective, moves)
        return self._act(perspective, moves)

    def outlook(self, view: View) -> float:
        """Judge by what both castles bear, and by the cards on the field and in the hands."""
        perspective = Perspective.of(view)
        return 0.5 + 0.5 * tanh((stand(perspective.own) - stand(perspective.enemy)) / _A_LEAD)

    def _act(self, perspective: Perspective, moves: Sequence[Move]) -> Move:
        choice = (
            _draw(moves)
            or self.play(perspective, of_class(castle_moves.PlayCard, moves))
            or next(iter(of_class(castle_moves.LevelMage, moves)), None)
            or ability_to_use(perspective, moves)
            or self.attack(perspective, of_class(castle_moves.Attack, moves))
        )
        return choice or moves[-1]

    def play(
        self, perspective: Perspective, plays: Sequence[castle_moves.PlayCard]
    ) -> castle_moves.PlayCard | None:
        """Play the costliest soldier it can afford, then a mage, a decree, and all tricksters."""
        fit = [each for each in plays if worth_playing(perspective, each)]
        return max(fit, key=lambda each: play_value(perspective, each), default=None)

    def attack(
        self, perspective: Perspective, attacks: Sequence[castle_moves.Attack]
    ) -> castle_moves.Attack | None:
        """Kill something with the smallest attacker that can, otherwise hit the castle; never attack upwards."""
        kills = [each for each in attacks if gain(perspective, each) > 0 and not at_castle(each)]
        if kills:
            return max(
                kills, key=lambda each: (gain(perspective, each), -strength(perspective, each))
            )
        return next(filter(at_castle, attacks), None)


class PlanningBot(PolicyBot):
    """Looks one attack further, pays only for what is worth more, and lets no trickster lie idle."""

    eager = True
    quick = PolicyBot()

    def play(
        self, perspective: Perspective, plays: Sequence[castle_moves.PlayCard]
    ) -> castle_moves.PlayCard | None:
        """Play what adds most to the board, with what it does on entry and without what is paid for it."""
        fit = [
            each
            for each in plays
            if worth_playing(perspective, each) and added(perspective, each) > 0
        ]
        return max(fit, key=lambda each: added(perspective, each), default=None)

    def attack(
        self, perspective: Perspective, attacks: Sequence[castle_moves.Attack]
    ) -> castle_moves.Attack | None:
        """Take the attack that is worth most together with the best that may follow."""
        best = max(attacks, key=lambda each: self._value(perspective, each, attacks), default=None)
        return best if best is not None and self._value(perspective, best, attacks) > 0 else None

    def _value(
        self,
        perspective: Perspective,
        attack: castle_moves.Attack,
        attacks: Sequence[castle_moves.Attack],
    ) -> float:
        value = attack_value(perspective, attack)
        others = [each for each in attacks if each.attacker != attack.attacker]
        follow = [
            attack_value(perspective, each) for each in others if each.target != attack.target
        ]
        if opens_castle(perspective, attack):
            free = {each.attacker: perspective.points_at(each.attacker) for each in others}
            follow += [castle_value(perspective, sum(free.values()))]
        return value + 0.5 * max([0.0, *follow])


def _draw(moves: Sequence[Move]) -> Move | None:
    return next(iter(of_class(castle_moves.DrawCard, moves)), None)


def _accept_or_redraw(perspective: Perspective, moves: Sequence[Move]) -> Move:
    """Redraw once, and only a hand with no soldier and nothing that is free."""
    definitions = [CARDS[each.card] for each in perspective.own.hand if each.card is not None]
    useful = any(definition.type == "soldier" or not definition.cost for definition in definitions)
    return moves[0] if useful or perspective.own.mulligans or len(moves) < 2 else moves[1]
