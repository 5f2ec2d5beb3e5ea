"""The whole board in one object, and what has changed on a card (Castle Wars specification, section 4.10)."""

from __future__ import annotations

from collections.abc import Iterator

from gamecore.games.castle import CastleView
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import FieldCard, SideView
from gamecore.table_view import TableView
from protocols.castle.wire import Message
from protocols.castle.wire_messages import card_number, player_list
from protocols.castle.wire_positions import position_of


def whole_state(view: TableView) -> Message:
    """Write all that a player may know."""
    board, seat = view.board, view.seat
    found: Message = {
        "COMMAND": "STATE",
        "ROOM": view.code,
        "STAGE": view.stage.value.upper(),
        "PLAYER_ID": seat,
        "PLAYER_LIST": player_list(view.names),
        "AWAITED": sorted(view.to_move),
    }
    if not isinstance(board, CastleView) or seat is None:
        return found
    dues = [due for each, due in view.due.items() if each in view.to_move]
    return {
        **found,
        "STAGE": board.stage.upper(),
        "TURN": board.turn,
        "ACTIVE_ID": board.active,
        "TO_DRAW": board.to_draw,
        "SECONDS": max(0, round(min(dues) - view.at)) if dues else None,
        "ACTION_ID": None if board.action is None else board.action.number,
        **_side("MY", board.sides[seat]),
        **_side("THEIR", board.sides[1 - seat]),
        "FIELD": {position_of(card.spot, seat): _worth(card) for card in _cards_of(board)},
    }


def _side(whose: str, side: SideView) -> Message:
    return {
        f"{whose}_CASTLE": card_number(side.castle),
        f"{whose}_HEALTH": side.health,
        f"{whose}_HAND": [card_number(each.card) for each in side.hand],
        f"{whose}_DECK_COUNT": side.deck_count,
        f"{whose}_DISCARD": list(side.discard),
    }


def _worth(card: FieldCard) -> Message:
    return {
        "CARD_ID": card_number(card.card),
        "POINTS": card.points,
        "LEVEL": card.level,
        "STUNNED": card.stunned,
    }


def _cards_of(board: CastleView) -> Iterator[FieldCard]:
    """List all cards on the field."""
    for side in board.sides:
        yield from side.field


def card_changes(before: CastleView | None, board: CastleView, seat: int) -> Iterator[Message]:
    """Say which cards on the field are new, or worth something else than before."""
    known: dict[Spot, Message] = {}
    if before is not None:
        known = {card.spot: _worth(card) for card in _cards_of(before)}
    for card in _cards_of(board):
        worth = _worth(card)
        if known.get(card.spot) != worth:
            yield {"COMMAND": "CARD_STATE", "POS": position_of(card.spot, seat), **worth}
