"""What one seat, or a watcher, may know of a duel."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from gamecore.games.castle.continuous_effects import PointsCount
from gamecore.games.castle.core import Action, Piece, Question, RoundCore, Side
from gamecore.games.castle.dealing import TakeLooked, looked_at
from gamecore.games.castle.effect_schema import Kind
from gamecore.games.castle.engine import offered
from gamecore.games.castle.event_types import Asking, Doing
from gamecore.games.castle.moves import Reply, Spot, Spots
from gamecore.games.castle.options import CastleOptions
from gamecore.rules import View


@frozen
class HandCard:
    """A card in a hand: itself if the viewer knows it, or the types it is known to be of.

    ``since`` counts the cards that had come to this hand before: who looks on sees which card leaves it.
    """

    card: int | None
    types: tuple[Kind, ...]
    discount: int
    since: int


@frozen
class FieldCard:
    """A card on the field; ``card`` is None for a trickster that the viewer does not know.

    ``arrived`` is the turn it came in, ``used`` its abilities used this turn or for good, ``shown`` a trickster
    that is turned up, ``stolen`` whether it goes back when the thief leaves.
    """

    spot: Spot
    card: int | None
    owner: int
    points: int = 0
    level: int = 0
    arrived: int = 0
    stunned: bool = False
    levelled: bool = False
    attacks: int = 0
    attacks_allowed: int = 1
    any_level: bool = False
    used: tuple[int, ...] = ()
    shown: bool = False
    stolen: bool = False
    doomed: tuple[int, ...] = ()


@frozen
class SideView:
    """One side; ``deck`` lists one's own deck in the order of the cards' numbers, for its order is a secret."""

    castle: int | None
    health: int | None
    rescue_used: tuple[int, ...]
    hand: tuple[HandCard, ...]
    deck_count: int
    deck: tuple[int, ...] | None
    discard: tuple[int, ...]
    field: tuple[FieldCard, ...]
    coming: tuple[FieldCard, ...]
    played: tuple[str, ...]
    discount: int
    shielded: bool
    mulligans: int


@frozen
class AnswerView:
    """An answer on the stack."""

    number: int
    seat: int
    answers: int
    card: int
    source: Spot | None
    cancelled: bool


@frozen
class ActionView:
    """The action under way and its answers, the latest last."""

    number: int
    seat: int
    doing: Doing
    card: int | None
    source: Spot | None
    target: Spot | None
    ability: int | None
    answers: tuple[AnswerView, ...]


@frozen
class QuestionView:
    """What a player is asked; ``moves`` and ``looked`` (at the deck's top) are empty for everybody else."""

    seat: int
    why: Asking
    card: int
    source: Spot | None
    about: Spot | None
    moves: tuple[Reply, ...]
    looked: tuple[int, ...]


@frozen
class CastleView(View):
    """The duel as one may see it; ``stage`` is ``mulligan``, ``turn``, ``window``, ``question`` or ``over``.

    ``marks`` are the cards that the last action was about, ``left`` is what remained of the turn when it stopped.
    """

    options: CastleOptions
    seat: int | None
    stage: str
    turn: int
    first: int
    active: int
    to_draw: bool
    waiting: tuple[int, ...]
    ends: tuple[tuple[int, float], ...]
    left: float
    sides: tuple[SideView, SideView]
    action: ActionView | None
    question: QuestionView | None
    marks: Spots
    lost: str


def knows(viewer: int | None, holder: int, piece: Piece) -> bool:
    """Tell whether a viewer knows a card in somebody's hand or face down on somebody's field."""
    return viewer == holder or viewer in piece.known or piece.shown


def view_of(core: RoundCore, viewer: int | None) -> CastleView:
    """Show a viewer all it may know."""
    return CastleView(
        core.options,
        viewer,
        core.stage,
        core.turn,
        core.first,
        core.active,
        core.to_draw,
        tuple(sorted(core.to_move)),
        tuple(sorted(core.ends.items())),
        core.left,
        (_side(core, core.sides[0], viewer), _side(core, core.sides[1], viewer)),
        None if core.action is None else _action(core, core.action, viewer),
        _question(core, core.stop, viewer) if isinstance(core.stop, Question) else None,
        tuple(core.marks),
        core.ending.reason if core.ending is not None else "",
    )


def _side(core: RoundCore, side: Side, viewer: int | None) -> SideView:
    own = viewer == side.seat
    open_castle = own or core.turn > 0
    deck = tuple(sorted([piece.card for piece in side.deck])) if own else None
    count = PointsCount(core, side.seat)
    return SideView(
        side.castle.card if open_castle else None,
        side.health if open_castle else None,
        tuple(sorted(side.castle.used | side.castle.spent)),
        _hand(side, viewer),
        len(side.deck),
        deck,
        tuple([piece.card for piece in side.discard]),
        tuple([_on_field(core, spot, piece, viewer, count) for spot, piece in side.pieces()]),
        tuple(
            [
                _on_field(core, incoming.spot, incoming.piece, viewer, count)
                for incoming in core.incoming
                if incoming.seat == side.seat
            ]
        ),
        tuple(sorted(side.played)),
        side.discount,
        side.shielded,
        side.mulligans,
    )


def _hand(side: Side, viewer: int | None) -> tuple[HandCard, ...]:
    own = viewer == side.seat
    return tuple(
        [
            _hand_card(
                piece.card if own or viewer in piece.known or piece.shown else None,
                piece.hint,
                piece.discount,
                piece.held_since,
            )
            for piece in side.hand
        ]
    )


def _on_field(
    core: RoundCore, spot: Spot, piece: Piece, viewer: int | None, count: PointsCount
) -> FieldCard:
    doomed = _destructions(core, piece) if core.scheduled else ()
    if spot.zone == "trickster":
        card = piece.card if knows(viewer, spot.seat, piece) else None
        return _trickster(spot, card, piece.owner, piece.arrived, piece.shown, doomed)
    used = piece.used | piece.spent
    return _field_card(
        spot,
        piece.card,
        piece.owner,
        count.of(piece),
        piece.level,
        piece.arrived,
        piece.stunned,
        piece.levelled,
        piece.attacks,
        piece.attacks_allowed,
        piece.any_level,
        tuple(sorted(used)) if used else (),
        False,
        piece.held_by is not None,
        doomed,
    )


def _face_down(
    spot: Spot, card: int | None, owner: int, arrived: int, shown: bool, doomed: tuple[int, ...]
) -> FieldCard:
    return FieldCard(spot, card, owner, arrived=arrived, shown=shown, doomed=doomed)


# Views are drawn for every move, and most cards lie as they lay: one that looks the same is the same.
_hand_card = lru_cache(maxsize=4096)(HandCard)
_field_card = lru_cache(maxsize=4096)(FieldCard)
_trickster = lru_cache(maxsize=4096)(_face_down)


def _destructions(core: RoundCore, piece: Piece) -> tuple[int, ...]:
    return tuple([each.left for each in core.scheduled if each.piece == piece.uid])


def _action(core: RoundCore, action: Action, viewer: int | None) -> ActionView:
    found = next(
        (incoming for incoming in core.incoming if incoming.piece.uid == action.piece), None
    )
    on_field = core.find(action.piece)
    piece = found.piece if found is not None else None if on_field is None else on_field[1]
    hidden = piece is not None and piece.definition.type == "trickster"
    known = piece is not None and not (hidden and not knows(viewer, action.seat, piece))
    return ActionView(
        action.number,
        action.seat,
        action.doing,
        piece.card if piece is not None and known else None,
        None if on_field is None else on_field[0],
        found.spot if found is not None else core.spot_of(action.target),
        None if action.use is None else action.use.index,
        tuple(
            AnswerView(
                each.number,
                each.seat,
                each.answers,
                each.use.card,
                core.spot_of(each.piece),
                each.cancelled,
            )
            for each in action.answers
        ),
    )


def _question(core: RoundCore, question: Question, viewer: int | None) -> QuestionView:
    own = viewer == question.seat
    looked = looked_at(core, question) if own and isinstance(question, TakeLooked) else []
    return QuestionView(
        question.seat,
        question.why,
        question.use.card,
        core.spot_of(question.use.source),
        question.about(core),
        tuple(offered(core, question)) if own else (),
        tuple(piece.card for piece in looked),
    )
