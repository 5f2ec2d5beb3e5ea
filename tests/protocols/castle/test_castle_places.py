"""Positions on the wire, requests, and choices made card by card."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.errors import Malformed
from gamecore.games.castle import moves as castle_moves
from gamecore.games.castle.moves import Spot
from protocols.castle import wire
from protocols.castle.partial_move import partial_play, partial_reply
from protocols.castle.wire_positions import position_of, read_position

SIDE = [
    *(f"HAND_{n}" for n in range(1, 11)),
    "DECREE",
    *("MAGE_1", "MAGE_2", "SOLDIER_1", "SOLDIER_2", "TRICKSTER_1", "TRICKSTER_2"),
    "CASTLE",
    *(f"DISCARD_{n}" for n in range(1, 51)),
    *(f"DECK_{n}" for n in range(1, 51)),
]


def mirror(name):
    """Name a place as the other player sees it."""
    side, _, place = name.partition("_")
    return f"{'THEIR' if side == 'MY' else 'MY'}_{place}"


def test_there_are_236_names_and_each_is_read_and_written_the_same():
    names = [f"{side}_{name}" for side in ("MY", "THEIR") for name in SIDE]
    assert len(set(names)) == 236
    for name in names:
        for viewer in (0, 1):
            spot = read_position(name, viewer)
            assert position_of(spot, viewer) == name
            assert position_of(spot, 1 - viewer) == mirror(name)
            assert mirror(mirror(name)) == name


@pytest.mark.parametrize(
    "name",
    [
        *("", "MY", "MY_", "MY_SOLDIER", "MY_SOLDIER_0", "MY_SOLDIER_3", "MY_CASTLE_1"),
        *("OUR_SOLDIER_1", "MY_DECREE_1", "MY_HAND_99", "my_soldier_1", "MY_SOLDIER_01"),
        *(None, 7, ["MY_CASTLE"], "MY_SOLDIER_1\n", "THEIR_MAGE_999999"),
    ],
)
def test_what_is_no_position_is_not_read(name):
    with pytest.raises(Malformed):
        read_position(name, 0)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.text(max_size=40) | json_values.map(json.dumps))
def test_no_line_makes_the_parser_fail(line):
    try:
        request = wire.parse(line)
    except wire.Fault as fault:
        assert fault.code == "MALFORMED"
    else:
        assert request is None or isinstance(request.command, str)


def test_an_empty_object_is_passed_over():
    assert wire.parse("{}") is None


def test_keys_may_be_lower_case_and_numbers_have_a_point():
    request = wire.parse('{"command": "X", "card_id": 7.0, "ability_triggered": true}')
    assert request.number("CARD_ID") == 7 and request.flag("ABILITY_TRIGGERED")
    with pytest.raises(wire.Fault):
        request.number("ABILITY_TRIGGERED")


@pytest.mark.parametrize("deck", [None, {}, "1 2", 5])
def test_a_deck_is_a_list(deck):
    with pytest.raises(wire.Fault):
        wire.read_deck(deck)


def spot(zone, slot, seat=0):
    return Spot(seat, zone, slot)


S1, S2, T1, M1 = spot("soldier", 0), spot("soldier", 1), spot("trickster", 0), spot("mage", 0)


def test_a_cost_is_named_card_by_card():
    moves = [castle_moves.PlayCard(3, 0, pay) for pay in ((S1, T1), (S2, T1))]
    choice = partial_play(moves, 3, 0)
    assert choice.move is None and choice.region() == [S1, T1, S2]
    assert not choice.name(M1)
    assert choice.name(T1) and choice.move is None and choice.region() == [S1, S2]
    assert choice.name(S2) and choice.move == moves[1]


def test_a_play_that_costs_nothing_asks_nothing():
    moves = [castle_moves.PlayCard(0, 0), castle_moves.PlayCard(0, 1)]
    assert partial_play(moves, 0, 1).move == moves[1]
    assert partial_play(moves, 1, 0) is None


def test_a_card_put_into_play_is_named_and_then_paid_for():
    moves = [
        castle_moves.PutCard(20, "deck", 1),
        castle_moves.PutCard(16, "deck", 0, (T1,)),
        castle_moves.Decline(),
    ]
    choice = partial_reply(moves, lambda move: spot("deck", move.card))
    assert choice.none == castle_moves.Decline()
    assert choice.region() == [spot("deck", 20), spot("deck", 16)]
    assert choice.name(spot("deck", 16)) and choice.move is None
    assert choice.name(T1) and choice.move == moves[1]


def test_a_card_goes_to_the_lowest_place_unless_another_is_named():
    moves = [castle_moves.PutCard(20, "deck", 0), castle_moves.PutCard(20, "deck", 1)]
    choice = partial_reply(moves, lambda move: spot("deck", 0))
    choice.name(spot("deck", 0))
    assert choice.move == moves[0]
    assert choice.settle_slot(1) and choice.move == moves[1] and not choice.settle_slot(0)
