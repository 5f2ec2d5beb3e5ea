"""Bytes and lines: what any stranger may send at any door (C03, C05, C06, C07, C10, C11)."""

from __future__ import annotations

import tracemalloc
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases.customs import CUSTOMS, DOORS, LINES, WAYS, check_ends, custom_of
from tests.cases.house import Guest, House, undated
from tests.secrecy.wires import WIRES

INTERRUPT = b"\xff\xf4\xff\xfd\x06"  # what telnet sends for Ctrl-C: IAC IP IAC DO TIMING-MARK
MEGABYTES = 16
PIECES = st.lists(
    st.sampled_from(
        [
            *(b"\r", b"\n", b"\0", b"\r\0", b"\xff", b"\xff\xfa\x1f", b"{", b"}", b'"', b"~", b"$"),
            *(
                b"9" * 64,
                b"GET / HTTP/1.1\r\n\r\n",
                b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            ),
            *(b"\x1b[2J", b"\xc2\x9b31m", b"\xe2\x80\xae", b"A" * 700, b'{"do":"', b"PLAY nim\n"),
        ]
    )
    | st.binary(max_size=20),
    max_size=12,
)


def test_every_door_has_its_customs():
    wires = {(kind, wire.name) for kind in DOORS for wire in WIRES.get(kind, ())}
    assert DOORS.keys() == {kind for kind, _ in wires}, (
        "say in tests/secrecy/wires.py how one comes in"
    )
    assert wires <= CUSTOMS.keys(), "say in tests/cases/customs.py how its lines end"


# -- garbage and bounds ---------------------------------------------------------------


@pytest.mark.parametrize("kind", DOORS)
@settings(max_examples=25)
@given(pieces=PIECES)
def test_no_bytes_whatever_hurt_a_door(kind, pieces):
    """C10: whatever comes, nothing fails, nobody is left and other people can still come."""
    with House() as house:
        peer = house.connect(kind)
        for piece in pieces:
            peer.say(piece)
            house.settle()
        house.pass_time(1.0)
        other = house.connect(kind)
        house.pass_time(1.0)
        assert not other.ended


@pytest.mark.parametrize("kind", DOORS)
@pytest.mark.parametrize(
    "end", [b"", b"X: ", b"\xff\xfa\xc9", b'{"a": "', b"GET / HTTP/1.1\r\nX: "]
)
def test_a_line_without_end_takes_no_memory_and_the_link_is_closed(kind, end):
    """C03 and C11: megabytes without a line end, a header without end, a subnegotiation without SE."""
    piece = b"A" * 65_536
    with House() as house:
        peer = house.connect(kind)
        peer.say(end)
        house.settle()
        tracemalloc.start()
        try:
            given_up = None
            for number in range(MEGABYTES * 16):
                peer.say(piece)
                house.settle()
                if peer.ended and given_up is None:
                    given_up = number
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 1_500_000, f"{peak} bytes were needed"
        if given_up is None:  # it may be heard out as far as its other bounds go
            house.pass_time(120.0)
        assert peer.ended, "it is listened to for ever"
        assert given_up is None or given_up <= 16, f"after {given_up} pieces of 64 KiB"
        assert peer.got(), "it was closed without a reason"


@pytest.mark.parametrize("way", LINES, ids=str)
def test_a_command_of_64_kilobytes_is_refused_and_the_game_goes_on(way):
    """C10: by size, not by a crash; whoever else plays goes on."""
    with House() as house:
        guest, _, table = house.begin(way)
        guest.peer.forget()
        long = "A" * 65_536
        guest.peer.say(guest.encoded(f"GET /{long}" if custom_of(way).reads == "http" else long))
        house.pass_time(2.0)
        assert guest.peer.got() or guest.peer.ended
        assert table.code in house.host.service.live


# -- line ends ------------------------------------------------------------------------

ENDS = {
    "LF": (b"\n",),
    "CR": (b"\r",),
    "CR NUL": (b"\r\0",),
    "CR and LF in different packets": (b"\r", b"\n"),
    "CR NUL in different packets": (b"\r", b"\0"),
}
LINE_WAYS = [way for way in LINES if custom_of(way).reads == "lines"]


def a_talk(way, ends):
    """Let a guest come, ask, err and move, each line with the ends given; gives all that it was sent."""
    with House() as house:
        table = house.open(way.game)
        guest = Guest(house, way, table, 0)
        guest.connect()
        house.sit(table, 1)

        def speak(text):
            data = guest.encoded(text)
            assert data.endswith(b"\r\n") or data.startswith(b"\xff"), data
            pieces = [data] if data.startswith(b"\xff") else [data[:-2] + ends[0], *ends[1:]]
            for piece in pieces:
                guest.peer.say(piece)
                house.settle()
            house.pass_time(1.0)

        for text in way.wire.sit:
            speak(text)
        assert guest.face is not None, guest.peer.got()
        house.start(table)
        for text in (*way.wire.asks, "xyzzy"):
            speak(text)
        turn = table.turn_of(0, 0.0)
        said = way.wire.move(turn.moves[0]) if turn.moves else None
        if said:
            speak(said)
        sent = guest.peer.got()
    return sent


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("way", LINE_WAYS, ids=str)
def test_each_line_end_gives_one_command_and_no_empty_one(way, end):
    """C05: a talk is the same to the byte however its lines end."""
    assert a_talk(way, ENDS[end]) == a_talk(way, (b"\r\n",))


def test_lines_are_read_at_some_doors():
    assert {way.door.kind for way in LINE_WAYS} >= {"lobby", "json", "rikiki", "gops", "pass123"}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_line_sent_ends_as_its_wire_says(way):
    """C06: asserted over every byte that is sent from the greeting to the farewell."""
    with House() as house:
        guest, _, table = house.begin(way)
        sent = [guest.peer]
        if way.wire.watch is not None:
            watcher = Guest(house, way, table, None)
            watcher.come(way.wire.watch)
            watcher.say(*way.wire.asks)
            sent.append(watcher.peer)
        guest.say(*way.wire.asks)
        play(house, table, guest, Random(3), 12)
        newcomer = Guest(house, way, table, 0)
        newcomer.connect()
        newcomer.peer.say(newcomer.encoded("no such word"))
        house.pass_time(1.0)
        sent.append(newcomer.peer)
        for factory in list(house.factories.values()):
            factory.dismiss_all("closing")
        house.pass_time(3.0)
        for peer in sent:
            check_ends(custom_of(way), peer.got())
        assert any(peer.got() for peer in sent)


def play(house, table, guest, chance, steps):
    """Make some moves by chance, the guest's by its wire as far as that has words for them."""
    for _ in range(steps):
        awaited = sorted(table.awaited())
        if not awaited:
            return
        seat = chance.choice(awaited)
        move = chance.choice(table.legal_moves(seat))
        said = guest.wire.move(move) if seat == guest.seat else None
        if said is None:
            house.move(table, seat, move)
        else:
            guest.say(said)


# -- Ctrl-C ---------------------------------------------------------------------------


@pytest.mark.parametrize("way", LINES, ids=str)
def test_an_interrupt_ends_in_an_answer_or_a_clean_close(way):
    """C07: nothing fails, and nobody else is disturbed, whenever it comes."""
    for when in ("at the door", "at the table", "in play", "at the end"):
        interrupt(way, when)


def interrupt(way, when):
    with House() as house:
        if when == "at the door":
            table = house.open(way.game)
            guest = Guest(house, way, table, 0)
            guest.connect()
        elif when == "at the table":
            table = house.open(way.game)
            guest = Guest(house, way, table, 0)
            guest.come()
        else:
            guest, sitters, table = house.begin(way)
            if when == "at the end":
                for sitter in sitters.values():
                    house.host.leave(sitter)
                house.pass_time(1.0)
        guest.peer.forget()
        guest.peer.say(INTERRUPT)
        house.settle()
        guest.peer.say(b"\r\n")
        house.pass_time(1.0)
        if when != "at the door":  # where the first byte may say in which manner one speaks
            check_ends(custom_of(way), guest.peer.got())
        if way.door.kind == "lobby":
            assert guest.peer.got().startswith(b"\xff\xfc\x06")  # IAC WONT TIMING-MARK
            assert not guest.peer.ended
        others = house.connect(way.door.kind)
        house.pass_time(0.5)
        assert not others.ended


@pytest.mark.parametrize("way", LINES, ids=str)
def test_what_is_said_in_one_segment_or_byte_by_byte_is_the_same(way):
    """C09 and C10: where bytes are cut is nobody's affair."""

    def sent(cut):
        with House() as house:
            table = house.open(way.game)
            guest = Guest(house, way, table, 0)
            guest.connect()
            house.sit(table, 1)
            for text in way.wire.sit:
                data = guest.encoded(text)
                for piece in cut(data):
                    guest.peer.say(piece)
                    house.settle()
                house.pass_time(1.0)
            house.pass_time(1.0)
            house.start(table)
            return undated(guest.peer.got())

    whole = sent(lambda data: [data])
    assert whole == sent(lambda data: [data[at : at + 1] for at in range(len(data))])
