"""What comes over the line, and how it goes out: telnet, netcat, and strangers."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.conch.telnet import AYT, DM, DO, DONT, IAC, IP, NOP, SB, SE, WILL, WONT

from protocols.net.telnet import MOST_NEGOTIATED, Negotiation, TooLong

ECHO, BINARY, TTYPE, NAWS, TM = b"\x01", b"\x00", b"\x18", b"\x1f", b"\x06"
MUDLET = IAC + WILL + NAWS + IAC + SB + NAWS + b"\x01\x90\x00\x64" + IAC + SE
TYPE = IAC + SB + TTYPE + b"\x00Mudlet" + IAC + SE


def cut(data, *places):
    """Cut bytes in pieces."""
    edges = [0, *sorted({place % (len(data) + 1) for place in places}), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


def help_of(lobby, pieces):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        for piece in pieces:
            caller.say(piece)
        home.settle()
        return caller.value()


# -- telnet ---------------------------------------------------------------------------


def test_option_bytes_never_become_text(lobby):
    plain = help_of(lobby, [b"HELP\r\n"])
    negotiated = help_of(lobby, [MUDLET + TYPE + b"HELP\r\n"])
    assert negotiated == IAC + DO + NAWS + plain


@settings(max_examples=30)
@given(places=st.lists(st.integers(0, 200), max_size=12))
def test_negotiation_may_be_split_anywhere(lobby, places):
    data = b"HE" + MUDLET + b"LP" + TYPE + IAC + NOP + b"\r" + IAC + DM + b"\0"
    whole = help_of(lobby, [data])
    assert whole == help_of(lobby, [MUDLET + b"HELP\r\n"])
    assert help_of(lobby, cut(data, *places)) == whole


def test_single_bytes_are_as_good(lobby):
    data = MUDLET + TYPE + b"HELP\r\n"
    assert help_of(lobby, [bytes([each]) for each in data]) == help_of(lobby, [data])


def test_our_own_answers_fed_back_are_met_with_silence(lobby):
    with lobby() as home:
        caller = home.call()
        every = b"".join(IAC + verb + bytes([n]) for verb in (WILL, DO) for n in range(40))
        caller.clear()
        caller.say(every)
        answers = caller.value()
        assert answers.startswith(IAC + DO + BINARY + IAC + DONT + ECHO)
        caller.clear()
        caller.say(answers)
        rest = caller.value()
        caller.clear()
        caller.say(rest)
        assert caller.value() == b""


def test_eight_bits_are_agreed_to_and_nothing_else(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say(IAC + WILL + BINARY + IAC + DO + BINARY + IAC + DO + ECHO)
        assert caller.value() == IAC + DO + BINARY + IAC + WILL + BINARY + IAC + WONT + ECHO
        caller.clear()
        caller.say(IAC + WONT + BINARY + IAC + DONT + BINARY)
        assert caller.value() == IAC + DONT + BINARY + IAC + WONT + BINARY


def test_a_subnegotiation_without_end_is_told_of_and_ended(lobby):
    with lobby() as home:
        caller = home.call()
        caller.say(IAC + SB + b"\xc9")
        for _ in range(MOST_NEGOTIATED // 1024 + 1):
            caller.say(b"x" * 1024)
        assert "telnet option was too long" in caller.hear()[-1]
        assert caller.closed


def test_a_short_one_of_an_unknown_option_is_passed_over(lobby):
    data = IAC + SB + b"\xc9" + b"x" * 60_000 + IAC + IAC + b"y" + IAC + SE + b"HELP\r\n"
    assert help_of(lobby, [data]) == help_of(lobby, [b"HELP\r\n"])


@pytest.mark.parametrize("odd", [IAC + SB + IAC + SE, IAC + SE, IAC + b"\xec", IAC + b"\xf9"])
def test_commands_that_make_no_sense_do_no_harm(lobby, odd):
    assert help_of(lobby, [odd, b"HELP\r\n"]) == help_of(lobby, [b"HELP\r\n"])


def test_an_interrupt_is_answered_and_the_session_goes_on(lobby):
    with lobby() as home:
        caller = home.call()
        for place in ("[hall]", "[nim "):
            caller.clear()
            caller.say(IAC + IP + IAC + DO + TM)
            data = caller.value()
            assert data.startswith(IAC + WONT + TM + place.encode())
            caller.clear()
            caller.type("play nim")
        assert not caller.closed


def test_who_asks_whether_we_are_there_is_told(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say(IAC + AYT)
        assert caller.hear() == ["Yes, Parlour is here."]


def test_a_flood_of_negotiation_is_not_answered_for_ever(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say((IAC + WILL + ECHO) * 50_000)
        assert 0 < len(caller.value()) <= 3 * 301


def test_who_does_not_negotiate_never_sees_a_byte_of_it(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("name Zoë", "play nim", "3", "say ÿ", "help", "quit")
        assert IAC not in caller.got()


@given(data=st.binary(max_size=300), places=st.lists(st.integers(0, 300), max_size=5))
def test_what_is_left_of_any_bytes_does_not_depend_on_how_they_are_cut(data, places):
    def strip(pieces):
        said = []
        left = Negotiation(said.append, lambda: 0.0, said.append)
        return b"".join(map(left.strip, pieces)), said

    assert strip(cut(data, *places)) == strip([data])


def test_a_machine_of_its_own_counts_to_its_bound():
    machine = Negotiation(lambda data: None, lambda: 0.0, lambda _: None)
    machine.strip(IAC + SB + b"x" * MOST_NEGOTIATED)
    with pytest.raises(TooLong):
        machine.strip(b"x")


# -- lines ----------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\r\0"])
def test_every_end_of_line_gives_one_command(lobby, end):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say(b"name ada" + end + b"name" + end)
        heard = caller.hear()
        assert heard == ["You are called ada.", "[hall]", "You are called ada.", "[hall]"]


def test_a_line_end_in_two_packets_is_one(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        for piece in (b"name ada\r", b"\nname\r", b"\n"):
            caller.say(piece)
        assert len(caller.hear()) == 4


def test_every_line_out_ends_in_crlf(lobby):
    with lobby() as home:
        north, south, _ = home.pair()
        for each in (north, south):
            each.type("help", "3", "help open", "help nim", "rules", "who", "tables", "say hi")
        for each in (north, south):
            assert each.got().count(b"\n") == each.got().count(b"\r\n") == each.got().count(b"\r")


def test_a_line_without_end_takes_no_room_and_is_ended(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        for _ in range(300):
            caller.say(b"A" * 1024)
        heard = caller.hear()
        assert heard[0] == "That line was too long."
        assert len(heard) == 2  # and once more, as the link is closed
        assert caller.closed


def test_what_is_not_utf_8_is_refused_with_a_reason(lobby):
    with lobby() as home:
        caller = home.call()
        caller.clear()
        caller.say("name Zoë\r\n".encode("latin-1"))
        assert "UTF-8" in caller.hear()[0]


def test_who_says_nothing_is_let_go_and_who_has_spoken_is_not(lobby):
    with lobby() as home:
        silent, idle = home.call(wide=False), home.call()
        idle.type("who")
        home.clock.advance(599)
        assert not silent.closed
        home.clock.advance(2)
        assert silent.closed
        assert "too long" in silent.hear()[-1]
        home.clock.advance(3600)
        assert not idle.closed


def test_too_many_lines_at_once_are_refused_and_then_the_link_ends(lobby):
    with lobby() as home:
        caller = home.call()
        caller.say(b"who\n" * 130)
        assert any("too fast" in line for line in caller.hear())
        assert caller.closed


def test_who_is_turned_away_hears_why(lobby):
    with lobby() as home:
        home.factory.most = 0
        away = home.factory.buildProtocol(None)
        assert away._last == b"Too many are connected. Try again later.\r\n"


# -- strangers' text ------------------------------------------------------------------

NASTY = [
    "\x1b[2J\x1b[31m",
    "\x1b]52;c;aGk=\x07",
    "\x9b2J",
    "\ta\tb",
    "\u202eevil",
    "a" + "\u0300" * 300,
    "\x7f\x08\x08",
    "\u2028line",
    "{name} %s",
]
FORBIDDEN = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029]")


@pytest.mark.parametrize("nasty", NASTY)
def test_nothing_typed_brings_a_control_code_to_anybody(lobby, nasty):
    with lobby() as home:
        north, south, code = home.pair("open nim")
        watcher = home.call("watcher")
        watcher.type(f"watch {code}")
        writer = home.call()
        for word in (
            "name x",
            "say ",
            "tell north ",
            "open ",
            "join ",
            "rules ",
            "help ",
            "",
            "return ",
        ):
            writer.type(word + nasty)
        north.type(f"say {nasty}", f"mix {nasty}", f"{nasty}", f"take {nasty}")
        watcher.type(f"say {nasty}", "who", "tables")
        for each in (north, south, watcher, writer):
            assert not FORBIDDEN.search(each.got().decode().replace("\r\n", "\n"))


def test_marks_are_not_stacked_into_the_lines_above(lobby):
    with lobby() as home:
        caller = home.call()
        caller.type("say a" + "\u0300" * 300)
        assert caller.got().decode().count("\u0300") <= 3
