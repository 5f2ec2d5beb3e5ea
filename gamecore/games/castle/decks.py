"""The cards there are, and the decks that are built of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import attrs
from attrs import field, frozen

from gamecore.errors import Refused
from gamecore.games.castle.card_definitions import CardDefinition
from gamecore.games.castle.card_reader import entry, listed, load, read
from gamecore.games.castle.effect_schema import Sort


@frozen
class DeckRules:
    """How many cards a deck has, castles beside it, and decrees in it at the most."""

    cards: int
    castles: int
    decrees: int


def _definitions() -> tuple[CardDefinition, ...]:
    definitions = [read(CardDefinition, each) for each in listed(entry(_DATA, "cards"))]
    if [definition.id for definition in definitions] != list(range(len(definitions))):
        raise ValueError("cards are numbered from 0 in their order")
    return tuple(definitions)


_DATA = load("cards.json")
CARDS = _definitions()
DECK_RULES = read(DeckRules, entry(_DATA, "deck"))


def of_type(kind: Sort) -> tuple[CardDefinition, ...]:
    """List all cards of one type in their order."""
    return tuple(definition for definition in CARDS if definition.type == kind)


DECKABLE = tuple(definition for definition in CARDS if definition.type != "castle")
TRICKSTERS = of_type("trickster")
CASTLES = of_type("castle")


def _in_order(cards: Iterable[int]) -> tuple[int, ...]:
    given = tuple(cards)
    in_order = tuple(sorted(given))
    return given if given == in_order else in_order  # tables share a sample that is in order


def _check_cards(
    deck: object, attribute: attrs.Attribute[tuple[int, ...]], cards: tuple[int, ...]
) -> None:
    """Refuse a deck that the rules do not allow (specification 1.2)."""
    if len(cards) != DECK_RULES.cards:
        raise Refused("deck-size", cards=len(cards), wanted=DECK_RULES.cards)
    deckable = {definition.id: definition for definition in DECKABLE}
    for card, count in Counter(cards).items():
        if card not in deckable:
            raise Refused("deck-unknown-card", card=card)
        if count > deckable[card].limit:
            raise Refused("deck-too-many-copies", card=card, most=deckable[card].limit)
    if sum(deckable[card].type == "decree" for card in cards) > DECK_RULES.decrees:
        raise Refused("deck-too-many-decrees", most=DECK_RULES.decrees)


def _check_castle(deck: object, attribute: attrs.Attribute[int], castle: int) -> None:
    if castle not in {definition.id for definition in CASTLES}:
        raise Refused("deck-no-castle", card=castle)


@frozen
class _Sample:
    name: str
    cards: tuple[int, ...]
    castle: int


_SAMPLES = [read(_Sample, each) for each in listed(load("decks.json"))]


@frozen
class Deck:
    """What a player brings: fifty cards, in no order, and a castle; the first sample if nothing else is said.

    Making one raises Refused: ``deck-size``, ``deck-unknown-card``, ``deck-too-many-copies``,
    ``deck-too-many-decrees`` or ``deck-no-castle``.
    """

    cards: tuple[int, ...] = field(
        default=_SAMPLES[0].cards, converter=_in_order, validator=_check_cards
    )
    castle: int = field(default=_SAMPLES[0].castle, validator=_check_castle)


SAMPLE_DECKS: Mapping[str, Deck] = MappingProxyType(
    {each.name: Deck(each.cards, each.castle) for each in _SAMPLES}
)
