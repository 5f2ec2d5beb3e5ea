"""What must be true of a duel after every command (specification 9.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from gamecore.games.castle import CastlePosition, Deck
from gamecore.games.castle.core import Piece, RoundCore, Side
from gamecore.games.castle.view import CastleView


def check(position: CastlePosition, decks: Sequence[Deck]) -> None:
    """Check everything; an AssertionError says what is wrong."""
    core = position._core
    _check_cards(core, decks)
    for side in core.sides:
        _check_side(core, side)
    views = [position.seen_by(seat) for seat in (0, 1, None)]
    _check_points(core, views[2])
    _check_awaited(position, core)
    _check_secrets(views, core)


def _lying(side: Side) -> list[Piece]:
    return [*side.deck, *side.hand, *side.discard, *(piece for _, piece in side.pieces())]


def _check_cards(core: RoundCore, decks: Sequence[Deck]) -> None:
    """Every card is in one place, and every owner has the 51 that were brought."""
    pieces = [piece for side in core.sides for piece in _lying(side)]
    pieces += [incoming.piece for incoming in core.incoming]
    assert len({piece.uid for piece in pieces}) == len(pieces) == sum(len(d.cards) for d in decks)
    for owner, deck in enumerate(decks):
        held = Counter(piece.card for piece in pieces if piece.owner == owner)
        assert held == Counter(deck.cards)
        assert core.sides[owner].castle.card == deck.castle
    for side in core.sides:
        for piece in (*side.deck, *side.hand, *side.discard):
            assert piece.owner == side.seat


def _check_side(core: RoundCore, side: Side) -> None:
    assert 0 <= side.health <= side.castle.definition.health
    if side.castle.card != 2:
        assert len(side.hand) <= core.options.hand_limit
    for spot, piece in side.pieces():
        assert piece.definition.type == spot.zone
        assert (1 <= piece.level <= 3) == (spot.zone == "mage")
        assert piece.owner == side.seat or spot.zone == "soldier"
        thief = piece.held_by
        assert thief is None or core.find(thief) is not None
    for piece in (*side.deck, *side.hand, *side.discard):
        assert not (piece.level or piece.boost or piece.stunned or piece.shown or piece.used)


def _check_points(core: RoundCore, view: CastleView) -> None:
    for side in view.sides:
        for card in side.field:
            assert card.points >= 0
            found = core.on_field(card.spot)
            if found is not None and core.sides[1 - card.spot.seat].castle.card == 1:
                assert card.points <= found.definition.points


def _check_awaited(position: CastlePosition, core: RoundCore) -> None:
    """Somebody can always do something, unless the game is over; at rest nothing is half done."""
    awaited = position.to_move()
    assert bool(awaited) == (position.outcome is None)
    assert position.due().keys() == awaited
    for seat in (0, 1):
        moves = position.legal_moves(seat)
        assert bool(moves) == (seat in awaited)
        assert len(set(moves)) == len(moves)
    if position.seen_by(None).stage == "turn":
        assert not core.todo and not core.incoming and core.action is None


def _check_secrets(views: Sequence[CastleView], core: RoundCore) -> None:
    """Nobody sees an enemy's hand, deck or face-down trickster that was not shown."""
    for view in views:
        for side in view.sides:
            own = side_of(view, side) == view.seat
            assert (side.deck is not None) == own
            for card, piece in zip(side.hand, core.sides[side_of(view, side)].hand, strict=True):
                assert (card.card is not None) == (own or view.seat in piece.known)
            for seen in side.field:
                if seen.spot.zone == "trickster" and seen.card is not None and not own:
                    piece = core.on_field(seen.spot)
                    assert piece is not None and (piece.shown or view.seat in piece.known)


def check_guess(position: CastlePosition, viewer: int | None, chance: Random) -> CastlePosition:
    """A guess shows the viewer the same, is a game that could be, and leaves the real one alone."""
    before = [position.seen_by(seat) for seat in (0, 1, None)]
    twin = position.guess(viewer, chance)
    assert [position.seen_by(seat) for seat in (0, 1, None)] == before
    assert twin.seen_by(viewer) == position.seen_by(viewer)
    assert (twin.to_move(), twin.due()) == (position.to_move(), position.due())
    if viewer is not None:
        assert twin.legal_moves(viewer) == position.legal_moves(viewer)
    core = twin._core
    decks = [_brought(core, owner) for owner in (0, 1)]
    check(twin, decks)
    return twin


def _brought(core: RoundCore, owner: int) -> Deck:
    pieces = [piece for side in core.sides for piece in _lying(side)]
    pieces += [incoming.piece for incoming in core.incoming]
    cards = tuple(piece.card for piece in pieces if piece.owner == owner)
    return Deck(cards, core.sides[owner].castle.card)


def side_of(view: CastleView, side: object) -> int:
    """Say whose side it is."""
    return 0 if view.sides[0] is side else 1
