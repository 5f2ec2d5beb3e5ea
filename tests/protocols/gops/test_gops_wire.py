"""Frames and lines, and what a message of a client's means."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamecore.errors import Malformed
from protocols.gops import wire, wire_events
from protocols.gops.message_splitter import MessageSplitter
from protocols.gops.wire import Message
from tests.recorded import messages

BODIES = st.lists(st.text(st.characters(codec="utf-8"), max_size=40), max_size=6)


@given(bodies=BODIES, data=st.data())
def test_frames_come_out_as_they_went_in_however_they_are_cut(bodies, data):
    stream, splitter, heard = wire.frames(bodies), wire.FrameSplitter(), []
    while stream:
        size = data.draw(st.integers(1, 80))
        heard += splitter.feed(stream[:size])
        stream = stream[size:]
    assert [body.decode() for body in heard] == bodies
    assert not splitter.broken and not splitter.unfinished


def test_lengths_are_in_bytes():
    assert wire.frame("INFO~♠").startswith(b"8 ")


@pytest.mark.parametrize(
    "header", [b"12".rjust(64, b"0"), b"12".ljust(63) + b"\n", b"  12".ljust(64)]
)
def test_other_ways_to_write_a_header_are_read(header):
    assert wire.FrameSplitter().feed(header + b"START-GAME~1") == [b"START-GAME~1"]


@pytest.mark.parametrize("header", [b"-5", b"4097", b"12a", b"1 2", b"9" * 64, b"\xff", b"1.5"])
def test_what_is_no_header_breaks_the_stream_for_good(header):
    splitter = wire.FrameSplitter()
    assert splitter.feed(wire.frame("A~") + header.ljust(64) + wire.frame("B~")) == [b"A~"]
    assert splitter.broken and not splitter.unfinished
    assert splitter.feed(wire.frame("C~")) == []


def test_a_line_has_no_line_end_inside():
    assert wire.line("INFO~\n\n-- Round 1 --\nnow") == b"INFO~-- Round 1 -- now\n"


@pytest.mark.parametrize(
    ("body", "request_"),
    [
        ("SET-USERNAME~north", wire.SetName("north")),
        ("SET-USERNAME~ no\x1b[2Jr$th\n", wire.SetName("no[2Jrth")),
        ("SET-USERNAME~a~b", wire.SetName("a")),
        ("SET-USERNAME~" + "x" * 30, wire.SetName("x" * 24)),
        ("SET-USERNAME~", wire.SetName("")),
        ("START-GAME~1", wire.Create()),
        ("START-GAME~", wire.Create()),
        ("JOIN-GAME~ ab3 ", wire.Join("AB3")),
        ("JOIN-GAME~ab3$word", wire.Join("AB3", "word")),
        ("PLAY-TURN~ab3$12", wire.PlayTurn("AB3", 12)),
        ("PLAY-TURN~AB3$ 7 \n", wire.PlayTurn("AB3", 7)),
        ("PLAY-TURN~AB3$", wire.PlayTurn("AB3", wire.NO_CARD)),
        ("PLAY-TURN~AB3$-1", wire.PlayTurn("AB3", wire.NO_CARD)),
        ("PLAY-TURN~AB3$seven", wire.PlayTurn("AB3", wire.NO_CARD)),
        ("PLAY-TURN~AB3$" + "9" * 4000, wire.PlayTurn("AB3", wire.NO_CARD)),
        ("PLAY-TURN~AB3$\u0663", wire.PlayTurn("AB3", wire.NO_CARD)),
        ("PLAY-TURN~7", wire.PlayTurn(None, wire.NO_CARD)),
        ("!DISCONNECT~", wire.Disconnect()),
    ],
)
@pytest.mark.parametrize("lines", [False, True])
def test_a_message_is_read_in_either_manner(body, request_, lines):
    assert wire.parse(body, lines) == request_


@pytest.mark.parametrize(
    ("body", "request_"),
    [
        ("help", wire.Help()),
        ("HELP~me", wire.Help()),
        ("start-game", wire.Create()),
        ("!disconnect", wire.Disconnect()),
        ("spectate~ab3", wire.Spectate("AB3")),
        ("RETURN~AB3.f00", wire.Return("AB3.f00")),
    ],
)
def test_lines_may_say_more_and_in_any_case(body, request_):
    assert wire.parse(body, True) == request_
    with pytest.raises(Malformed):
        wire.parse(body, False)


CODES = st.from_regex(r"[A-Z2-9]{5}", fullmatch=True)
NAMES = st.text(max_size=30).map(wire.fit_name)
WORDS = st.from_regex(r"[!-}]{0,20}", fullmatch=True)
REQUESTS = st.one_of(
    st.builds(wire.SetName, NAMES),
    st.builds(wire.Join, CODES, WORDS),
    st.builds(wire.Spectate, CODES, WORDS),
    st.builds(wire.PlayTurn, CODES, st.integers(0, 9999)),
    st.builds(wire.Return, st.from_regex(r"[!-}]{1,200}", fullmatch=True)),
    st.sampled_from([wire.Create(), wire.Disconnect(), wire.Help(), wire.PlayTurn(None, 0)]),
)


@given(REQUESTS)
def test_what_a_client_says_is_read_as_it_is_written(request_):
    assert wire.parse(wire.write_request(request_), lines=True) == request_


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=40)
MESSAGES = st.builds(Message, st.sampled_from(["INFO", "TRUE", "YOUR-TURN", "SET-ID"]), TEXTS)


@given(st.lists(MESSAGES, max_size=5), st.booleans(), st.booleans(), st.data())
def test_what_is_told_is_read_as_it_is_written_in_either_manner(told, frames, line_greeting, data):
    greeting, *rest = [wire.write(each) for each in (Message("INFO", "hello"), *told)]
    stream = wire.greeting(greeting) if line_greeting else wire.frame(greeting)
    if not (frames or line_greeting):
        stream += b"\n"
    stream += (wire.frames if frames else wire.lines)(rest)
    reader, cut = wire.MessageReader(frames), data.draw(st.integers(0, len(stream)))
    heard = [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])]
    assert heard == [Message("INFO", "hello"), *told]


RECORDED = messages("gops")


def test_what_servers_said_in_recorded_games_is_read_and_written_again_to_the_byte():
    said = [line["data"].encode() for line in RECORDED if line["from"] == "server"]
    assert said
    for data in said:
        (message,) = wire.MessageReader(frames=True).feed(data)
        assert wire.frame(wire.write(message)) == data


def test_what_clients_said_in_recorded_games_is_read_and_written_again():
    said = [line["data"].encode() for line in RECORDED if line["from"] != "server"]
    assert said
    for data in said:
        (body,) = wire.FrameSplitter().feed(data)
        request_ = wire.parse(body.decode(), lines=False)
        assert wire.parse(wire.write_request(request_), lines=False) == request_, data


CARDS = st.lists(st.integers(1, 13), unique=True).map(tuple)


@given(CARDS, CARDS, st.integers(0, 1), st.booleans())
def test_what_a_round_begins_with_is_read_as_it_is_told(pot, hand, seat, lines):
    block = wire_events.round_block(3, pot, (hand, hand), (5, 2), ("Your cards: 9: [", "b"), seat)
    stream = (wire.lines if lines else wire.frames)(block)
    told = list(wire.MessageReader(frames=not lines).feed(stream))
    assert [each.prizes for each in told if each.prizes is not None] == [pot]
    assert [each.hand for each in told if each.hand is not None] == [hand]


@pytest.mark.parametrize("body", ["", "~", "PLAY-TURN", "JOIN", "GET / HTTP/1.1", "INFO~x"])
@pytest.mark.parametrize("lines", [False, True])
def test_what_is_no_message_is_malformed(body, lines):
    with pytest.raises(Malformed):
        wire.parse(body, lines)


@pytest.mark.parametrize(
    ("first", "lines"), [(b"1", False), (b"S", True), (b"!", True), (b"\n", True), (b"\xff", True)]
)
def test_the_first_byte_says_which_manner_it_is(first, lines):
    splitter = MessageSplitter()
    assert splitter.lines is None
    splitter.feed(first)
    assert splitter.lines is lines


def test_lines_may_end_in_any_way_and_the_last_one_in_none():
    splitter = MessageSplitter()
    heard = splitter.feed(b"A~\nB~\r\nC~\r\n\nD~") + splitter.finish()
    assert heard == [("A~", ""), ("B~", ""), ("C~", ""), ("D~", "")]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    for lines in (False, True):
        for body, fault in MessageSplitter().feed((b"A" if lines else b"1") + data):
            if not fault:
                with suppress(Malformed):
                    wire.parse(body, lines)


def test_a_name_that_is_taken_is_numbered_and_still_fits():
    taken = {"ann", "ann-2", "x" * 24}
    assert wire.free_name("bob", taken.__contains__) == "bob"
    assert wire.free_name("ann", taken.__contains__) == "ann-3"
    assert wire.free_name("x" * 24, taken.__contains__) == "x" * 22 + "-2"
