"""What the active player does in its turn: announced, held for an answer, carried out; and the turns themselves."""

from __future__ import annotations

from attrs import define

from gamecore.games.castle import card_events, events
from gamecore.games.castle.abilities import Begin, mark_used, use_of, uses_on, uses_on_level
from gamecore.games.castle.answering import OpenWindow
from gamecore.games.castle.castles import CheckEnd, hit
from gamecore.games.castle.continuous_effects import points
from gamecore.games.castle.core import Action, IncomingCard, Piece, RoundCore, Step, kind_of
from gamecore.games.castle.dealing import DrawCards
from gamecore.games.castle.destroying import Destroying
from gamecore.games.castle.engine import does
from gamecore.games.castle.entering import Enter, raise_once, settle
from gamecore.games.castle.event_types import Fight, Result
from gamecore.games.castle.moves import Attack, LevelMage, PlayCard, Spot, Spots, UseAbility


@define(eq=False)
class Resolve(Step):
    """Carry out the action that was held."""


@define(eq=False)
class CloseAction(Step):
    """Say how the action came out."""

    result: Result = "done"


@define(eq=False)
class EndOfTurn(Step):
    """Destroy what is due at the end of this turn, then let the turn pass."""


@define(eq=False)
class PassTurn(Step):
    """Let the other player have its turn."""


# -- announcing -----------------------------------------------------------------------


def _hold(core: RoundCore, action: Action, spots: Spots, *first: Step) -> None:
    core.action = action
    core.marks = [*spots]
    core.push(*first, OpenWindow(), Resolve())


def announce_draw(core: RoundCore, seat: int) -> None:
    """Announce the draw of the turn."""
    core.to_draw = False
    action = Action(core.number(), seat, "draw")
    core.emit(events.Announced(action.number, seat, "draw"))
    _hold(core, action, ())


def announce_play(core: RoundCore, seat: int, move: PlayCard) -> None:
    """Take a card out of the hand and announce it; it is paid for at once."""
    side = core.sides[seat]
    piece = side.hand[move.hand]
    paid = settle(core, seat, piece, move.pay)
    del side.hand[move.hand]
    incoming = IncomingCard(piece, seat, "hand", move.slot)
    core.incoming.append(incoming)
    if kind_of(piece) in ("soldier", "mage"):
        side.played.add(kind_of(piece))
    uses = uses_on(seat, piece, "on_play")
    action = Action(core.number(), seat, "play", piece.uid, use=uses[0] if uses else None)
    source, index = Spot(seat, "hand", move.hand), uses[0].index if uses else None
    news = events.Announced(
        action.number, seat, "play", piece.card, source, incoming.spot, index, move.pay, paid.health
    )
    core.tell_card(seat, piece, news)
    _hold(core, action, (source, incoming.spot), paid)


def announce_level(core: RoundCore, seat: int, move: LevelMage) -> None:
    """Announce that a mage rises, with the ability that goes with its new level."""
    spot = Spot(seat, "mage", move.slot)
    piece = _at(core, spot)
    piece.levelled = True
    uses = uses_on_level(core, seat, piece, piece.level + 1)
    action = Action(core.number(), seat, "level", piece.uid, use=uses[0] if uses else None)
    index = uses[0].index if uses else None
    core.emit(events.Announced(action.number, seat, "level", piece.card, spot, ability=index))
    _hold(core, action, (spot,))


def announce_ability(core: RoundCore, seat: int, move: UseAbility) -> None:
    """Announce an ability."""
    piece = _at(core, move.source)
    use = use_of(seat, piece, move.ability)
    mark_used(core, use)
    action = Action(core.number(), seat, "ability", piece.uid, use=use)
    core.emit(
        events.Announced(
            action.number, seat, "ability", piece.card, move.source, ability=move.ability
        )
    )
    _hold(core, action, (move.source,))


def announce_attack(core: RoundCore, seat: int, move: Attack) -> None:
    """Announce an attack."""
    piece = _at(core, move.attacker)
    castle = core.sides[move.target.seat].castle
    target = castle if move.target.zone == "castle" else _at(core, move.target)
    action = Action(core.number(), seat, "attack", piece.uid, kind_of(piece), target=target.uid)
    core.emit(
        events.Announced(action.number, seat, "attack", piece.card, move.attacker, move.target)
    )
    _hold(core, action, (move.attacker, move.target))


def _at(core: RoundCore, spot: Spot) -> Piece:
    piece = core.on_field(spot)
    if piece is None:
        raise LookupError(f"no card at {spot}")
    return piece


# -- carrying out ---------------------------------------------------------------------


@does(Resolve)
def resolve(core: RoundCore, step: Resolve) -> None:
    """Carry out the action, whatever it is."""
    action = core.action
    assert action is not None
    if action.doing == "attack":
        _fight(core, action)
        return
    cancelled = action.use is not None and action.use.cancelled
    core.push(CloseAction("cancelled" if cancelled else "done"), CheckEnd())
    uses = () if action.use is None else (action.use,)
    if action.doing == "draw":
        core.push(DrawCards(action.seat, 1, turn=True))
    elif action.doing == "play" and action.piece is not None:
        core.push(Enter(action.piece, uses, silent=cancelled))
    elif action.doing == "level":
        _level(core, action)
    else:
        core.push(*map(Begin, uses))


def _level(core: RoundCore, action: Action) -> None:
    """Raise the mage, if it is still there; its ability happens all the same, unless it was stunned in answer."""
    found = core.find(action.piece)
    silent = False
    if found is not None:
        silent = found[1].stunned and core.stun_silences
        raise_once(core, found[1])
    if action.use is not None and not silent:
        core.push(Begin(action.use))


def _fight(core: RoundCore, action: Action) -> None:
    """Fight, unless the attack was answered or one side of it is gone (specification 1.7)."""
    attacker = core.find(action.piece)
    target = core.spot_of(action.target)
    if action.void or attacker is None or target is None:
        core.push(CloseAction("void"), CheckEnd())
        return
    spot, piece = attacker
    piece.attacks += 1
    strength = points(core, spot.seat, piece)
    core.push(CloseAction(), CheckEnd())
    if target.zone == "castle":
        core.emit(card_events.Fought(action.number, spot, target, (strength, 0), "castle"))
        hit(core, target.seat, strength, "attack", spot)
        return
    rival = _at(core, target)
    other = points(core, target.seat, rival)
    result: Fight = "win" if strength > other else "lose" if strength < other else "both"
    core.emit(card_events.Fought(action.number, spot, target, (strength, other), result))
    core.push(_losses(result, piece.uid, rival.uid))


def _losses(result: Fight, attacker: int, rival: int) -> Destroying:
    if result == "both":
        return Destroying((rival, attacker), "battle")
    winner, loser = (attacker, rival) if result == "win" else (rival, attacker)
    return Destroying((loser,), "battle", winner)


@does(CloseAction)
def close_action(core: RoundCore, step: CloseAction) -> None:
    """Say how the action came out."""
    if core.action is not None:
        core.emit(events.ActionOver(core.action.number, core.action.seat, step.result))
    core.action = None


# -- turns ----------------------------------------------------------------------------


@does(EndOfTurn)
def end_of_turn(core: RoundCore, step: EndOfTurn) -> None:
    """Destroy what is due; the order is that in which the cards were doomed."""
    due = []
    for each in core.scheduled:
        if each.seat in (None, core.active):
            each.left -= 1
            if each.left == 0:
                due.append(Destroying((each.piece,), "timer", certain=each.giving_up))
    core.scheduled = [
        each for each in core.scheduled if each.left and core.find(each.piece) is not None
    ]
    core.push(*due, PassTurn())


@does(PassTurn)
def pass_turn(core: RoundCore, step: PassTurn) -> None:
    """End what lasts for a turn, and begin the next."""
    woken = [(spot, piece) for spot, piece in core.sides[core.active].pieces() if piece.stunned]
    for _, piece in woken:
        piece.stunned = False
    if woken:
        core.emit(card_events.StunEnded(tuple(spot for spot, _ in woken)))
    for side in core.sides:
        side.played, side.discount, side.shielded = set(), 0, False
        for piece in (side.castle, *(piece for _, piece in side.pieces())):
            piece.refresh()
    core.active = 1 - core.active
    begin_turn(core, draws=True)


def begin_turn(core: RoundCore, draws: bool) -> None:
    """Begin a turn of the active player's."""
    core.turn += 1
    core.to_draw = draws
    core.emit(events.TurnBegan(core.turn, core.active, draws))
