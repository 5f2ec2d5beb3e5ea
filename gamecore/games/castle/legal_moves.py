"""What the active player may do in its turn, and why not: the same reasons for checking and for listing."""

from __future__ import annotations

from collections.abc import Iterator

from gamecore.games.castle.abilities import is_used
from gamecore.games.castle.continuous_effects import attackable, cannot_attack, meets
from gamecore.games.castle.core import SLOTS, TOP_LEVEL, RoundCore, kind_of
from gamecore.games.castle.costs import may_enter, ways_to_pay, ways_to_put
from gamecore.games.castle.moves import (
    Attack,
    DrawCard,
    EndTurn,
    LevelMage,
    PlayCard,
    Spot,
    UseAbility,
)
from gamecore.rules import Move

REASONS = frozenset(
    {
        "game-over",
        "no-such-move",
        "not-now",
        # in the mulligan
        "accept-hand-first",
        "hand-accepted",
        "hand-too-small",
        # out of turn, and while somebody is asked
        "not-your-turn",
        "enemy-answers",
        "answer-first",
        "not-offered",
        # in one's turn
        "no-draw-now",
        "draw-first",
        "no-such-card",
        "no-such-slot",
        "slot-taken",
        "one-soldier-a-turn",
        "one-mage-a-turn",
        "cost-unpayable",
        "wrong-cost",
        "nothing-to-do",
        "top-level",
        "just-arrived",
        "already-levelled",
        "no-such-ability",
        "not-by-choice",
        "level-too-low",
        "card-stunned",
        "ability-used",
        "cannot-attack",
        "no-attack-on-first-turn",
        "already-attacked",
        "bad-target",
    }
)  # every key that a move is refused with; a deck has its own (see ``decks``)


def why_not(core: RoundCore, seat: int, move: Move) -> str | None:
    """Give the key of what forbids a move in one's own turn, or None."""
    if isinstance(move, DrawCard):
        return None if core.to_draw else "no-draw-now"
    if not isinstance(move, PlayCard | LevelMage | UseAbility | Attack | EndTurn):
        return "not-now"
    if core.to_draw:
        return "draw-first"
    match move:
        case PlayCard():
            return _why_not_play(core, seat, move)
        case LevelMage():
            return _why_not_level(core, seat, move)
        case UseAbility():
            return _why_not_use(core, seat, move)
        case Attack():
            return _why_not_attack(core, seat, move)
    return None


def _why_not_play(core: RoundCore, seat: int, move: PlayCard) -> str | None:
    side = core.sides[seat]
    if not 0 <= move.hand < len(side.hand):
        return "no-such-card"
    piece = side.hand[move.hand]
    kind = kind_of(piece)
    if kind in side.played:
        return f"one-{kind}-a-turn"
    if not 0 <= move.slot < SLOTS[kind]:
        return "no-such-slot"
    if not may_enter(core, seat, piece):
        return "nothing-to-do"
    ways = ways_to_pay(core, seat, piece)
    if not ways:
        return "cost-unpayable"
    if move.pay not in ways:
        return "wrong-cost"
    free = core.is_free(seat, kind, move.slot) or Spot(seat, kind, move.slot) in move.pay
    return None if free else "slot-taken"


def _why_not_level(core: RoundCore, seat: int, move: LevelMage) -> str | None:
    piece = core.on_field(Spot(seat, "mage", move.slot))
    if piece is None:
        return "no-such-card"
    if piece.level >= TOP_LEVEL:
        return "top-level"
    if piece.arrived == core.turn:
        return "just-arrived"
    return "already-levelled" if piece.levelled else None


def _why_not_use(core: RoundCore, seat: int, move: UseAbility) -> str | None:
    piece = core.on_field(move.source)
    if piece is None or move.source.seat != seat or move.source.zone == "trickster":
        return "no-such-card"
    if not 0 <= move.ability < len(piece.definition.abilities):
        return "no-such-ability"
    ability = piece.definition.abilities[move.ability]
    if ability.trigger != "in_play" or ability.when is not None:
        return "not-by-choice"
    if piece.definition.type == "mage" and piece.level < ability.level:
        return "level-too-low"
    if piece.stunned:
        return "card-stunned"
    if is_used(piece, move.ability):
        return "ability-used"
    return None if meets(core, seat, ability.requires, piece.uid) else "nothing-to-do"


def _why_not_attack(core: RoundCore, seat: int, move: Attack) -> str | None:
    piece = core.on_field(move.attacker)
    if piece is None or move.attacker.seat != seat or move.attacker.zone == "trickster":
        return "no-such-card"
    reason = cannot_attack(core, seat, piece)
    if reason is None and move.target not in attackable(core, seat, piece):
        return "bad-target"
    return reason


# -- listing --------------------------------------------------------------------------


def moves_of(core: RoundCore, seat: int) -> list[Move]:
    """List all that the active player may do now: the draw alone, or everything else and the end of the turn."""
    if core.to_draw:
        return [DrawCard()]
    return [
        *_plays(core, seat),
        *(move for move in _levels(seat) if _why_not_level(core, seat, move) is None),
        *(move for move in _abilities(core, seat) if _why_not_use(core, seat, move) is None),
        *_attacks(core, seat),
        EndTurn(),
    ]


def _plays(core: RoundCore, seat: int) -> Iterator[PlayCard]:
    side = core.sides[seat]
    for at, piece in enumerate(side.hand):
        if kind_of(piece) not in side.played:
            for slot, way in ways_to_put(core, seat, piece):
                yield PlayCard(at, slot, way)


def _levels(seat: int) -> Iterator[LevelMage]:
    for slot in range(SLOTS["mage"]):
        yield LevelMage(slot)


def _abilities(core: RoundCore, seat: int) -> Iterator[UseAbility]:
    for spot, piece in core.sides[seat].pieces():
        for index in range(len(piece.definition.abilities) if spot.zone != "trickster" else 0):
            yield UseAbility(spot, index)


def _attacks(core: RoundCore, seat: int) -> Iterator[Attack]:
    for spot, piece in core.sides[seat].pieces():
        if spot.zone in ("soldier", "mage") and cannot_attack(core, seat, piece) is None:
            for target in attackable(core, seat, piece):
                yield Attack(spot, target)
