"""What cards cost, and all the ways to pay: whatever a player may give up is listed, so nobody has to be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from attrs import evolve, frozen

from gamecore.games.castle.continuous_effects import meets
from gamecore.games.castle.core import FIELD, SLOTS, Piece, RoundCore, kind_of
from gamecore.games.castle.effect_schema import Item
from gamecore.games.castle.moves import PlayCard, PutCard, Spot, Spots
from gamecore.rules import Move

M = TypeVar("M", bound=Move)


@frozen
class Price:
    """What comes with giving up certain cards: health, and how much of the side's own discount is used up."""

    health: int
    discount: int


def in_order(move: M) -> M:
    """Write what a move gives up as it is listed, in the order of the places: whoever pays need not know it."""
    if isinstance(move, PlayCard | PutCard):
        return evolve(move, pay=tuple(sorted(move.pay, key=_places)))
    return move


def _places(spot: Spot) -> tuple[int, int]:
    return [*FIELD].index(spot.zone) if spot.zone in FIELD else -1, spot.slot


def _serves(piece: Piece, item: Item) -> bool:
    return (
        piece.definition.type == item.card_type
        and item.card_id in (None, piece.card)
        and piece.level >= item.min_level
        and not piece.shown
    )


def _givings(
    pieces: Sequence[tuple[Spot, Piece]], items: Sequence[Item], given: frozenset[Spot]
) -> Iterator[frozenset[Spot]]:
    """List the sets of cards that serve for one item each."""
    if not items:
        yield given
        return
    for spot, piece in pieces:
        if spot not in given and _serves(piece, items[0]):
            yield from _givings(pieces, items[1:], given | {spot})


def ways_to_pay(core: RoundCore, seat: int, piece: Piece) -> dict[Spots, Price]:
    """List every way a side may pay for one of its cards now, the cheapest price for the same cards.

    The card's own discount must be used; the side's may be.
    """
    if not piece.definition.cost:
        return {(): Price(0, 0)}
    side = core.sides[seat]
    pieces = side.pieces()
    ways: dict[Spots, Price] = {}
    for alternative in piece.definition.cost:
        health = sum(item.amount for item in alternative if item.pay == "castle_health")
        items = [item for item in alternative for _ in range(item.count)]
        if health and side.health <= health:
            continue
        for kept, discount in _reductions(items, piece.discount, side.discount):
            for given in set(_givings(pieces, kept, frozenset())):
                way, price = tuple(sorted(given, key=_places)), Price(health, discount)
                known = ways.get(way, price)
                ways[way] = min(known, price, key=lambda each: (each.health, each.discount))
    return dict(sorted(ways.items(), key=lambda way: [_places(spot) for spot in way[0]]))


def _reductions(items: Sequence[Item], own: int, side: int) -> Iterator[tuple[Sequence[Item], int]]:
    """List which items of a cost remain, and how much of the side's discount that uses."""
    least = min(own, len(items))
    for fewer in range(least, min(own + side, len(items)) + 1):
        for kept in combinations(items, len(items) - fewer):
            yield kept, fewer - least


def ways_to_put(core: RoundCore, seat: int, piece: Piece) -> Iterator[tuple[int, Spots]]:
    """List the slots a card may go to, each with what to give up for it; a slot may become free by that."""
    if not may_enter(core, seat, piece):
        return
    kind = kind_of(piece)
    for way in ways_to_pay(core, seat, piece):
        for slot in range(SLOTS[kind]):
            if core.is_free(seat, kind, slot) or Spot(seat, kind, slot) in way:
                yield slot, way


def may_enter(core: RoundCore, seat: int, piece: Piece) -> bool:
    """Tell whether there is what the card's entry ability requires."""
    return all(
        meets(core, seat, ability.requires, piece.uid)
        for ability in piece.definition.abilities
        if ability.trigger == "on_play"
    )


def distinct(pieces: Iterable[Piece]) -> list[Piece]:
    """Pick one of each card, the one with the greatest discount, in the order of their numbers."""
    best: dict[int, Piece] = {}
    for piece in pieces:
        if piece.card not in best or piece.discount > best[piece.card].discount:
            best[piece.card] = piece
    return [best[card] for card in sorted(best)]
