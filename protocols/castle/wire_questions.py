"""What a player is asked, as messages; and where a card lies that is chosen by its number.

The order of a deck is a secret, so the places of a deck that are offered in a search only tell the choices apart:
they count from 1 in the order of the cards' numbers.  Cards looked at on top of the deck have their own places.
Source: the Castle Wars specification, section 4.10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamecore.games.castle import CARDS, CastleView, operations
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import QuestionView
from gamecore.rules import Move
from protocols.castle.partial_move import PartialMove
from protocols.castle.visible_cards import card_at
from protocols.castle.wire import Message
from protocols.castle.wire_messages import card_number
from protocols.castle.wire_positions import position_of

_PURPOSES = {
    "target": "choose a card for",
    "take": "choose a card of your deck for",
    "discard": "choose a card to discard for",
    "put": "choose a card to put into play for",
}


def places_in(board: CastleView, seat: int, moves: Sequence[Move]) -> Callable[[Move], Spot]:
    """Find a place for every card that is offered by its number."""
    side = board.sides[seat]
    looked = () if board.question is None else board.question.looked
    deck: dict[int, int] = {}
    if looked:
        for at, card in enumerate(looked):
            deck.setdefault(card, side.deck_count - 1 - at)
    else:
        offered = {
            move.card
            for move in moves
            if isinstance(move, castle_moves.TakeCard)
            or (isinstance(move, castle_moves.PutCard) and move.source == "deck")
        }
        deck = {card: at for at, card in enumerate(sorted(offered))}
    hand = {card.card: at for at, card in reversed(list(enumerate(side.hand)))}

    def place_of(move: Move) -> Spot:
        """Find one of them."""
        if isinstance(move, castle_moves.PutCard) and move.source == "hand":
            return Spot(seat, "hand", hand[move.card])
        assert isinstance(move, castle_moves.TakeCard | castle_moves.PutCard)
        return Spot(seat, "deck", deck[move.card])

    return place_of


def is_yes_or_no(moves: Sequence[Move]) -> bool:
    """Tell whether a question wants no card."""
    return castle_moves.Accept() in moves


def ask_yes_or_no(question: QuestionView, board: CastleView, seat: int) -> Message:
    """Ask whether to do something, or to draw a card."""
    definition = CARDS[question.card]
    if question.why == "save" and question.about is not None:
        about = position_of(question.about, seat)
        return {"COMMAND": "DIAG_OFFER", "MSG": f"{definition.name}: save {about}?"}
    if any(
        each.optional and isinstance(each.effects[0], operations.Draw)
        for each in definition.abilities
    ):
        return offer_draw(question.card, board, seat)
    text = next((each.text for each in definition.abilities if each.optional), definition.name)
    return {"COMMAND": "DIAG_OFFER", "MSG": f"{definition.name}: {text}"}


def offer_draw(card: int, board: CastleView, seat: int) -> Message:
    """Offer to draw one card because of another."""
    side = board.sides[seat]
    start = position_of(Spot(seat, "deck", max(side.deck_count - 1, 0)), seat)
    end = position_of(Spot(seat, "hand", len(side.hand)), seat)
    return {"COMMAND": "DRAW_CARD_OFFER", "ID": card, "START_POS": start, "END_POS": end}


def ask_position(
    partial: PartialMove,
    why: str,
    trigger: Spot | None,
    board: CastleView,
    seat: int,
    paying: bool = False,
) -> Message:
    """Ask for one position; who is ``paying`` for a card may always think better of it."""
    region = partial.region()
    found: Message = {
        "COMMAND": "TARGET_CARD",
        "TRIGGER_POS": position_of(trigger or region[0], seat),
        "VALID_REGION": [position_of(spot, seat) for spot in region],
        "MSG": why,
        "CANCELLABLE": paying or partial.none is not None,
    }
    shown = _options(partial, board, seat)
    if shown:
        found["OPTIONS"] = [
            {"cardPos": position_of(spot, seat), "card": card} for spot, card in shown
        ]
    return found


def purpose(question: QuestionView) -> str:
    """Say what a card is wanted for."""
    return f"{_PURPOSES.get(question.why, 'choose for')} {CARDS[question.card].name}"


def _options(partial: PartialMove, board: CastleView, seat: int) -> list[tuple[Spot, int]]:
    """Name the cards that can be chosen and are not there for all to see."""
    if partial.card_named:
        return []
    found = []
    for candidate in partial.candidates:
        spot, move = candidate.place, candidate.move
        if spot is None:
            continue
        if isinstance(move, castle_moves.TakeCard | castle_moves.PutCard):
            found.append((spot, move.card))
        elif spot.zone in ("hand", "trickster"):
            found.append((spot, card_number(card_at(board, spot))))
    return list(dict.fromkeys(found))
