"""Cards and castles as they are drawn: what is printed on them, and how they stand on the field."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from gamecore.games.castle import CARDS, CastleView
from gamecore.games.castle.effect_schema import Kind, Zone
from gamecore.games.castle.moves import Spot
from gamecore.games.castle.view import FieldCard, HandCard, SideView
from protocols.castle.text_cards import cost_of, facts_of
from protocols.castle.text_places import short_name
from protocols.i18n.translate import Translator

FRONT: Sequence[tuple[Kind, int]] = (("mage", 0), ("soldier", 0), ("soldier", 1), ("mage", 1))
BACK: Sequence[tuple[Kind, int]] = (("decree", 0), ("trickster", 0), ("trickster", 1))
_ORDER: Sequence[tuple[Zone, int]] = (("castle", 0), *FRONT, *BACK)
_ON_FIELD = 2 * len(_ORDER)
NUMBERS = 48  # as many as the looks tell apart


@frozen
class Face:
    """A card as it is seen; ``facts`` and ``abilities`` are all that is printed on it, ``marks`` how it stands.

    ``kind`` is the type of the card, and of one that is not known the empty text; ``points`` are None for one that
    has none; ``still`` if it can do nothing more this turn.
    """

    name: str
    kind: str = ""
    points: int | None = None
    level: int = 0
    cost: str = ""
    facts: str = ""
    abilities: Sequence[str] = ()
    marks: Sequence[str] = ()
    still: bool = False


@frozen
class Keep:
    """A castle, and what else there is to count of its side; ``health`` is None while it lies face down."""

    seat: int
    face: Face
    health: int | None
    full: int
    deck: int
    hand: int
    discarded: Sequence[str]
    known: Sequence[str]


def print_card(card: int, say: Translator) -> Face:
    """Show what is printed on a card."""
    definition = CARDS[card]
    has_points = definition.type in ("soldier", "mage")
    return Face(
        short_name(card, say).removeprefix("Decree - "),
        definition.type,
        definition.points if has_points else None,
        cost=cost_of(definition, say) if definition.cost else "",
        facts=facts_of(definition, say),
        abilities=[say(each.text) for each in definition.abilities],
    )


def print_samples(say: Translator) -> Sequence[Face]:
    """Show what is printed on a card of each kind: on the first of them."""
    kinds = dict.fromkeys(zone for zone, _ in (*FRONT, *BACK))
    first = (next(each.id for each in CARDS if each.type == kind) for kind in kinds)
    return [print_card(card, say) for card in first]


def show_held(held: HandCard, say: Translator) -> Face:
    """Show a card of a hand, as far as the viewer knows it."""
    if held.card is None:
        return Face(say("a card"))
    face = print_card(held.card, say)
    if not held.discount:
        return face
    return evolve(face, marks=[say("costs {n} less", n=held.discount)])


def show_on_field(card: FieldCard, board: CastleView, say: Translator) -> Face:
    """Show a card on the field with its points and level, and what holds it up."""
    marks = []
    if card.stunned:
        marks.append(say("stunned"))
    if card.doomed:
        marks.append(say("doomed"))
    if card.stolen:
        marks.append(say("stolen"))
    if card.card is None:
        return Face(say("face down"), "trickster", marks=marks)
    if card.spot.zone == "trickster":
        marks.append(say("turned up") if card.shown else say("face down"))
    attacked = 0 < card.attacks_allowed <= card.attacks and card.spot.seat == board.active
    if attacked:
        marks.append(say("has attacked"))
    face = print_card(card.card, say)
    points = None if face.points is None else card.points
    still = attacked or card.stunned
    return evolve(face, points=points, level=card.level, marks=marks, still=still)


def show_keep(side: SideView, seat: int, own: bool, say: Translator) -> Keep:
    """Show a castle and count what its side has."""
    face = Face(say("castle face down"), "castle")
    full = side.health or 0
    if side.castle is not None:
        face, full = print_card(side.castle, say), CARDS[side.castle].health
    known = [each.card for each in side.hand if each.card is not None and not own]
    return Keep(
        seat,
        face,
        side.health,
        full,
        side.deck_count,
        len(side.hand),
        [short_name(card, say) for card in side.discard],
        [short_name(card, say) for card in known],
    )


def card_on(side: SideView, spot: Spot) -> FieldCard | None:
    """Find what lies at a place, or is on its way to it."""
    return next((each for each in (*side.field, *side.coming) if each.spot == spot), None)


def name_of(spot: Spot, board: CastleView) -> str:
    """Name a card in the markup by its place, and itself if the viewer knows it: ``a0s1-24``.

    In a hand cards move up: there it is named by when it came.
    """
    side = board.sides[spot.seat]
    if spot.zone == "hand":
        return f"a{spot.seat}h{side.hand[spot.slot].since}"
    lies = card_on(side, spot)
    known = "" if lies is None or lies.card is None else f"-{lies.card}"
    return f"a{spot.seat}{spot.zone[0]}{spot.slot}{known}"


def number_of(spot: Spot, board: CastleView) -> int:
    """Number a card for the looks, by which a menu is shown when its card is picked.

    It stays the same while the card lies where it lies.  Two cards of a very large hand may share one: then both
    menus are shown.
    """
    if spot.zone == "hand":
        held = board.sides[spot.seat].hand[spot.slot]
        return _ON_FIELD + held.since % (NUMBERS - _ON_FIELD)
    return spot.seat * _ON_FIELD // 2 + _ORDER.index((spot.zone, spot.slot))
