"""Cards that come into play, and mages that rise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from attrs import define

from gamecore.games.castle import card_events, events, operations
from gamecore.games.castle.abilities import Begin, uses_on, uses_on_level
from gamecore.games.castle.castles import hit
from gamecore.games.castle.continuous_effects import points
from gamecore.games.castle.core import (
    TOP_LEVEL,
    AbilityUse,
    IncomingCard,
    Piece,
    Question,
    RoundCore,
    ScheduledDestruction,
    Step,
    kind_of,
)
from gamecore.games.castle.costs import distinct, ways_to_pay, ways_to_put
from gamecore.games.castle.dealing import ShuffleDeck, fits, made_out
from gamecore.games.castle.destroying import Destroying
from gamecore.games.castle.engine import ask, does, offers, performs, takes
from gamecore.games.castle.event_types import Asking
from gamecore.games.castle.moves import Decline, PutCard, Reply, Spots


@define(eq=False)
class Pay(Step):
    """Pay for a card: health, and cards of one's own field, which nothing saves."""

    seat: int
    pieces: tuple[int, ...]
    health: int


@define(eq=False)
class Enter(Step):
    """Let a card that is held come into play; ``uses`` are the entry abilities that go with it."""

    piece: int
    uses: tuple[AbilityUse, ...]
    silent: bool = False
    level: int = 0
    bonus: int = 0


@define(eq=False)
class Raise(Step):
    """Raise a mage to a level, one by one, each with what it sets off."""

    piece: int
    level: int


@define(eq=False)
class PutInPlay(Question):
    """Which card to put into play, where, and what to give up for it."""

    why: ClassVar[Asking] = "put"
    effect: operations.PlayCard


# -- paying and entering --------------------------------------------------------------


def settle(core: RoundCore, seat: int, piece: Piece, way: Spots) -> Pay:
    """Use up what makes a card cheaper, and say what is left to pay."""
    price = ways_to_pay(core, seat, piece)[way]
    core.sides[seat].discount -= price.discount
    given = [core.on_field(spot) for spot in way]
    return Pay(seat, tuple(each.uid for each in given if each is not None), price.health)


@does(Pay)
def pay(core: RoundCore, step: Pay) -> None:
    """Pay: what is given up is destroyed, and what follows from that follows."""
    if step.health:
        hit(core, step.seat, step.health, "cost", None)
    core.push(Destroying(step.pieces, "cost", certain=True))


@does(Enter)
def enter(core: RoundCore, step: Enter) -> None:
    """Lay the card into its slot, begin its countdown, and let its entry ability happen."""
    incoming = next(each for each in core.incoming if each.piece.uid == step.piece)
    core.incoming.remove(incoming)
    piece, kind = incoming.piece, kind_of(incoming.piece)
    core.sides[incoming.seat].field[kind][incoming.slot] = piece
    piece.discount, piece.arrived = 0, core.turn
    piece.level, piece.boost = int(kind == "mage"), step.bonus
    news = card_events.Entered(
        incoming.seat, piece.card, incoming.source, incoming.spot, step.silent
    )
    core.tell_card(incoming.seat, piece, news)
    if step.bonus:
        tell_points(core, piece)
    for use in uses_on(incoming.seat, piece, "decree_timer"):
        _schedule_all(core, use)
    begin = [] if step.silent else [Begin(use) for use in step.uses]
    core.push(*begin, Raise(piece.uid, step.level))


def tell_points(core: RoundCore, piece: Piece) -> None:
    """Say how many points a card has now."""
    spot = core.spot_of(piece.uid)
    if spot is not None:
        core.emit(card_events.PointsChanged(spot, piece.card, points(core, spot.seat, piece)))


@does(Raise)
def rise(core: RoundCore, step: Raise) -> None:
    """Raise the mage by one level and leave the others for later."""
    found = core.find(step.piece)
    if found is None or found[1].level >= min(step.level, TOP_LEVEL):
        return
    spot, piece = found
    raise_once(core, piece)
    uses = uses_on_level(core, spot.seat, piece, piece.level)
    core.push(*map(Begin, uses), step)


def raise_once(core: RoundCore, piece: Piece) -> None:
    """Raise a mage by one level."""
    piece.level += 1
    spot = core.spot_of(piece.uid)
    if spot is not None:
        core.emit(card_events.Levelled(spot, piece.card, piece.level))


@performs(operations.LevelSelf)
def level_self(core: RoundCore, use: AbilityUse, effect: operations.LevelSelf) -> None:
    """Rise at once."""
    core.push(Raise(use.source, effect.level))


# -- put into play by another card ----------------------------------------------------


def _candidates(core: RoundCore, question: PutInPlay) -> Iterator[tuple[Piece, PutCard]]:
    side, effect = core.sides[question.seat], question.effect
    wanted = made_out(core, question.use, effect.filter)
    for source in effect.sources:
        zone = side.hand if source == "hand" else side.deck
        for piece in distinct(each for each in zone if fits(each.definition, wanted)):
            for slot, way in ways_to_put(core, question.seat, piece):
                yield piece, PutCard(piece.card, source, slot, way)


@performs(operations.PlayCard)
def put_in_play(core: RoundCore, use: AbilityUse, effect: operations.PlayCard) -> None:
    """Ask which card to put into play, if any can be."""
    question = PutInPlay(use.seat, use, effect)
    if next(_candidates(core, question), None) is not None:
        ask(core, question)
        return
    core.emit(events.Skipped(use.seat, use.card, effect.op))
    if "deck" in effect.sources:
        core.push(ShuffleDeck(use.seat))


@offers(PutInPlay)
def offer_to_put(core: RoundCore, question: PutInPlay) -> Sequence[Reply]:
    """List the cards with every slot and every payment."""
    moves: list[Reply] = [move for _, move in _candidates(core, question)]
    return [*moves, Decline()] if question.effect.optional else moves


@takes(PutInPlay)
def put(core: RoundCore, question: PutInPlay, move: Reply) -> None:
    """Pay for the card and let it enter."""
    use, effect, seat = question.use, question.effect, question.seat
    shuffled = [ShuffleDeck(seat)] if "deck" in effect.sources else []
    if not isinstance(move, PutCard):
        core.emit(events.Declined(seat, use.card))
        core.push(*shuffled)
        return
    piece = next(each for each, offered in _candidates(core, question) if offered == move)
    due = settle(core, seat, piece, move.pay)
    side = core.sides[seat]
    hand = side.hand.index(piece) if move.source == "hand" else None
    (side.hand if move.source == "hand" else side.deck).remove(piece)
    incoming = IncomingCard(piece, seat, move.source, move.slot)
    core.incoming.append(incoming)
    news = card_events.PutDown(
        seat, piece.card, move.source, incoming.spot, move.pay, due.health, hand
    )
    core.tell_card(seat, piece, news)
    use.put = piece.uid
    uses = tuple(uses_on(seat, piece, "on_play"))
    entry = Enter(piece.uid, uses, effect.cancel_on_play, effect.level_to or 0, effect.points_bonus)
    core.push(*shuffled, due, entry)


# -- what will happen at the end of a turn --------------------------------------------


def _schedule_all(core: RoundCore, use: AbilityUse) -> None:
    for effect in use.ability.effects:
        if isinstance(effect, operations.Schedule):
            schedule(core, use, effect)


@performs(operations.Schedule)
def schedule(core: RoundCore, use: AbilityUse, effect: operations.Schedule) -> None:
    """Let a card be destroyed at the end of a later turn, if it is there."""
    giving_up = effect.what == "destroy_self"
    others = use.chosen if effect.what == "destroy_target" else use.put
    uid = use.source if giving_up else others
    spot = core.spot_of(uid)
    if uid is not None and spot is not None:
        seat = use.seat if effect.whose == "own" else None
        core.scheduled.append(ScheduledDestruction(uid, seat, effect.turns, giving_up))
        core.emit(card_events.Scheduled(spot, effect.turns))


@performs(operations.ReduceCost)
def reduce_cost(core: RoundCore, use: AbilityUse, effect: operations.ReduceCost) -> None:
    """Make one card of one's choice cheaper for this turn, or the one just fetched for as long as it is held."""
    side = core.sides[use.seat]
    if effect.scope == "next_card_played":
        side.discount += effect.items
        core.emit(card_events.CostReduced(use.seat, effect.items, False))
        return
    for piece in side.hand:
        if piece.uid == use.fetched:
            piece.discount += effect.items
            core.emit(card_events.CostReduced(use.seat, effect.items, True))
