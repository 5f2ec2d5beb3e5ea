"""The words of the 1-2-3 Pass wire, both ways."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.cards import PACK, Card, read_card
from gamecore.errors import Malformed
from gamecore.games.pass123 import Finish, Pass, Tap
from protocols.pass123 import wire
from protocols.pass123.wire import Code, Quit, Return, Start


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("AH", Code(Pass(Card("A", "H")))),
        ("ah", Code(Pass(Card("A", "H")))),
        (" 10s \r", Code(Pass(Card("10", "S")))),
        ("P1AH", Code(Pass(Card("A", "H")), 1)),
        ("P110H", Code(Pass(Card("10", "H")), 1)),
        ("P1110H", Code(Pass(Card("10", "H")), 11)),
        ("P12D", Code(Pass(Card("2", "D")), 1)),
        ("P132D", Code(Pass(Card("2", "D")), 13)),
        ("F", Code(Finish())),
        ("f2", Code(Finish(), 2)),
        ("T", Code(Tap())),
        ("t13", Code(Tap(), 13)),
        ("QUIT", Quit()),
        ("quit", Quit()),
        ("Start", Start()),
        ("RETURN K7QX2.abcDEF", Return("K7QX2.abcDEF")),
        ("return K7QX2.abcDEF", Return("K7QX2.abcDEF")),
    ],
)
def test_a_code_is_read(text, heard):
    assert wire.parse(text.encode()) == heard


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"ZZ", b"1H", b"0H", b"11H", b"P1", b"PAH", b"P123AH", b"F123", b"AH AH", b"AHF"),
        *(b"T-1", b"RETURN", b"RETURN a b", b"\xff\xfe", b"Q", b"TH", b"P\xb2AH"),
        *(
            "A\u2665".encode(),
            "\uff21\uff28".encode(),
        ),  # a sign of hearts, and letters of full width
    ],
)
def test_what_is_no_code_is_malformed(data):
    with pytest.raises(Malformed):
        wire.parse(data)
    assert not wire.is_whole(data)


@given(st.sampled_from(PACK), st.integers(1, 13))
def test_every_card_is_read_in_both_forms(card, number):
    assert wire.parse(str(card).encode()) == Code(Pass(card))
    assert wire.parse(f"P{number}{card}".lower().encode()) == Code(Pass(card), number)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_code_or_malformed(data):
    with suppress(Malformed):
        wire.parse(data)


def test_a_board_for_thirteen_fits_one_read():
    hand = [read_card(name) for name in ("10H", "10S", "10D", "10C")]
    assert len(wire.taken(wire.board(12, range(1, 14), hand))) < 5120


def test_the_board_of_the_specification():
    hand = [read_card(name) for name in ("4D", "10S", "AH")]
    assert wire.board(1, (1, 0), hand) == (
        b"***************************************\nP1\tP2\t\n1\t0\t\n"
        b"---------------------------------------\nYou are P2\n"
        b"---------------------------------------\n4D\t10S\tAH\t\n"
        b"***************************************\n"
    )


def test_no_reason_holds_what_a_stock_client_decides_by():
    for why in (*wire._CLOSINGS, "anything|else"):
        text = wire.reason(why).decode()
        assert text.endswith("\n") and text.count("\n") == 1
        if why in wire._CLOSINGS:
            assert "|" not in text and "Quit" not in text and "True" not in text


def test_what_closes_a_table_has_no_control_codes():
    assert wire.gone("a\x1b[31mb\nc") == b"Quit|a[31mb c\n"
