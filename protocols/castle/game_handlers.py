"""What a player says on the JSON wire in a game, command by command.

Source: the Castle Wars specification, sections 4.3 and 4.6 to 4.10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gamecore.errors import Malformed
from gamecore.games.castle import CARDS, CastleView, moves, operations
from gamecore.games.castle.moves import Spot
from gamecore.rules import Move
from protocols.castle.partial_move import PartialMove, partial_play
from protocols.castle.session import Session
from protocols.castle.visible_cards import card_at
from protocols.castle.wire import Fault, Request
from protocols.castle.wire_positions import read_position
from protocols.castle.wire_questions import ask_position, places_in

# -- the mulligan and the draw --------------------------------------------------------


def _accept_hand(session: Session, request: Request) -> None:
    session.submit(moves.Keep(), request)


def _redraw(session: Session, request: Request) -> None:
    session.submit(moves.Mulligan(), request)


def _answer_yes_or_no(session: Session, request: Request) -> None:
    yes, decision = request.flag("BOOL"), session.decision
    if decision.stage == "mulligan":
        session.submit(moves.Mulligan() if yes else moves.Keep(), request)
    elif decision.is_yes_or_no:
        session.submit(moves.Accept() if yes else moves.Decline(), request)
    else:
        raise Fault("WRONG_PHASE", "nothing was asked")


def _draw(session: Session, request: Request) -> None:
    decision = session.decision
    move: Move = moves.Accept()
    if not decision.is_yes_or_no:
        move = decision.draw_offered or moves.DrawCard()
    session.submit(move, request)


def _ignore_draw(session: Session, request: Request) -> None:
    decision = session.decision
    if decision.is_yes_or_no:
        session.submit(moves.Decline(), request)
    elif decision.draw_offered is not None:
        decision.draw_offered = None
    else:
        raise Fault("WRONG_PHASE", "no draw was offered")


# -- in one's own turn ----------------------------------------------------------------


def _play(session: Session, request: Request) -> None:
    start = _spot(session, request, "START_POS")
    end = _spot(session, request, "END_POS")
    card, triggered = request.number("CARD_ID"), request.flag("ABILITY_TRIGGERED")
    if end.seat != session.decision.seat or start.seat != session.decision.seat:
        raise Fault("BAD_POSITION", "you play cards of yours on your own side")
    if triggered:
        _put(session, request, start, end, card)
        return
    if start.zone != "hand":
        raise Fault("BAD_POSITION", "cards are played from the hand")
    if session.decision.moves:
        _check_hand(session, start, card)
        _check_zone(end, card)
    if _in_own_turn(session, request):
        _play_from_hand(session, request, start.slot, end.slot)


def _play_from_hand(session: Session, request: Request, hand: int, slot: int) -> None:
    partial = partial_play(session.decision.moves, hand, slot)
    if partial is None:
        session.submit(moves.PlayCard(hand, slot), request)
    else:
        session.decision.paying = request
        _go_on(session, request, partial)


def _check_hand(session: Session, start: Spot, card: int) -> None:
    board = session.decision.board
    hand = () if board is None else board.sides[session.decision.seat].hand
    if start.slot >= len(hand):
        raise Fault("EMPTY_POSITION", "there is no card")
    _check_same(hand[start.slot].card, card)


def _check_same(lies_there: int | None, card: int) -> None:
    if lies_there != card:
        raise Fault("CARD_MISMATCH", "that is another card")


def _check_zone(end: Spot, card: int) -> None:
    if CARDS[card].type != end.zone:
        raise Fault("WRONG_TYPE", f"a {CARDS[card].type} does not go there")


def _put(session: Session, request: Request, start: Spot, end: Spot, card: int) -> None:
    """Put a card into play that another card lets one put."""
    decision = session.decision
    putting = [each for each in decision.moves if isinstance(each, moves.PutCard)]
    if decision.partial is None or decision.board is None or not putting:
        raise Fault("WRONG_PHASE", "no card lets you play another now")
    place_of = places_in(decision.board, session.decision.seat, decision.moves)
    meant = [each for each in putting if place_of(each) == start]
    if not meant:
        raise Fault("BAD_TARGET", "that card may not be played")
    _check_same(meant[0].card, card)
    _check_zone(end, card)
    partial = decision.reply()
    if not (partial.name(start) and partial.settle_slot(end.slot)):
        raise Fault("SLOT_TAKEN", "it cannot go there")
    _go_on(session, request, partial)


def _level(session: Session, request: Request) -> None:
    if "OPT" in request.fields and not request.flag("OPT"):
        return  # it was an offer, and was declined
    spot = _own(session, request, "TARGET", "mage")
    if _in_own_turn(session, request):
        session.submit(moves.LevelMage(spot.slot), request)


def _use(session: Session, request: Request) -> None:
    spot = _own(session, request, "TARGET", "soldier", "mage", "decree")
    usable = [
        each.ability
        for each in session.decision.moves
        if isinstance(each, moves.UseAbility) and each.source == spot
    ]
    index = request.number("INDEX", usable[0] if usable else 0)
    if session.decision.stage == "window" or _in_own_turn(session, request):
        session.submit(moves.UseAbility(spot, index), request)


def _attack(session: Session, request: Request) -> None:
    attacker = _own(session, request, "ATTACKER", "soldier", "mage")
    target = _spot(session, request, "TARGET")
    if target.seat == session.decision.seat:
        raise Fault("BAD_TARGET", "you attack the enemy's cards")
    if _in_own_turn(session, request):
        session.submit(moves.Attack(attacker, target), request)


def _end_turn(session: Session, request: Request) -> None:
    if _in_own_turn(session, request):
        session.submit(moves.EndTurn(), request)


def _in_own_turn(session: Session, request: Request) -> bool:
    """Take the draw of the turn first, if it was not taken; the request is acted on once more then."""
    if session.decision.paying is not None:
        raise Fault("WRONG_PHASE", "choose what you pay first")
    if moves.DrawCard() not in session.decision.moves:
        return True
    session.submit_before(moves.DrawCard(), request)
    return False


# -- in answer to an action -----------------------------------------------------------


def _activate(session: Session, request: Request) -> None:
    spot = _own(session, request, "TARGET", "trickster")
    if request.fields.get("CARD_POS") is not None:
        session.decision.name_early(spot, _spot(session, request, "CARD_POS"))
    session.submit(moves.ActivateTrickster(spot.slot), request)


def _destroy(session: Session, request: Request) -> None:
    """Activate the trickster that can destroy a card, or name that card if it is asked for."""
    target = _spot(session, request, "CARD_POS")
    if session.decision.stage == "question":
        _choose(session, request)
        return
    able = _able_to_destroy(session, request, target)
    if session.decision.stage != "window":
        raise Fault("NO_WINDOW", "there is nothing to answer")
    if len(able) != 1:
        raise Fault("BAD_TARGET", "say by SOURCE_POS which trickster is to do that")
    session.decision.name_early(Spot(session.decision.seat, "trickster", able[0].slot), target)
    session.submit(able[0], request)


def _able_to_destroy(
    session: Session, request: Request, target: Spot
) -> Sequence[moves.ActivateTrickster]:
    if "SOURCE_POS" in request.fields:
        source = _own(session, request, "SOURCE_POS", "trickster")
        return [moves.ActivateTrickster(source.slot)]
    board = session.decision.board
    return [
        move
        for move in session.decision.moves
        if isinstance(move, moves.ActivateTrickster)
        and board is not None
        and _destroys(board, Spot(session.decision.seat, "trickster", move.slot), target)
    ]


def _destroys(board: CastleView, trickster: Spot, target: Spot) -> bool:
    card = card_at(board, trickster)
    abilities = () if card is None else CARDS[card].abilities
    effects = [effect for ability in abilities for effect in ability.effects]
    return target.seat != trickster.seat and any(
        isinstance(each, operations.Destroy)
        and each.target.side == "enemy"
        and target.zone in each.target.types
        for each in effects
    )


def _allow(session: Session, request: Request) -> None:
    session.submit(moves.AllowAction(), request)


# -- in reply to a question -----------------------------------------------------------


def _choose(session: Session, request: Request) -> None:
    partial = session.decision.partial
    if partial is None:
        raise Fault("WRONG_PHASE", "nothing was asked")
    if request.fields.get("CARD_POS") is None:
        _decline(session, request, partial)
        return
    if not partial.name(_spot(session, request, "CARD_POS")):
        raise Fault("BAD_TARGET", "that was not offered")
    _go_on(session, session.decision.paying or request, partial)


def _decline(session: Session, request: Request, partial: PartialMove) -> None:
    paying = session.decision.paying
    if paying is not None:
        session.decision.forget_reply()
        session.reporter.refuse(paying, "NOT_ALLOWED", "you paid nothing, so nothing was played")
    elif partial.none is not None:
        session.submit(partial.none, request)
    else:
        raise Fault("BAD_TARGET", "something must be chosen")


def _go_on(session: Session, request: Request, partial: PartialMove) -> None:
    """Ask for the next position, or play the move that is meant."""
    decision, move = session.decision, partial.move
    if move is not None:
        decision.forget_reply()
        session.submit(move, request)
        return
    decision.partial = partial
    given = request.fields.get("START_POS")
    trigger = None if given is None else _spot(session, request, "START_POS")
    assert decision.board is not None
    paying = partial.none is None and decision.paying is not None
    purpose = "choose what you give up" if paying else "choose the next"
    seat, board = session.decision.seat, decision.board
    session.send(ask_position(partial, purpose, trigger, board, seat, paying))


def _return_card(session: Session, request: Request) -> None:
    raise Fault("NOT_ALLOWED", "no card lets you do that")


# -- positions ------------------------------------------------------------------------


def _spot(session: Session, request: Request, key: str) -> Spot:
    try:
        return read_position(request.fields.get(key), session.decision.seat)
    except Malformed as problem:
        raise Fault("BAD_POSITION", str(problem)) from None


def _own(session: Session, request: Request, key: str, *zones: str) -> Spot:
    spot = _spot(session, request, key)
    if spot.seat != session.decision.seat or spot.zone not in zones:
        raise Fault("BAD_POSITION", f"{key} is a {' or '.join(zones)} of yours")
    return spot


HANDLERS: Mapping[str, Callable[[Session, Request], None]] = {
    "GAME_START_ACCEPT": _accept_hand,
    "GAME_START_MULLIGAN": _redraw,
    "DIAG_RESP": _answer_yes_or_no,
    "DRAW_CARD": _draw,
    "DRAW_CARD_OFFER_IGNORE": _ignore_draw,
    "PLAY_CARD": _play,
    "LEVEL_MAGE": _level,
    "LEVEL_MAGE_RESP": _level,
    "ACTIVATE_ABILITY": _use,
    "ATTACK_CARD": _attack,
    "TURN_END": _end_turn,
    "ACTIVATE_TRICKSTER": _activate,
    "DESTROY_CARD": _destroy,
    "ALLOW_ACTION": _allow,
    "TARGET_CARD_RESP": _choose,
    "CHOOSE_COST_RESP": _choose,
    "RETURN_CARD": _return_card,
}
"""Each command that is for players at a table, and what acts on it."""
