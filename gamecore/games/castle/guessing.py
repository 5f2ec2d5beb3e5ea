"""Draw anew what a viewer cannot know: the rest is left as it is, and shows the viewer the same.

Cards keep their places and change what they are.  A viewer's own deck is shuffled.  Of the enemy the viewer knows
neither the hand nor what is face down nor even which cards its deck was built of; so these become any cards that a
deck may hold beside those the viewer has seen, of the types they are known to be of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gamecore.games.castle.core import FIELD, Piece, Question, RoundCore, Side
from gamecore.games.castle.decks import CARDS, CASTLES, DECKABLE
from gamecore.games.castle.effect_schema import Kind
from gamecore.games.castle.engine import offered
from gamecore.games.castle.moves import Accept, Decline
from gamecore.games.castle.view import knows
from gamecore.rules import Chance


def draw_anew(core: RoundCore, viewer: int | None, chance: Chance) -> None:
    """Change all the cards that a viewer cannot know."""
    for side in core.sides:
        if side.seat == viewer:
            _shuffle_deck(side, chance)
        else:
            _draw_side(core, side, viewer, chance)
    if isinstance(core.stop, Question) and core.stop.seat != viewer:
        _make_possible(core, core.stop, viewer, chance)


def _shuffle_deck(side: Side, chance: Chance) -> None:
    """Shuffle a deck whose owner looks on, but for cards at its top that were looked at."""
    hidden = [piece for piece in side.deck if side.seat not in piece.known]
    cards = sorted(piece.card for piece in hidden)  # so that the draw tells nothing of how they lay
    chance.shuffle(cards)
    for piece, card in zip(hidden, cards, strict=True):
        piece.card = card


def _hidden(
    core: RoundCore, side: Side, viewer: int | None
) -> Iterator[tuple[Piece, tuple[Kind, ...]]]:
    """List the cards of a side that a viewer does not know, each with the types it may be of."""
    down = [piece for spot, piece in side.pieces() if spot.zone == "trickster"]
    down += [incoming.piece for incoming in core.incoming if incoming.seat == side.seat]
    for piece in down:
        if not knows(viewer, side.seat, piece):
            yield piece, ("trickster",)
    for piece in side.hand:
        if not knows(viewer, side.seat, piece):
            yield piece, piece.hint or FIELD
    for piece in side.deck:
        yield piece, FIELD


def _pool(core: RoundCore, side: Side, hidden: set[int], chance: Chance) -> list[int]:
    """List, in any order, the cards that a side may have beside those that are seen."""
    everything = [piece for each in core.sides for piece in _all_of(core, each)]
    seen = Counter(
        piece.card for piece in everything if piece.owner == side.seat and piece.uid not in hidden
    )
    pool = [
        definition.id
        for definition in DECKABLE
        for _ in range(definition.limit - seen[definition.id])
    ]
    chance.shuffle(pool)
    return pool


def _all_of(core: RoundCore, side: Side) -> Iterator[Piece]:
    yield from (*side.deck, *side.hand, *side.discard)
    yield from (piece for _, piece in side.pieces())
    yield from (incoming.piece for incoming in core.incoming if incoming.seat == side.seat)


def _draw_side(core: RoundCore, side: Side, viewer: int | None, chance: Chance) -> None:
    hidden = list(_hidden(core, side, viewer))
    pool = _pool(core, side, {piece.uid for piece, _ in hidden}, chance)
    for piece, types in sorted(hidden, key=lambda each: len(each[1])):
        at = next(at for at, card in enumerate(pool) if CARDS[card].type in types)
        piece.card = pool.pop(at)
    if core.turn == 0:
        definition = chance.choice(CASTLES)
        side.castle.card, side.health = definition.id, definition.health


def _make_possible(core: RoundCore, question: Question, viewer: int | None, chance: Chance) -> None:
    """Give a player who is asked something to choose from: it would not be asked otherwise."""

    def can_choose() -> bool:
        return any(not isinstance(each, Accept | Decline) for each in offered(core, question))

    if question.why not in ("take", "put") or can_choose():
        return
    side = core.sides[question.seat]
    hidden = [(piece, types) for piece, types in _hidden(core, side, viewer)]
    places = [each for each in hidden if each[0] in side.hand or each[0] in side.deck[:1]]
    pool = sorted(set(_pool(core, side, {piece.uid for piece, _ in hidden}, chance)))
    chance.shuffle(pool)
    for card in pool:
        for piece, types in places:
            before, piece.card = piece.card, card
            if CARDS[card].type in types and can_choose():
                _make_room(core, side, hidden, piece, before)
                return
            piece.card = before


def _make_room(
    core: RoundCore,
    side: Side,
    hidden: list[tuple[Piece, tuple[Kind, ...]]],
    changed: Piece,
    before: int,
) -> None:
    """Where a card is now there too often, let another of its kind become what the changed one was."""
    held = Counter(piece.card for piece in _all_of(core, side) if piece.owner == side.seat)
    if held[changed.card] <= CARDS[changed.card].limit:
        return
    for piece, types in hidden:
        if piece is not changed and piece.card == changed.card and CARDS[before].type in types:
            piece.card = before
            return
