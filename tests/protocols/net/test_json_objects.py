"""Objects come out of a stream as they went in, however the stream is cut."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.net.json_objects import ObjectStream

HARD_TEXT = st.text('{}"\\\n \x00aé\u2028', max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | HARD_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HARD_TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.builds(
    lambda value, ascii_only: json.dumps(value, ensure_ascii=ascii_only).encode(),
    st.dictionaries(HARD_TEXT, VALUES, max_size=4),
    st.booleans(),
)
BLANKS = st.text(" \t\r\n", max_size=5).map(str.encode)
HARD_OBJECT = rb'{"a": "}{", "b\\": {"c": "\"}"}, "\\\\": [{}, {"d": {"e": 1}}]}'


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """Cut bytes at the given places."""
    bounds = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(bounds)]


def fed(stream: ObjectStream, segments: list[bytes]) -> list[bytes]:
    """Feed all segments and give all that came out."""
    return [found for segment in segments for found in stream.feed(segment)]


@given(st.lists(st.tuples(BLANKS, OBJECTS)), BLANKS, st.lists(st.integers(0, 5000), max_size=8))
def test_objects_survive_any_blanks_and_any_cuts(
    pairs: list[tuple[bytes, bytes]], tail: bytes, places: list[int]
) -> None:
    stream = ObjectStream(limit=100_000)
    data = b"".join(blanks + each for blanks, each in pairs) + tail
    assert fed(stream, cut(data, places)) == [each for _, each in pairs]
    assert stream.broken is None
    assert not stream.unfinished
    ends = [*(blanks for blanks, _ in pairs[1:]), tail] if pairs else []
    assert stream.lines == any(b"\n" in blanks for blanks in ends)


@given(st.binary(max_size=80) | st.text('{}"\\ \na', max_size=80).map(str.encode), st.data())
def test_any_bytes_give_the_same_whether_cut_or_not(data: bytes, draw: st.DataObject) -> None:
    places = draw.draw(st.lists(st.integers(0, 80), max_size=6))
    whole, pieces = ObjectStream(limit=20), ObjectStream(limit=20)
    assert whole.feed(data) == fed(pieces, cut(data, places))
    assert (whole.broken, whole.unfinished, whole.lines) == (
        pieces.broken,
        pieces.unfinished,
        pieces.lines,
    )


def test_a_hard_object_survives_a_cut_at_every_byte() -> None:
    data = HARD_OBJECT + HARD_OBJECT + b"\n"
    for place in range(len(data)):
        stream = ObjectStream()
        assert fed(stream, [data[:place], data[place:]]) == [HARD_OBJECT, HARD_OBJECT]
        assert stream.lines


def test_a_hard_object_survives_single_bytes() -> None:
    stream = ObjectStream()
    assert fed(stream, [bytes([byte]) for byte in HARD_OBJECT * 3]) == [HARD_OBJECT] * 3
    assert not stream.lines


@pytest.mark.parametrize("between", [b"", b" ", b"\n", b"\r\n", b" \t\n\n "])
def test_three_objects_in_one_segment_come_out_in_order(between: bytes) -> None:
    stream = ObjectStream()
    objects = [b'{"n": 1}', b'{"n": "}{"}', b'{"n": {"m": 3}}']
    assert stream.feed(between.join(objects)) == objects
    assert stream.lines == (b"\n" in between)


@pytest.mark.parametrize(
    ("segments", "lines"),
    [
        ([b"{}"], False),
        ([b"{}\n"], True),
        ([b"{}\r\n"], True),
        ([b"{} \t\n"], True),
        ([b"{}", b"\n"], True),
        ([b"{}", b" ", b"\r", b"\n"], True),
        ([b"{", b"}\n"], True),
        ([b"\n{}"], False),
        ([b"\n", b"\n{}{}"], False),
        ([b'{\n"a":\n1\n}', b"{}"], False),
        ([b"{}\n{}"], True),
        ([b"{}", b"\n{}"], True),
    ],
)
def test_a_line_end_behind_an_object_shows_a_reader_of_lines(
    segments: list[bytes], lines: bool
) -> None:
    stream = ObjectStream()
    fed(stream, segments)
    assert stream.lines is lines


def test_an_object_filled_up_with_blanks_is_one_object() -> None:
    stream = ObjectStream()
    padded = b'{"a": {"b": 1}}'.ljust(1023) + b"\n"
    assert fed(stream, [padded * 2, padded[:500], padded[500:]]) == [b'{"a": {"b": 1}}'] * 3


@pytest.mark.parametrize("junk", [b"x", b"}", b"[", b'"', b"\x00", b"\xff", b"\x0b", b"1"])
def test_what_cannot_begin_an_object_breaks_the_stream_behind_the_whole_ones(junk: bytes) -> None:
    stream = ObjectStream()
    assert stream.feed(b"{}" + junk + b"{}") == [b"{}"]
    assert stream.broken == "an object begins with {"
    assert stream.feed(b"{}") == []
    assert stream.feed(b"\n") == []
    assert not stream.unfinished
    assert not stream.lines


def test_an_object_of_exactly_the_limit_is_taken() -> None:
    exact = b'{"a": "' + b"x" * 1015 + b'"}'
    assert len(exact) == 1024
    assert ObjectStream().feed(exact + b"\n") == [exact]
    assert fed(ObjectStream(), cut(exact, [1, 1000, 1023])) == [exact]


@pytest.mark.parametrize("places", [[], [1], [1023], [1024], [500, 1000, 1020]])
def test_an_object_over_the_limit_breaks_the_stream(places: list[int]) -> None:
    stream = ObjectStream()
    long = b'{"a": "' + b"x" * 1016 + b'"}'
    assert fed(stream, cut(b"{}" + long + b"{}", places)) == [b"{}"]
    assert stream.broken == "an object is longer than 1024 bytes"
    assert not stream.unfinished


def test_an_object_in_the_air_is_unfinished() -> None:
    stream = ObjectStream()
    assert not stream.unfinished
    stream.feed(b' {"a": {}')
    assert stream.unfinished
    stream.feed(b"}")
    assert not stream.unfinished


@pytest.mark.parametrize("hostile", [b"{", b'{"\\', b'{""', b'{"a":{', b'{"}', b" ", b"{}"])
def test_a_megabyte_of_malice_is_done_with_in_a_moment(hostile: bytes) -> None:
    stream = ObjectStream()
    data = hostile * (1_000_000 // len(hostile))
    began = time.process_time()
    stream.feed(data)
    for start in range(0, 4096, 8):
        stream.feed(data[start : start + 8])
    assert time.process_time() - began < 5
