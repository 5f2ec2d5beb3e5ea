"""Opponents at Castle Wars: one that goes by the old scripts, one with a policy, one that also plans its attacks.

They know their View and the printed cards, and keep nothing in mind between two decisions.  What a card is worth is
its points, and something for its levels; face-down cards are worth what they may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from attrs import define

from gamecore.bots import Bot
from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.card_definitions import Ability, CardDefinition
from gamecore.games.castle.operations import Destroy, Draw, Effect
from gamecore.games.castle.view import ActionView, FieldCard, QuestionView, SideView
from gamecore.rules import Chance, Move, View

M = TypeVar("M", bound=Move)

_WORTH = {"trickster": 12, "decree": 11, "castle": 0, "soldier": 0, "mage": 4}
_A_LEVEL = 5
_BIG_HIT = 15  # damage to the castle that is worth an answer
_BIG_CARD = 20  # points of a card that are worth an answer
_LAST_CARDS = 4  # so few cards in the deck are left alone
_GAINS = frozenset(
    {"draw", "search", "heal_castle", "destroy", "play_card", "stun", "extra_attack"}
)
_FAVOURS = frozenset({"modify_points", "extra_attack"})
_STRIKES = frozenset({"destroy", "destroy_attacker", "destroy_source", "stun"})


@define
class Board:
    """One View, from the side of who is to move."""

    view: CastleView
    me: int

    @classmethod
    def of(cls, view: View) -> Board:
        """Take a View as one's own of a duel."""
        assert isinstance(view, CastleView) and view.seat is not None
        return cls(view, view.seat)

    @property
    def own(self) -> SideView:
        """My side."""
        return self.view.sides[self.me]

    @property
    def enemy(self) -> SideView:
        """The other side."""
        return self.view.sides[1 - self.me]

    def at(self, spot: castle_moves.Spot | None) -> FieldCard | None:
        """Find the card at a spot of the field."""
        if spot is None or spot.seat not in (0, 1):
            return None
        return next((card for card in self.view.sides[spot.seat].field if card.spot == spot), None)

    def worth_at(self, spot: castle_moves.Spot) -> int:
        """Say what the card at a spot, on the field or in a hand, is worth to its side."""
        if spot.zone == "hand":
            card = self.view.sides[spot.seat].hand[spot.slot].card
            return _WORTH["trickster"] if card is None else worth_of(CARDS[card])
        seen = self.at(spot)
        return 0 if seen is None else worth(seen)

    def points_at(self, spot: castle_moves.Spot) -> int:
        """Say how many points the card at a spot has."""
        seen = self.at(spot)
        return 0 if seen is None else seen.points

    def definition_at(self, spot: castle_moves.Spot | None) -> CardDefinition | None:
        """Find what is printed on the card at a spot, if that is known."""
        seen = self.at(spot)
        return None if seen is None or seen.card is None else CARDS[seen.card]


def worth_of(definition: CardDefinition) -> int:
    """Say what a card is worth as printed."""
    return definition.points + _WORTH[definition.type]


def worth(card: FieldCard) -> int:
    """Say what a card on the field is worth."""
    if card.spot.zone in ("trickster", "decree"):
        return _WORTH[card.spot.zone]
    return card.points + _WORTH[card.spot.zone] + _A_LEVEL * card.level


def ops_of(ability: Ability) -> frozenset[str]:
    """Name the operations of an ability."""
    return frozenset(effect.op for effect in ability.effects)


def of_class(kind: type[M], moves: Iterable[Move]) -> list[M]:
    """Pick the moves of one class."""
    return [move for move in moves if isinstance(move, kind)]


# -- the policy -----------------------------------------------------------------------


class PolicyBot(Bot):
    """Plays the costliest card it may, levels, uses what gains, and attacks downwards only."""

    eager = False  # to turn up tricksters that gain something whatever the enemy does

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Decide by what is awaited."""
        board = Board.of(view)
        match board.view.stage:
            case "mulligan":
                return _accept_or_redraw(board, moves)
            case "window":
                return _answer(board, moves, self.eager)
            case "question":
                return _reply(board, moves)
        return self._act(board, moves)

    def _act(self, board: Board, moves: Sequence[Move]) -> Move:
        choice = (
            _draw(moves)
            or self.play(board, of_class(castle_moves.PlayCard, moves))
            or next(iter(of_class(castle_moves.LevelMage, moves)), None)
            or _use(board, moves)
            or self.attack(board, of_class(castle_moves.Attack, moves))
        )
        return choice or moves[-1]

    def play(
        self, board: Board, plays: Sequence[castle_moves.PlayCard]
    ) -> castle_moves.PlayCard | None:
        """Play the costliest soldier it can afford, then a mage, a decree, and all tricksters."""
        fit = [each for each in plays if _worth_playing(board, each)]
        return max(fit, key=lambda each: _play_value(board, each), default=None)

    def attack(
        self, board: Board, attacks: Sequence[castle_moves.Attack]
    ) -> castle_moves.Attack | None:
        """Kill something with the smallest attacker that can, otherwise hit the castle; never attack upwards."""
        kills = [each for each in attacks if _gain(board, each) > 0 and not _at_castle(each)]
        if kills:
            return max(kills, key=lambda each: (_gain(board, each), -_strength(board, each)))
        return next(filter(_at_castle, attacks), None)


class PlanningBot(PolicyBot):
    """Looks one attack further, pays only for what is worth more, and lets no trickster lie idle."""

    eager = True

    def play(
        self, board: Board, plays: Sequence[castle_moves.PlayCard]
    ) -> castle_moves.PlayCard | None:
        """Play what adds most to the board, with what it does on entry and without what is paid for it."""
        fit = [each for each in plays if _worth_playing(board, each) and _added(board, each) > 0]
        return max(fit, key=lambda each: _added(board, each), default=None)

    def attack(
        self, board: Board, attacks: Sequence[castle_moves.Attack]
    ) -> castle_moves.Attack | None:
        """Take the attack that is worth most together with the best that may follow."""
        best = max(attacks, key=lambda each: self._value(board, each, attacks), default=None)
        return best if best is not None and self._value(board, best, attacks) > 0 else None

    def _value(
        self, board: Board, attack: castle_moves.Attack, attacks: Sequence[castle_moves.Attack]
    ) -> float:
        value = _value_of(board, attack)
        others = [each for each in attacks if each.attacker != attack.attacker]
        follow = [_value_of(board, each) for each in others if each.target != attack.target]
        if _opens_castle(board, attack):
            free = {each.attacker: board.points_at(each.attacker) for each in others}
            follow += [_castle_value(board, sum(free.values()))]
        return value + 0.5 * max([0.0, *follow])


def _draw(moves: Sequence[Move]) -> Move | None:
    return next(iter(of_class(castle_moves.DrawCard, moves)), None)


def _accept_or_redraw(board: Board, moves: Sequence[Move]) -> Move:
    """Redraw once, and only a hand with no soldier and nothing that is free."""
    definitions = [CARDS[each.card] for each in board.own.hand if each.card is not None]
    useful = any(definition.type == "soldier" or not definition.cost for definition in definitions)
    return moves[0] if useful or board.own.mulligans or len(moves) < 2 else moves[1]


# -- playing cards --------------------------------------------------------------------


def _definition_of(board: Board, move: castle_moves.PlayCard) -> CardDefinition:
    card = board.own.hand[move.hand].card
    assert card is not None
    return CARDS[card]


def _worth_playing(board: Board, move: castle_moves.PlayCard) -> bool:
    """Never pay with a card that has more points than the one played; keep a soldier on the field."""
    definition = _definition_of(board, move)
    if any(board.points_at(spot) > definition.points for spot in move.pay):
        return False
    soldiers = sum(card.spot.zone == "soldier" for card in board.own.field)
    paid = sum(spot.zone == "soldier" for spot in move.pay)
    remaining = soldiers - paid + (definition.type == "soldier")
    return definition.type in ("trickster", "decree") or remaining > 0 or not paid


def _play_value(board: Board, move: castle_moves.PlayCard) -> tuple[int, int, int]:
    definition = _definition_of(board, move)
    order = {"soldier": 3, "mage": 2, "decree": 1, "trickster": 0}[definition.type]
    paid = sum(board.worth_at(spot) for spot in move.pay)
    return order, worth_of(definition) - (paid + 1) // 2, -move.slot


def _added(board: Board, move: castle_moves.PlayCard) -> int:
    """Say what a play adds: a card drawn or fetched counts half a card, one destroyed what it is worth."""
    definition = _definition_of(board, move)
    added = worth_of(definition) - sum(board.worth_at(spot) for spot in move.pay)
    for ability in definition.abilities if definition.type != "trickster" else ():
        if ability.trigger == "on_play":
            added += sum(_entry_value(board, effect) for effect in ability.effects)
    return added


def _entry_value(board: Board, effect: Effect) -> int:
    if isinstance(effect, Draw):
        amount = effect.amount if isinstance(effect.amount, int) else 1
        return 6 * amount if board.own.deck_count > amount else -100
    if isinstance(effect, Destroy):
        targets = [card for card in board.enemy.field if card.spot.zone in effect.target.types]
        return max(map(worth, targets), default=0)
    return {"search": 7, "play_card": 12, "damage_castle": 8, "stun": 5}.get(effect.op, 0)


def _use(board: Board, moves: Sequence[Move]) -> castle_moves.UseAbility | None:
    uses = of_class(castle_moves.UseAbility, moves)
    return next((each for each in uses if _worth_using(board, each)), None)


def _worth_using(board: Board, move: castle_moves.UseAbility) -> bool:
    definition = board.definition_at(move.source)
    if definition is None:
        return False
    ops = ops_of(definition.abilities[move.ability])
    if not ops & _GAINS:
        return "prevent_destroy" in ops
    if "draw" in ops and board.own.deck_count <= _LAST_CARDS:
        return False
    if ops == {"heal_castle"}:
        return _damaged(board)
    enemies = len(board.enemy.field)
    if "destroy_self" in ops:
        return enemies > 1 if "destroy" in ops else len(board.own.hand) < 4
    return enemies > 0 or "destroy" not in ops


def _damaged(board: Board) -> bool:
    castle, health = board.own.castle, board.own.health
    return castle is not None and health is not None and health < CARDS[castle].health


# -- attacking ------------------------------------------------------------------------


def _at_castle(attack: castle_moves.Attack) -> bool:
    return attack.target.zone == "castle"


def _strength(board: Board, attack: castle_moves.Attack) -> int:
    return board.points_at(attack.attacker)


def _gain(board: Board, attack: castle_moves.Attack) -> int:
    """Say what an attack on a card gains: its worth, less that of an attacker that falls with it."""
    difference = _strength(board, attack) - board.points_at(attack.target)
    if difference < 0:
        return -1
    lost = 0 if difference else board.worth_at(attack.attacker)
    return board.worth_at(attack.target) - lost + (not difference)


def _value_of(board: Board, attack: castle_moves.Attack) -> float:
    if _at_castle(attack):
        return _castle_value(board, _strength(board, attack))
    return float(_gain(board, attack))


def _castle_value(board: Board, damage: int) -> float:
    health = board.enemy.health or 1
    return 1000.0 if damage >= health else damage * (0.6 + 20 / (health + 20))


def _opens_castle(board: Board, attack: castle_moves.Attack) -> bool:
    soldiers = [card.spot for card in board.enemy.field if card.spot.zone == "soldier"]
    return soldiers == [attack.target] and _gain(board, attack) >= 0


# -- answering ------------------------------------------------------------------------


def _answer(board: Board, moves: Sequence[Move], eager: bool) -> Move:
    """Answer what is dangerous, with what helps against it; cancel whatever answers one's own actions."""
    action = board.view.action
    answers = [each for each in moves if not isinstance(each, castle_moves.AllowAction)]
    if action is None or not answers:
        return moves[-1]
    if action.seat == board.me:
        return answers[0] if action.doing in ("attack", "ability", "play") else moves[-1]
    if any(each.seat == board.me and not each.cancelled for each in action.answers):
        return moves[-1]  # one answer is enough
    scored = [(_answer_value(board, action, each, eager), -at) for at, each in enumerate(answers)]
    value, at = max(scored)
    return answers[-at] if value > 0 else moves[-1]


def _answer_value(board: Board, action: ActionView, move: Move, eager: bool) -> int:
    if not isinstance(move, castle_moves.ActivateTrickster):
        return 0
    definition = board.definition_at(castle_moves.Spot(board.me, "trickster", move.slot))
    if definition is None:
        return 0
    ability = definition.abilities[0]
    ops = ops_of(ability)
    if action.doing == "attack" and _is_dangerous(board, action):
        return 30 if "destroy_attacker" in ops else 20 if ability.voids_attack else 10
    if "cancel" in ops:
        return 15 if _hurts(action) else 0
    targets = [each.target for each in ability.effects if isinstance(each, Destroy)]
    types = {kind for target in targets if target.side != "own" for kind in target.types}
    big = [card for card in board.enemy.field if card.spot.zone in types]
    if any(card.points >= _BIG_CARD for card in big):
        return 12
    return 5 if eager and ops & {"draw", "play_card"} and board.own.deck_count > _LAST_CARDS else 0


def _is_dangerous(board: Board, action: ActionView) -> bool:
    """Tell whether an attack would kill a better card, or hit the castle hard."""
    attacker, target = action.source, action.target
    if attacker is None or target is None:
        return False
    strength = board.points_at(attacker)
    if target.zone == "castle":
        return strength >= min(_BIG_HIT, board.own.health or 1)
    return strength > board.points_at(target) and board.worth_at(target) >= _WORTH["trickster"]


def _hurts(action: ActionView) -> bool:
    """Tell whether the ability of an action is worth cancelling."""
    if action.card is None or action.ability is None:
        return False
    return bool(ops_of(CARDS[action.card].abilities[action.ability]) & (_STRIKES | {"play_card"}))


# -- questions ------------------------------------------------------------------------


def _reply(board: Board, moves: Sequence[Move]) -> Move:
    """Pick the enemy's best card, one's own least, and say yes to what costs nothing."""
    question = board.view.question
    puts, takes = of_class(castle_moves.PutCard, moves), of_class(castle_moves.TakeCard, moves)
    chosen = of_class(castle_moves.Choose, moves)
    if puts:
        return max(puts, key=lambda each: _put_value(board, each))
    if takes:
        return max(takes, key=lambda each: worth_of(CARDS[each.card]))
    if chosen and question is not None:
        return _pick(board, question, chosen)
    few = board.own.deck_count <= _LAST_CARDS
    may_draw = question is not None and question.why == "may" and _draws(question)
    return moves[-1] if may_draw and few else moves[0]


def _draws(question: QuestionView) -> bool:
    return any("draw" in ops_of(ability) for ability in CARDS[question.card].abilities)


def _put_value(board: Board, move: castle_moves.PutCard) -> int:
    return worth_of(CARDS[move.card]) - sum(board.worth_at(spot) for spot in move.pay)


def _pick(
    board: Board, question: QuestionView, chosen: Sequence[castle_moves.Choose]
) -> castle_moves.Choose:
    enemy = [each for each in chosen if each.spot.seat != board.me]
    if enemy:
        return max(enemy, key=lambda each: board.worth_at(each.spot))
    favour = question.why == "target" and any(
        ops_of(ability) & _FAVOURS for ability in CARDS[question.card].abilities
    )
    pick = max if favour else min
    return pick(chosen, key=lambda each: board.worth_at(each.spot))


# -- the scripts ----------------------------------------------------------------------


class ScriptBot(Bot):
    """The old computer player as it was meant: play, attack, level, end the turn, in the old order."""

    def choose(self, view: View, moves: Sequence[Move], chance: Chance) -> Move:
        """Take the first of the script's preferences that is legal; now and then a script is a short one."""
        board = Board.of(view)
        if board.view.stage == "window":
            return moves[0] if chance.random() < 0.5 else moves[-1]
        if board.view.stage != "turn" or isinstance(moves[0], castle_moves.DrawCard):
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


LEVELS: Mapping[str, Bot] = {"easy": ScriptBot(), "normal": PolicyBot(), "hard": PlanningBot()}
