"""Lines as people, programs and vandals send them."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from protocols.net.line import BoundedLine, LineSplitter
from protocols.net.link_factory import LinkFactory

SEGMENT = 65_536


def split(*segments: bytes, max_length: int = 1024) -> list[bytes | None]:
    splitter = LineSplitter(max_length)
    lines = [line for segment in segments for line in splitter.feed(segment)]
    return lines + splitter.finish()


def byte_by_byte(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


# The splitter


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\r\0"])
def test_each_line_end_gives_one_command_and_no_empty_one(end: bytes) -> None:
    stream = b"LOOK" + end + b"TAKE 3" + end
    assert split(stream) == split(*byte_by_byte(stream)) == [b"LOOK", b"TAKE 3"]


def test_a_bare_cr_acts_at_once_and_a_later_lf_is_no_second_command() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"LOOK\r") == [b"LOOK"]
    assert splitter.feed(b"") == []
    assert splitter.feed(b"\n") == []
    assert splitter.feed(b"\n") == [b""]
    assert splitter.feed(b"A\r\0") == [b"A"]
    assert splitter.feed(b"B\n") == [b"B"]


def test_an_empty_line_is_a_line() -> None:
    assert split(b"\n\n\r\r\n\r\n") == [b""] * 4 + [b""]
    assert split(b"A\n\nB\n") == [b"A", b"", b"B"]


def test_other_things_that_look_like_line_ends_are_none() -> None:
    stream = "a\x0bb\x0cc\x1cd\x85e\u2028f\n".encode()
    assert split(stream) == [stream[:-1]]


def test_nul_bytes_and_a_first_byte_order_mark_vanish() -> None:
    assert split(b"\xef\xbb\xbfLO\0OK\n\0\xef\xbb\xbfA\n") == [b"LOOK", b"\xef\xbb\xbfA"]
    assert split(*byte_by_byte(b"\xef\xbb\xbfLOOK\n")) == [b"LOOK"]


def test_the_end_of_input_ends_the_last_line() -> None:
    assert split(b"HELP") == [b"HELP"]
    assert split(b"HELP\n") == [b"HELP"]
    assert split(b"\xef\xbb\xbfHELP") == [b"HELP"]
    assert split() == []


def test_a_line_of_the_greatest_length_passes_and_one_byte_more_does_not() -> None:
    stream = b"A" * 8 + b"\r\n" + b"B" * 9 + b"\r\n" + b"C\n"
    assert split(stream, max_length=8) == [b"A" * 8, None, b"C"]
    assert split(*byte_by_byte(stream), max_length=8) == [b"A" * 8, None, b"C"]


def test_a_line_is_refused_as_soon_as_it_is_too_long_and_only_once() -> None:
    splitter = LineSplitter(4)
    assert splitter.feed(b"AAAAA") == [None]
    assert splitter.feed(b"A" * 100) == []
    assert splitter.discarded == 105
    assert splitter.feed(b"A\nB\n") == [b"B"]
    assert splitter.discarded == 0
    assert splitter.feed(b"AAAAA") == [None]
    assert splitter.finish() == []


# Line ends, nothing at all, and a few things that might be taken for either.
BITS = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b"\r\0", b"\0", b"\xef\xbb\xbf", b"A", b"BC", b"DDDD", b"\xc3\xa9"]
)


@given(st.lists(BITS, max_size=40).map(b"".join), st.data())
def test_however_the_stream_is_cut_the_lines_are_the_same(
    stream: bytes, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    edges = [0, *cuts, len(stream)]
    segments = [stream[a:b] for a, b in pairwise(edges)]
    whole = split(stream, max_length=5)
    assert split(*segments, max_length=5) == whole
    assert split(*byte_by_byte(stream), max_length=5) == whole
    assert whole == read_slowly(stream, max_length=5)


def read_slowly(stream: bytes, max_length: int) -> list[bytes | None]:
    """The same, said in another way."""
    lines = re.split(rb"\r\n|\r|\n", stream.replace(b"\0", b""))
    lines[0] = lines[0] if len(lines[0]) > max_length else lines[0].removeprefix(b"\xef\xbb\xbf")
    # The end of input makes a line of what is left, even of a lone byte order mark.
    if not re.search(rb"[^\r\n]\Z", stream.replace(b"\0", b"")):
        lines.pop()
    return [line if len(line) <= max_length else None for line in lines]


def test_two_hundred_megabytes_without_a_line_end_take_no_memory() -> None:
    splitter = LineSplitter()
    segment = b"A" * SEGMENT
    tracemalloc.start()
    try:
        refused = sum(len(splitter.feed(segment)) for _ in range(200_000_000 // SEGMENT))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert refused == 1
    assert peak < 3 * SEGMENT


def test_a_long_line_in_small_pieces_is_never_copied_as_a_whole() -> None:
    splitter = LineSplitter(max_length=16)
    held = 0
    for _ in range(10_000):
        splitter.feed(b"A")
        held = max(held, len(splitter._pending))
    assert held == 16


# The link


class Face(BoundedLine):
    """A face that writes down what it hears."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.refused: list[str] = []

    def line_received(self, line: str) -> None:
        self.lines.append(line)
        if line == "QUIT":
            self.dismiss("bye")

    def line_refused(self, reason_key: str) -> None:
        self.refused.append(reason_key)
        super().line_refused(reason_key)


class Visit:
    """A face, its peer and the time."""

    def __init__(self, clock: Clock, face: type[Face] = Face) -> None:
        factory = LinkFactory(clock)
        factory.protocol = face
        link = factory.buildProtocol(IPv4Address("TCP", "192.0.2.7", 4242))
        assert isinstance(link, Face)
        self.face = link
        self.transport = StringTransport()
        link.makeConnection(self.transport)

    def said(self) -> bytes:
        said: bytes = self.transport.value()
        self.transport.clear()
        return said


@pytest.fixture
def visit(clock: Clock) -> Iterator[Visit]:
    visit = Visit(clock)
    yield visit
    if visit.face.connected:
        visit.face.connectionLost(Failure(ConnectionDone()))


def test_lines_arrive_as_text(visit: Visit) -> None:
    visit.face.dataReceived(b"LOOK\r\nNAME Zo\xc3")
    visit.face.dataReceived(b"\xab\n")
    assert visit.face.lines == ["LOOK", "NAME Zoë"]


def test_a_line_that_is_no_text_is_refused_and_the_next_one_is_heard(visit: Visit) -> None:
    visit.face.dataReceived(b"\xff\xfb\x1f\nLOOK\n\xed\xa0\x80\n")
    assert visit.face.lines == ["LOOK"]
    assert visit.face.refused == ["not-utf-8", "not-utf-8"]
    assert visit.said() == b"not-utf-8\r\n" * 2


def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_heard(visit: Visit) -> None:
    visit.face.dataReceived(b"A" * 2000 + b"\nLOOK\n")
    assert (visit.face.refused, visit.face.lines) == (["line-too-long"], ["LOOK"])


def test_a_line_without_end_is_closed_with_a_reason(visit: Visit) -> None:
    segment = b"A" * SEGMENT
    fed = 0
    while not visit.face.closing:
        visit.face.dataReceived(segment)
        fed += 1
    assert fed == visit.face.most_discarded // SEGMENT + 1
    assert visit.face.refused == ["line-too-long"]
    assert visit.said() == b"line-too-long\r\n" * 2
    visit.face.dataReceived(b"\nLOOK\n")
    assert visit.face.lines == []


def test_after_dismissal_nothing_more_of_a_segment_is_heard(visit: Visit) -> None:
    visit.face.dataReceived(b"LOOK\nQUIT\nTAKE 3\n")
    visit.face.dataReceived(b"TAKE 3\n")
    assert visit.face.lines == ["LOOK", "QUIT"]
    assert visit.said() == b"bye\r\n" and visit.transport.disconnecting


def test_who_talks_too_fast_is_asked_to_slow_down(visit: Visit, clock: Clock) -> None:
    visit.face.dataReceived(b"LOOK\n" * 42)
    assert len(visit.face.lines) == 40
    assert visit.face.refused == ["too-fast"] * 2
    clock.advance(0.5)
    visit.face.dataReceived(b"LOOK\n" * 10)
    assert len(visit.face.lines) == 50 and len(visit.face.refused) == 2


def test_a_pause_is_forgiven_however_often_one_was_too_fast(visit: Visit, clock: Clock) -> None:
    visit.face.settled()
    for _ in range(10):
        visit.face.dataReceived(b"LOOK\n" * 55)
        clock.advance(2)
    assert len(visit.face.lines) == 400 and not visit.face.closing


def test_who_does_not_slow_down_is_dismissed(visit: Visit) -> None:
    visit.face.dataReceived(b"\n" * SEGMENT)
    assert visit.face.refused == ["too-fast"] * 20
    assert visit.said() == b"too-fast\r\n" * 21
    assert visit.face.closing


def test_the_end_of_input_ends_the_last_line_of_a_link(visit: Visit, clock: Clock) -> None:
    visit.face.dataReceived(b"LOOK\nHELP")
    assert visit.face.lines == ["LOOK"]
    visit.face.readConnectionLost()
    assert visit.face.lines == ["LOOK", "HELP"]
    visit.face.send_line("help")
    clock.advance(2)
    assert visit.said() == b"help\r\n" and visit.transport.disconnecting


def test_the_last_line_may_be_the_end_of_it_all(visit: Visit) -> None:
    visit.face.dataReceived(b"QUIT")
    visit.face.readConnectionLost()
    assert visit.said() == b"bye\r\n" and visit.transport.disconnecting


def test_a_client_that_is_done_with_is_not_heard_at_its_end(visit: Visit) -> None:
    visit.face.dataReceived(b"QUIT\nTAKE 3")
    visit.face.readConnectionLost()
    assert visit.face.lines == ["QUIT"]


# What we say


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("your move", b"your move\r\n"),
        ("", b"\r\n"),
        ("  3   4", b"  3   4\r\n"),
        ("Zoë", b"Zo\xc3\xab\r\n"),
        ("one\ntwo\r\nthree\rfour\n", b"one\r\ntwo\r\nthree\r\nfour\r\n"),
        ("a\u2028b\x85c\x0bd", b"a\r\nb\r\nc\r\nd\r\n"),
        ("\x1b[2J\x07\x9b31m\u202eAnn\x7f\t!", b"[2J31mAnn !\r\n"),
        ("\ud800", b"\r\n"),
    ],
)
def test_a_line_is_sent_as(visit: Visit, text: str, sent: bytes) -> None:
    visit.face.send_line(text)
    assert visit.said() == sent


def test_a_program_gets_a_single_lf(clock: Clock) -> None:
    class Program(Face):
        newline = b"\n"

    visit = Visit(clock, Program)
    visit.face.send_line('{"ok": true}')
    assert visit.said() == b'{"ok": true}\n'
    visit.face.connectionLost(Failure(ConnectionDone()))


def test_several_lines_are_one_write(visit: Visit) -> None:
    written: list[bytes] = []
    visit.transport.write = written.append
    visit.face.send_lines(["one", "two"])
    assert written == [b"one\r\ntwo\r\n"]


@given(st.text(st.characters() | st.characters(categories=["C", "Z"])))
def test_no_control_code_is_ever_sent_but_our_line_ends(text: str) -> None:
    sent = BoundedLine().encoded(text).decode()
    assert sent.endswith("\r\n")
    assert all(line.isprintable() for line in sent.split("\r\n"))
