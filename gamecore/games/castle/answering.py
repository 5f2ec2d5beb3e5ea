"""The window in which an action is answered, and the stack of answers (specification 1.8)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from gamecore.games.castle import effect_schema, events, operations
from gamecore.games.castle.abilities import CarryOut, is_used, mark_used, use_of
from gamecore.games.castle.card_definitions import Ability
from gamecore.games.castle.castles import CheckEnd
from gamecore.games.castle.continuous_effects import meets
from gamecore.games.castle.core import EVERYBODY, AbilityUse, Answer, Piece, RoundCore, Step, Window
from gamecore.games.castle.decks import TRICKSTERS
from gamecore.games.castle.destroying import Spend
from gamecore.games.castle.engine import does, performs
from gamecore.games.castle.event_types import Result
from gamecore.games.castle.moves import ActivateTrickster, AllowAction, Spot, UseAbility
from gamecore.rules import Move


@define(eq=False)
class OpenWindow(Step):
    """Let the enemy answer the action under way, if anybody could think it can."""


@define(eq=False)
class ResolveAnswer(Step):
    """Carry out an answer, or nothing if it was cancelled."""

    answer: Answer


@define(eq=False)
class CloseAnswer(Step):
    """Say that an answer is over."""

    answer: Answer


# -- what may answer ------------------------------------------------------------------


def cancellable(core: RoundCore, seat: int) -> Answer | None:
    """Find the enemy's latest trickster on the stack that nobody is about to cancel."""
    answers = core.action.answers if core.action is not None else []
    doomed = {each.answers for each in answers}
    for answer in reversed(answers):
        is_trickster = answer.use.ability.trigger in ("special", "response")
        if answer.seat != seat and is_trickster and answer.number not in doomed:
            return answer
    return None


def may_answer(core: RoundCore, seat: int, ability: Ability, source: int | None) -> bool:
    """Tell whether an ability of ``seat``'s may be used in the window, by what everybody can see."""
    action, when = core.action, ability.when
    if action is None or when is None:
        return False
    if when.event == "enemy_trickster_activated":
        own_turn = ability.trigger != "in_play" or core.active == seat
        return own_turn and cancellable(core, seat) is not None
    if action.seat == seat or ability.trigger not in ("response", "special"):
        return False
    return _occasion(core, when) and meets(core, seat, ability.requires, source)


def _occasion(core: RoundCore, when: effect_schema.When) -> bool:
    """Tell whether the action under way is of the kind that an ability answers."""
    action = core.action
    if action is None:
        return False
    if when.event == "enemy_attack":
        sort = action.sort
        return action.doing == "attack" and (not when.attacker_types or sort in when.attacker_types)
    if when.event == "enemy_ability":
        use = action.use
        if use is None or not use.kinds & {*when.kinds}:
            return False
        ops = {effect.op for effect in use.ability.effects}
        return not when.with_op or bool(ops & {*when.with_op})
    return when.event == "enemy_action"


def _from_field(core: RoundCore, seat: int) -> Iterator[tuple[Spot, Piece, int]]:
    """List the face-up cards of a side that may cancel a trickster, with the place of that ability."""
    for spot, piece in core.sides[seat].pieces():
        if spot.zone == "trickster" or piece.stunned:
            continue
        for index, ability in enumerate(piece.definition.abilities):
            fitting = ability.trigger == "in_play" and piece.level >= _least(piece, ability)
            fitting = fitting and not is_used(piece, index)
            if fitting and may_answer(core, seat, ability, piece.uid):
                yield spot, piece, index


def _least(piece: Piece, ability: Ability) -> int:
    return ability.level if piece.definition.type == "mage" else 0


def _face_down(core: RoundCore, seat: int) -> Iterator[tuple[int, Piece]]:
    for slot, piece in enumerate(core.sides[seat].field["trickster"]):
        if piece is not None and not piece.shown:
            yield slot, piece


def might_answer(core: RoundCore, seat: int) -> bool:
    """Tell whether a side might have an answer, for all that everybody can see."""
    if next(_from_field(core, seat), None) is not None:
        return True
    side = core.sides[seat]
    seen = [piece.card for piece in side.discard]
    seen += [piece.card for piece in side.field["trickster"] if piece is not None and piece.shown]
    possible = [
        definition for definition in TRICKSTERS if seen.count(definition.id) < definition.limit
    ]
    return any(
        may_answer(core, seat, ability, piece.uid)
        for _, piece in _face_down(core, seat)
        for definition in possible
        for ability in definition.abilities
    )


def answers_of(core: RoundCore, seat: int) -> list[Move]:
    """List what a seat that is asked may do."""
    tricksters: list[Move] = [
        ActivateTrickster(slot)
        for slot, piece in _face_down(core, seat)
        if any(may_answer(core, seat, each, piece.uid) for each in piece.definition.abilities)
    ]
    cards = [UseAbility(spot, index) for spot, _, index in _from_field(core, seat)]
    return [*tricksters, *cards, AllowAction()]


# -- asking in turn -------------------------------------------------------------------


@does(OpenWindow)
def open_window(core: RoundCore, step: OpenWindow) -> None:
    """Ask the enemy first."""
    if core.action is not None:
        _ask_in_turn(core, Window(1 - core.action.seat))


def _ask_in_turn(core: RoundCore, window: Window) -> None:
    """Ask the next seat that might answer; close when the passes say so."""
    action = core.action
    assert action is not None
    while window.passed < (2 if action.answers else 1):
        if might_answer(core, window.asked):
            core.stop = window
            core.emit(events.AnswerAwaited(window.asked, action.number))
            return
        window.passed += 1
        window.asked = 1 - window.asked
    core.stop = None
    action.void = any(
        each.answers == action.number and each.use.ability.voids_attack for each in action.answers
    )
    core.push(*(ResolveAnswer(each) for each in reversed(action.answers)))


def allow(core: RoundCore, window: Window) -> None:
    """Let the action, or the answers so far, happen."""
    number = core.action.number if core.action is not None else 0
    core.emit(events.Allowed(window.asked, number))
    window.passed += 1
    window.asked = 1 - window.asked
    _ask_in_turn(core, window)


def answer(core: RoundCore, window: Window, move: ActivateTrickster | UseAbility) -> None:
    """Put an answer on the stack; the other seat is asked next."""
    action, seat = core.action, window.asked
    assert action is not None
    spot = (
        Spot(seat, "trickster", move.slot) if isinstance(move, ActivateTrickster) else move.source
    )
    piece = core.on_field(spot)
    assert piece is not None
    use = use_of(seat, piece, _index(core, seat, piece, move))
    rival = cancellable(core, seat) if _cancels_trickster(use) else None
    number = action.number if rival is None else rival.number
    piece.shown = spot.zone == "trickster"
    if piece.shown:
        piece.known = EVERYBODY
    mark_used(core, use)
    placed = Answer(core.number(), seat, piece.uid, use, number)
    action.answers.append(placed)
    core.emit(events.Answered(placed.number, seat, number, piece.card, spot, use.index))
    window.passed, window.asked = 0, 1 - seat
    _ask_in_turn(core, window)


def _index(core: RoundCore, seat: int, piece: Piece, move: ActivateTrickster | UseAbility) -> int:
    if isinstance(move, UseAbility):
        return move.ability
    fitting = (
        index
        for index, ability in enumerate(piece.definition.abilities)
        if may_answer(core, seat, ability, piece.uid)
    )
    return next(fitting)


def _cancels_trickster(use: AbilityUse) -> bool:
    when = use.ability.when
    return when is not None and when.event == "enemy_trickster_activated"


# -- resolving ------------------------------------------------------------------------


@does(ResolveAnswer)
def resolve_answer(core: RoundCore, step: ResolveAnswer) -> None:
    """Carry out the answer unless it was cancelled; its trickster is spent either way."""
    used = step.answer.use
    spent = [Spend(step.answer.piece)] if used.ability.trigger != "in_play" else []
    effects = [] if step.answer.cancelled else [CarryOut(used)]
    core.push(*effects, *spent, CloseAnswer(step.answer), CheckEnd())


@does(CloseAnswer)
def close_answer(core: RoundCore, step: CloseAnswer) -> None:
    """Say how the answer came out."""
    result: Result = "cancelled" if step.answer.cancelled else "done"
    core.emit(events.ActionOver(step.answer.number, step.answer.seat, result))


@performs(operations.Cancel)
def cancel(core: RoundCore, use: AbilityUse, effect: operations.Cancel) -> None:
    """Cancel the trickster that was answered, or the ability of the action under way."""
    action = core.action
    if action is None:
        return
    if effect.what == "ability" and action.use is not None:
        action.use.cancelled = True
    own = [each for each in action.answers if each.use is use]
    for each in action.answers:
        if effect.what == "trickster" and own and each.number == own[0].answers:
            each.cancelled = True
