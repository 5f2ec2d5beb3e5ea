"""Bytes in, lines out: whatever comes, in whatever pieces, is answered once and in order."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.jsonlines.requests import MOST_BRACKETS, REQUESTS

SCALARS = [None, True, False, 0, -1, 2.5, 2**53, "", "a", "\u00fc\u202e", "7"]
TALK = b"".join(
    json.dumps(each).encode() + b"\n"
    for each in (
        {"do": "name", "id": 1, "name": "j\u00fcrg"},
        {"do": "open", "id": 2, "game": "nim", "options": {"stones": 9}},
        {"do": "join", "id": 3},
        {"do": "say", "id": 4, "words": "a { in a text, and a \\n"},
        {"do": "nothing", "id": 5},
        {"do": "leave", "id": 6},
    )
)


def told(program):
    """Give the replies; what is told between them comes as it happens."""
    return [(each["reply"], each.get("error")) for each in program.of("reply")]


# -- what is no request ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"hello", "not-json"),
        (b'{"do": "hello", "id": 1', "not-json"),
        (b'{"do": "hello", "id": 1} {}', "not-json"),
        (b"[]", "not-an-object"),
        (b'"hello"', "not-an-object"),
        (b"{}", "no-id"),
        (b'{"do": "hello"}', "no-id"),
        (b'{"do": "hello", "id": [1]}', "no-id"),
        (b'{"do": "hello", "id": {}}', "no-id"),
        (b'{"do": "hello", "id": 1, "id": 1}', "not-json"),
        (b'{"do": "play", "id": 1, "move": {"is": "Take", "is": "Take"}}', "not-json"),
        (b'{"do": "hello", "id": NaN}', "not-json"),
        (b'{"do": "hello", "id": 1, "x": Infinity}', "not-json"),
        (b'{"do": "hello", "id": 1e999}', "not-json"),
        (b'{"do": "hello", "id": 9007199254740993}', "not-json"),
        (b'{"do": "hello", "id": ' + b"9" * 5000 + b"}", "not-json"),
        (b'{"do": "hello", "id": "\\ud800"}', "not-json"),
        (b'{"do": "hello", "id": "\xff"}', "not-utf-8"),
        (b'{"x": ' + b"[" * 5000, "too-deep"),
        (b'{"x": ' + b'{"x": ' * MOST_BRACKETS, "too-deep"),
        (b'{"do": "hello", "id": "' + b"a" * 16_400 + b'"}', "line-too-long"),
    ],
)
def test_a_line_that_is_no_request_is_answered_without_an_id(house, line, key):
    program = house.connect()
    program.say(line + b"\n")
    (reply,) = program.heard()
    assert (reply["reply"], reply["error"]) == (None, key)
    assert reply["says"]
    assert program.ask("hello")["ok"]


@pytest.mark.parametrize(
    ("fields", "key", "says"),
    [
        ({}, "no-such-request", '"do" names a request'),
        ({"do": 1}, "no-such-request", '"do" names a request'),
        ({"do": "fly\x1b[2J"}, "no-such-request", "no request is called fly[2J;"),
        ({"do": "hello", "nmae": "x"}, "malformed", "hello: nobody here knows nmae"),
        ({"do": "name"}, "malformed", "name.name: this is missing"),
        ({"do": "name", "name": None}, "malformed", "name.name: text is wanted"),
        ({"do": "join", "seat": True}, "malformed", "join.seat: a whole number is wanted"),
        ({"do": "join", "seat": "0"}, "malformed", "join.seat: a whole number is wanted"),
        ({"do": "join", "seat": 0.0}, "malformed", "join.seat: a whole number is wanted"),
        ({"do": "open", "game": "nim", "options": []}, "malformed", "open.options: an object"),
        ({"do": "open", "game": "nim", "options": {"stones": []}}, "malformed", "open.options"),
    ],
)
def test_a_request_that_does_not_fit_is_answered_with_its_id(house, fields, key, says):
    program = house.connect()
    program.say(json.dumps({"id": "x", **fields}).encode() + b"\n")
    (reply,) = program.heard()
    assert (reply["reply"], reply["error"]) == ("x", key)
    assert reply["says"].startswith(says)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"stones": "3"}, "setting-not-a-number"),
        ({"stones": 3.0}, "setting-not-a-number"),
        ({"stones": True}, "setting-not-a-number"),
        ({"stones": 0}, "setting-out-of-bounds"),
        ({"lazy_clock": 1}, "setting-not-yes-or-no"),
        ({"early_moves": False}, "setting-not-text"),
        ({"early_moves": "win"}, "setting-not-a-choice"),
        ({"stoens": 3}, "no-such-setting"),
    ],
)
def test_an_option_must_be_of_its_very_kind(house, options, key):
    program = house.connect()
    assert program.ask("open", game="nim", options=options)["error"] == key
    assert len(house.hall) == 0


@pytest.mark.parametrize("house_options", [{"password": 1}, {"private": "yes"}, {"grace": "1"}])
def test_an_option_of_the_house_as_well(house, house_options):
    reply = house.connect().ask("open", game="nim", house=house_options)
    assert reply["error"].startswith("setting-not-")


@pytest.mark.parametrize("id", SCALARS, ids=repr)
def test_an_id_may_be_any_scalar_and_comes_back_as_it_was(house, id):
    program = house.connect()
    program.say(json.dumps({"do": "hello", "id": id}).encode() + b"\n")
    (reply,) = program.heard()
    assert (reply["reply"], type(reply["reply"])) == (id, type(id))
    assert reply["ok"] is True


# -- pieces, ends, order --------------------------------------------------------------


def test_a_talk_is_the_same_wherever_it_is_split(json_hall):
    heard = []
    for at in range(0, len(TALK), 5):
        with json_hall() as house:
            program = house.connect()
            program.say(TALK[:at])
            program.say(TALK[at:])
            heard.append(told(program))
    with json_hall() as house:
        program = house.connect()
        for byte in TALK:
            program.say(bytes([byte]))
        heard.append(told(program))
    assert heard[0] == [*((id, None) for id in range(1, 5)), (5, "no-such-request"), (6, None)]
    for each in heard:
        assert each == heard[0]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\r\0", b"\n\n", b"\n \n"])
def test_every_line_end_is_taken_and_a_blank_line_is_nothing(house, end):
    program = house.connect()
    program.say(TALK.replace(b"\n", end))
    assert [each["reply"] for each in program.of("reply")] == [1, 2, 3, 4, 5, 6]


def test_what_is_sent_is_ascii_and_ends_in_lf_alone(house):
    one, two = house.connect("\u00e5se"), house.connect("two")
    one.ask("say", words="\u202e\x1b[2J \x7f \x9b31m caf\u00e9")
    one.ask("open", game="nim", name="\x1b]52;c;x\x07 \u200f caf\u00e9\x7f")
    one.ask("join")
    one.ask("mix", words="\x7f\x1b\u009b")
    for each in (one, two):
        assert all(byte == 10 or 32 <= byte < 127 for byte in each.value())
    assert one.of("said")[0]["said"] == "[2J 31m caf\u00e9"
    assert two.of("said") == one.of("said")
    assert two.ask("tables")["tables"][0]["name"] == "]52;c;x caf\u00e9"


def test_replies_come_in_the_order_of_their_requests(house):
    program = house.connect()
    lines = [
        {"do": "open", "game": "nim", "house": {"password": "x"}},
        {"do": "join", "password": "y"},
        {"do": "join", "password": "x"},
        {"do": "play", "move": {"is": "Take", "stones": 1}},
        {"do": "who"},
        {"do": "leave"},
        {"do": "look"},
        {"do": "fly"},
    ]
    written = [json.dumps({**each, "id": id}).encode() for id, each in enumerate(lines)]
    program.say(b"\n".join(written) + b"\n")
    replies = program.of("reply")
    assert [each["reply"] for each in replies] == list(range(len(lines)))
    assert [each.get("error") for each in replies] == [
        *(None, "wrong-password", None, "no-game"),
        *(None, None, "not-at-a-table", "no-such-request"),
    ]


def test_a_program_that_ends_its_input_still_gets_its_answers(house):
    program = house.connect()
    program.link.dataReceived(TALK[: TALK.index(b'{"do": "say"')].rstrip())  # no end of line
    program.link.readConnectionLost()
    house.settle()
    assert [next(iter(each)) for each in program.heard()] == [
        *("reply", "reply", "reply", "token", "view", "turn"),
    ]
    assert program.closed


def test_who_quits_is_answered_and_heard_no_more(house):
    north, south = house.table(stones=9)
    north.say(b'{"do": "quit", "id": "q"}\n{"do": "leave", "id": "l"}\n')
    assert north.heard()[-1] == {"reply": "q", "ok": True}
    assert north.closed
    assert south.of("event")[-1]["event"] == "Dropped"


def test_silence_is_not_borne_for_ever_but_a_program_may_wait_for_its_turn(house):
    silent, polite = house.connect(), house.connect("polite")
    house.clock.advance(61)
    assert (silent.heard()[-1]["closed"], silent.closed) == ("login-deadline", True)
    house.clock.advance(3600)
    assert not polite.closed


# -- too much -------------------------------------------------------------------------


def test_too_many_requests_are_refused_by_their_ids(json_hall):
    with json_hall(requests_at_once=10, requests_a_second=1) as house:
        program = house.connect()
        for _ in range(12):
            program.send("hello")
        house.settle()
        replies = program.of("reply")
        assert [each.get("error") for each in replies] == [None] * 10 + ["too-fast"] * 2
        house.clock.advance(1)
        assert program.ask("hello")["ok"]
        for _ in range(250):
            program.send("hello")
        assert program.closed


def test_chat_has_a_budget_of_its_own(house):
    talker, other = house.connect("talker"), house.connect("other")
    errors = [talker.ask("say", words=f"{n}").get("error") for n in range(12)]
    assert errors == [None] * 8 + ["too-fast"] * 4
    assert len(other.of("said")) == 8
    assert talker.ask("hello")["ok"]


def test_who_does_not_read_is_not_heard_until_it_reads(house):
    program = house.connect("slow")
    program.producer.pauseProducing()
    assert program.producerState == "paused"
    for _ in range(3):
        program.send("hello")
    house.settle()
    program.clear()
    program.producer.resumeProducing()
    assert program.producerState == "producing"
    assert len(program.of("reply")) == 3


def test_so_many_requests_wait_at_once_and_no_more(house):
    program = house.connect()
    for _ in range(64):
        program.send("hello")
    assert program.producerState == "paused"
    house.settle()
    assert program.producerState == "producing"


def slow_table(house):
    """Let two play many moves of which one, and a watcher, read nothing."""
    north, south = house.table(stones=1_000_000, maximum=1000)
    watcher = house.connect("watcher")
    watcher.ask("watch", table=north.of("token")[0]["table"])
    for each in (south, watcher):
        each.producer.pauseProducing()
        each.clear()
    south.send("who")
    for _ in range(8):
        for each in (north, south):
            each.send("play", move={"is": "Take", "stones": 1, "reset": False})
            house.settle()
    return north, south, watcher


def test_a_player_who_does_not_read_gets_the_latest_view_and_every_reply(house):
    _, south, watcher = slow_table(house)
    assert not south.closed
    south.producer.resumeProducing()
    heard = south.heard()
    assert len([each for each in heard if "reply" in each]) == 9
    views = [at for at, each in enumerate(heard) if "view" in each]
    assert views, "nothing was forgotten"
    view = heard[views[-1]]
    after = [each["n"] for each in heard[views[-1] :] if "event" in each]
    assert after == list(range(view["n"] + 1, view["n"] + 1 + len(after)))
    turn = [each for each in heard[views[-1] :] if "turn" in each][-1]
    assert (turn["turn"], turn["moves"]) == ([0], [])
    assert not watcher.closed


def test_a_watcher_who_does_not_read_is_parted_with(house):
    north, _, watcher = slow_table(house)
    watcher.link.backlog = 4096
    for number in range(40):
        mover = (north, house.peers[1])[number % 2]
        mover.send("play", move={"is": "Take", "stones": 1, "reset": False})
        house.settle()
        if watcher.closed:
            break
    assert watcher.closed
    assert watcher.heard()[-1]["closed"] == "does-not-read"
    assert not north.closed


# -- garbage --------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("game", "name", "options", "house", "table", "seat", "password", "move", "words", "level")
ASKED = st.fixed_dictionaries(
    {"do": st.sampled_from([*REQUESTS, "fly"]), "id": JSON},
    optional={name: JSON for name in (*FIELDS, "token", "last", "brings")},
)


@given(st.lists(ASKED, max_size=12))
def test_each_request_whatever_is_in_it_has_one_reply(json_hall, asked):
    asked = [each for each in asked if each["do"] != "quit"]
    with json_hall() as house:
        program = house.connect()
        program.say(b"".join(json.dumps(each).encode() + b"\n" for each in asked))
        house.settle()
        assert len(program.of("reply")) == len(asked)
        assert not program.closed


@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"\n", b'{"do":"hello","id":1}\n'])))
def test_bytes_of_any_kind_do_no_harm(json_hall, pieces):
    with json_hall() as house:
        program, other = house.connect(), house.connect("other")
        for piece in pieces:
            program.say(piece)
        assert all(isinstance(each, dict) for each in program.heard())
        assert other.ask("hello")["ok"]
