"""The card file fits its vocabulary, every word of it is understood, and decks are checked."""

from __future__ import annotations

import copy
from collections import Counter
from typing import get_args

import pytest

from gamecore.codec import plain
from gamecore.errors import Refused
from gamecore.games.castle import CARDS, RULES, SAMPLE_DECKS, Deck, operations
from gamecore.games.castle.card_definitions import CardDefinition
from gamecore.games.castle.card_reader import Misprint, entry, listed, load, read
from gamecore.games.castle.engine import performable
from gamecore.record import build

CONSTANT = {
    operations.CapPoints,
    operations.StunImmunity,
    operations.NoHandLimit,
    operations.Taunt,
    operations.DirectCastleAttack,
    operations.MagesAttackAnyLevel,
    operations.Untargetable,
}
DECK = SAMPLE_DECKS["classic"].cards


# -- the card file --------------------------------------------------------------------


def test_there_are_59_cards_of_five_types():
    assert (
        len(CARDS) == len({face.key for face in CARDS}) == len({face.name for face in CARDS}) == 59
    )
    assert Counter(face.type for face in CARDS) == {
        "castle": 6,
        "decree": 4,
        "soldier": 18,
        "trickster": 14,
        "mage": 17,
    }


def test_every_operation_is_carried_out_or_holds_while_its_card_is_there():
    known = set(get_args(operations.Effect))
    assert performable() | CONSTANT == known
    assert performable() & CONSTANT == set()


def test_every_operation_is_used_by_some_card():
    used = {type(each) for face in CARDS for ability in face.abilities for each in ability.effects}
    assert used == set(get_args(operations.Effect))


def test_constant_operations_stand_in_constant_abilities_only():
    for face in CARDS:
        for ability in face.abilities:
            kinds = {type(effect) for effect in ability.effects}
            if ability.trigger == "field" and ability.when is None:
                assert kinds <= CONSTANT | {operations.ModifyPoints}, face.key
            else:
                assert not kinds & CONSTANT, face.key


def test_every_card_is_printed_with_what_it_does():
    for face in CARDS:
        assert all(ability.text for ability in face.abilities)
        assert (face.points == face.health == 0) == (face.type in ("trickster", "decree")) or (
            face.key == "castle_knight"
        )
        assert all(1 <= ability.level <= 3 for ability in face.abilities)


def test_a_card_does_one_thing_on_entry_and_one_at_each_level():
    for face in CARDS:
        moments = [
            (ability.trigger, ability.level)
            for ability in face.abilities
            if ability.trigger in ("on_play", "on_level")
        ]
        assert len(set(moments)) == len(moments)


def test_all_tricksters_answer_something():
    for face in CARDS:
        if face.type == "trickster":
            (ability,) = face.abilities
            assert ability.when is not None and ability.trigger in ("response", "special")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda card: card.update(colour="red"),
        lambda card: card.update(id="eleven"),
        lambda card: card.update(type="dragon"),
        lambda card: card.pop("name"),
        lambda card: card["abilities"].append("flies"),
        lambda card: card["abilities"][0].update(trigger="at_dawn"),
        lambda card: card["abilities"][0].update(optional=1),
        lambda card: card["abilities"][0]["effects"][0].update(op="explode"),
        lambda card: card["abilities"][0]["effects"][0].update(amount="many"),
        lambda card: card["abilities"][0]["effects"][0]["filter"].update(types=["dragon"]),
        lambda card: card["abilities"][0].update(effects={}),
    ],
)
def test_a_misprint_is_found(spoil):
    card = copy.deepcopy(listed(entry(load("cards.json"), "cards"))[11])
    assert read(CardDefinition, card).key == "squire"
    spoil(card)
    with pytest.raises(Misprint):
        read(CardDefinition, card)


def test_no_code_knows_a_card_by_its_number_or_key():
    """Numbers of cards stand in the data only; the code may not even name a card."""
    from importlib import resources

    keys = {face.key for face in CARDS if "_" in face.key}
    for path in resources.files("gamecore.games.castle").iterdir():
        if path.name.endswith(".py"):
            text = path.read_text(encoding="utf-8")
            assert not [key for key in keys if f'"{key}"' in text], path.name
            assert ".card == " not in text.replace("piece.card == card", "").replace(
                "each.card == move.card", ""
            ).replace("piece.card == changed.card", ""), path.name


# -- decks ----------------------------------------------------------------------------


def test_the_sample_decks_are_allowed_and_there_are_several():
    assert len(SAMPLE_DECKS) >= 4
    assert RULES.samples is SAMPLE_DECKS
    assert all(isinstance(deck, Deck) for deck in SAMPLE_DECKS.values())


def test_a_deck_is_in_no_order():
    assert Deck(tuple(reversed(DECK)), 1) == Deck(DECK, 1)


@pytest.mark.parametrize(
    ("cards", "castle", "key"),
    [
        (DECK[:-1], 1, "deck-size"),
        ((*DECK, 10), 1, "deck-size"),
        ((), 1, "deck-size"),
        ((*DECK[:-1], 59), 1, "deck-unknown-card"),
        ((*DECK[:-1], -1), 1, "deck-unknown-card"),
        ((*DECK[:-1], 3), 1, "deck-unknown-card"),
        ((*DECK[:-1], 10), 1, "deck-too-many-copies"),
        ((*DECK[:-1], 6), 1, "deck-too-many-copies"),
        (DECK, 6, "deck-no-castle"),
        (DECK, -1, "deck-no-castle"),
    ],
)
def test_a_deck_that_is_not_allowed_is_refused(cards, castle, key):
    with pytest.raises(Refused) as refused:
        Deck(tuple(cards), castle)
    assert refused.value.key == key


def test_a_deck_survives_the_record():
    deck = SAMPLE_DECKS["mages"]
    assert build(Deck, plain(deck)) == deck
