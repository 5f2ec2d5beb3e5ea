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
from protocols.pass123.wire import Board, Code, Message, Quit, Return, Start
from tests.recorded import messages

RECORDED = messages("pass123")


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


CODES = st.builds(
    Code,
    st.one_of(st.sampled_from(PACK).map(Pass), st.just(Finish()), st.just(Tap())),
    st.one_of(st.none(), st.integers(1, 99)),
)
TOKENS = st.from_regex(r"[!-~]{1,200}", fullmatch=True)


@given(st.one_of(CODES, st.just(Quit()), st.just(Start()), TOKENS.map(Return)))
def test_what_a_client_says_is_read_as_it_is_written(heard):
    assert wire.parse(wire.write_code(heard).encode()) == heard


@st.composite
def boards(draw):
    places = draw(st.lists(st.integers(0, 13), min_size=1, max_size=13))
    hand = draw(st.lists(st.sampled_from(PACK), max_size=4))
    return Board(draw(st.integers(1, len(places))), tuple(places), tuple(hand))


PREFIXES = st.sampled_from(["", "True", "False", "Cont", "Quit"])
PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="|*\n\r"), max_size=30)
LINES = st.builds(Message, PREFIXES, PLAIN.filter(str.strip))
MESSAGES = st.one_of(LINES, st.builds(Message, PREFIXES, st.just(""), boards()))
TEXTS = st.builds(Message, PREFIXES, PLAIN.map(lambda text: f"{text}\n"), st.none() | boards())


@given(TEXTS)
def test_a_text_is_read_as_it_is_written_by_those_who_take_one_read_for_one_text(message):
    assert wire.read(wire.write(message)) == message


@given(st.lists(MESSAGES, max_size=5), st.data())
def test_messages_are_read_as_they_are_written_by_those_who_read_lines(messages, data):
    written = [wire.write(each) for each in messages]
    stream = b"".join(each if each.endswith(b"\n") else each + b"\n" for each in written)
    reader, cut = wire.MessageReader(), data.draw(st.integers(0, len(stream)))
    assert [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])] == messages


@pytest.mark.parametrize(
    "said",
    [
        [each for each in vars(wire).values() if isinstance(each, bytes)],
        [*map(wire.gone, wire._CLOSINGS)],
        [*map(wire.gone_answer, wire._CLOSINGS)],
        [*map(wire.reason, wire._CLOSINGS)],
        [*map(wire.late, PACK[:3])],
        [line["data"].encode() for line in RECORDED if line["from"] == "server"],
    ],
    ids=["words", "gone", "answered", "closed", "late", "recorded"],
)
def test_whatever_the_server_says_is_read_and_written_again_to_the_byte(said):
    assert said
    for text in said:
        assert wire.write(wire.read(text)) == text


def test_what_clients_said_in_recorded_games_is_read_and_written_again():
    read = 0
    for line in [each["data"].encode() for each in RECORDED if each["to"] == "server"]:
        with suppress(Malformed):
            heard = wire.parse(line)
            assert wire.parse(wire.write_code(heard).encode()) == heard, line
            read += 1
    assert read


def test_what_is_given_and_what_brings_back_are_told_apart_from_words():
    (given, back) = wire.MessageReader().feed(wire.given(1, Card("10", "H")) + wire.token("K7.f0"))
    assert (given.given, given.token) == (Card("10", "H"), None)
    assert (back.given, back.token) == (None, "K7.f0")
    assert Message("False", "TOKEN K7.f0").token is None


def test_a_board_for_thirteen_fits_one_read():
    hand = tuple(read_card(name) for name in ("10H", "10S", "10D", "10C"))
    assert len(wire.write(Message("True", "", Board(13, tuple(range(1, 14)), hand)))) < 5120


def test_the_board_of_the_specification():
    hand = tuple(read_card(name) for name in ("4D", "10S", "AH"))
    assert wire.write(Message("", "", Board(2, (1, 0), hand))) == (
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
