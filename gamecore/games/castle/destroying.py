"""Cards that leave the field: what saves them, where they go, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from attrs import define, evolve

from gamecore.games.castle import card_events, events
from gamecore.games.castle import operations as castle_operations
from gamecore.games.castle.abilities import Begin, is_used, mark_used, use_of
from gamecore.games.castle.continuous_effects import in_force
from gamecore.games.castle.core import AbilityUse, Piece, Question, RoundCore, Step
from gamecore.games.castle.dealing import into_discard
from gamecore.games.castle.engine import ask, does, offers, performs, takes
from gamecore.games.castle.event_types import Asking, Cause
from gamecore.games.castle.moves import Accept, Decline, Reply, Spot


@define(eq=False)
class Destroying(Step):
    """Destroy cards, one after the other; nothing saves from what is ``certain`` (a cost, giving oneself up)."""

    pieces: tuple[int, ...]
    cause: Cause
    by: int | None = None
    certain: bool = False
    asked: tuple[int, ...] = ()


@define(eq=False)
class SaveCard(Question):
    """Whether to use up a card's power to save another from being destroyed."""

    why: ClassVar[Asking] = "save"
    fate: Destroying

    def about(self, core: RoundCore) -> Spot | None:
        """Name the card that will be destroyed if nobody saves it."""
        return core.spot_of(self.fate.pieces[0])


@define(eq=False)
class Spend(Step):
    """Lay a trickster that was activated on the discard pile."""

    piece: int


@does(Destroying)
def destroy_next(core: RoundCore, step: Destroying) -> None:
    """Destroy the first of the cards, unless something saves it or somebody is asked to."""
    if len(step.pieces) > 1:
        core.push(evolve(step, pieces=step.pieces[1:], asked=()))
    found = core.find(step.pieces[0]) if step.pieces else None
    if found is None:
        return
    spot, piece = found
    saver = None if step.certain else _saver(core, spot.seat, step.asked)
    if core.sides[spot.seat].shielded and not step.certain:
        core.mark(spot)
        core.emit(card_events.Saved(spot, _face_up(spot, piece), None))
    elif saver is not None:
        ask(core, SaveCard(spot.seat, saver, evolve(step, pieces=(piece.uid,))))
    else:
        _remove(core, spot, piece, step)


def _face_up(spot: Spot, piece: Piece) -> int | None:
    return None if spot.zone == "trickster" and not piece.shown else piece.card


def _saver(core: RoundCore, seat: int, asked: tuple[int, ...]) -> AbilityUse | None:
    """Find an ability that could save a card of ``seat``'s and was not asked about."""
    for piece in in_force(core, seat):
        for index, ability in enumerate(piece.definition.abilities):
            on = ability.when is not None and ability.when.event == "card_would_be_destroyed"
            if on and piece.uid not in asked and not is_used(piece, index):
                return use_of(seat, piece, index)
    return None


@offers(SaveCard)
def offer_to_save(core: RoundCore, question: SaveCard) -> Sequence[Reply]:
    """Yes or no."""
    return [Accept(), Decline()]


@takes(SaveCard)
def save_or_not(core: RoundCore, question: SaveCard, move: Reply) -> None:
    """Save the card, or let it go on towards its end."""
    use, fate = question.use, question.fate
    if not isinstance(move, Accept):
        core.emit(events.Declined(question.seat, use.card))
        core.push(evolve(fate, asked=(*fate.asked, use.source)))
        return
    mark_used(core, use)
    found = core.find(fate.pieces[0])
    if found is not None:
        spot, piece = found
        core.mark(spot)
        core.emit(card_events.Saved(spot, _face_up(spot, piece), core.spot_of(use.source)))


# -- leaving the field ----------------------------------------------------------------


def take_off(core: RoundCore, spot: Spot) -> None:
    """Empty a slot of the field."""
    if spot.zone in ("soldier", "mage", "trickster", "decree"):
        core.sides[spot.seat].field[spot.zone][spot.slot] = None


def _remove(core: RoundCore, spot: Spot, piece: Piece, step: Destroying) -> None:
    take_off(core, spot)
    discard = into_discard(core, piece)
    core.emit(card_events.Destroyed(spot, piece.card, piece.owner, discard, step.cause))
    _give_back(core, piece.uid)
    core.push(*_after_battle(core, spot, step), *_after_loss(core, spot))


def _give_back(core: RoundCore, thief: int) -> None:
    """Return what a card had stolen: to a free slot where it came from, or to its owner's discard pile."""
    stolen = [each for side in core.sides for each in side.pieces() if each[1].held_by == thief]
    for spot, piece in stolen:
        take_off(core, spot)
        home = piece.home if piece.home is not None else piece.owner
        slots = core.free_slots(home, "soldier")
        if slots:
            place(core, piece, Spot(home, "soldier", slots[0]))
            core.emit(
                card_events.ControlChanged(spot, core.spot_of(piece.uid), piece.card, piece.owner)
            )
        else:
            discard = into_discard(core, piece)
            core.emit(card_events.ControlChanged(spot, None, piece.card, piece.owner, discard))


def place(core: RoundCore, piece: Piece, spot: Spot) -> None:
    """Lay a card that changes sides into a slot; whatever held it there holds it no longer."""
    if spot.zone in ("soldier", "mage", "trickster", "decree"):
        core.sides[spot.seat].field[spot.zone][spot.slot] = piece
    piece.held_by = piece.home = None


def _after_loss(core: RoundCore, spot: Spot) -> list[Step]:
    """Find what a side may do because a card of its own was destroyed."""
    steps: list[Step] = []
    for piece in in_force(core, spot.seat):
        for index, ability in enumerate(piece.definition.abilities):
            when = ability.when
            if when is None or when.event != "card_destroyed" or spot.zone not in when.types:
                continue
            if when.during == "own_turn" and core.active != spot.seat:
                continue
            if not is_used(piece, index):
                steps.append(Begin(use_of(spot.seat, piece, index)))
    return steps


def _after_battle(core: RoundCore, spot: Spot, step: Destroying) -> list[Step]:
    """Find what the winner of a battle may do in its own turn because it destroyed an enemy card."""
    winner = core.find(step.by) if step.cause == "battle" else None
    if winner is None or winner[0].seat == spot.seat or winner[0].seat != core.active:
        return []
    where, piece = winner
    if piece.stunned:
        return []
    steps: list[Step] = []
    for index, ability in enumerate(piece.definition.abilities):
        if ability.trigger == "on_destroy_enemy" and not is_used(piece, index):
            use = use_of(where.seat, piece, index)
            use.destroyed = "mage" if spot.zone == "mage" else "soldier"
            steps.append(Begin(use))
    return steps


@does(Spend)
def spend(core: RoundCore, step: Spend) -> None:
    """Lay the trickster down, if it is still there."""
    found = core.find(step.piece)
    if found is not None:
        spot, piece = found
        take_off(core, spot)
        core.emit(card_events.Spent(spot, piece.card, into_discard(core, piece)))


# -- operations -----------------------------------------------------------------------


@performs(castle_operations.DestroySelf)
def give_up(core: RoundCore, use: AbilityUse, effect: castle_operations.DestroySelf) -> None:
    """Destroy the card whose ability it is."""
    core.push(Destroying((use.source,), "self", certain=True))


@performs(castle_operations.DestroySource)
def destroy_source(
    core: RoundCore, use: AbilityUse, effect: castle_operations.DestroySource
) -> None:
    """Destroy the card whose ability was answered."""
    if core.action is not None and core.action.use is not None:
        core.push(Destroying((core.action.use.source,), "ability", use.source))


@performs(castle_operations.DestroyAttacker)
def destroy_attacker(
    core: RoundCore, use: AbilityUse, effect: castle_operations.DestroyAttacker
) -> None:
    """Destroy the card that declared the attack."""
    if core.action is not None and core.action.piece is not None:
        core.push(Destroying((core.action.piece,), "ability", use.source))


@performs(castle_operations.PreventDestroy)
def shield(core: RoundCore, use: AbilityUse, effect: castle_operations.PreventDestroy) -> None:
    """Save all one's own cards for this turn."""
    core.sides[use.seat].shielded = True
    core.emit(card_events.Shielded(use.seat))
