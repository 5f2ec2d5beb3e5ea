"""The bytes of the Nim wire, read and written."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gamecore.errors import Malformed
from gamecore.games.nim import NOTHING, Board, Faulted, NimOptions, PileSet, Take, Taken
from gamecore.table_events import Abandoned, Left, Sat
from protocols.nim import wire
from protocols.nim import wire_messages as messages
from protocols.nim.wire import Hello, parse_hello, parse_move
from tests.recorded import messages as recorded

NAMES = ("north", "south")
EMOJI = "\U0001f3b2"


def hello(name: object = "north", order: object = 0, **more: object) -> bytes:
    return json.dumps({"name": name, "order": order, **more}).encode()


# Hello


def test_a_hello_is_a_name_and_an_order():
    assert parse_hello(b'{"name": "north", "order": 0}') == Hello("north", 0, None)
    assert parse_hello(b'{"order":1,"name":"south","x":[{}]}') == Hello("south", 1, None)


def test_a_hello_may_name_a_table_to_meet_at():
    assert parse_hello(hello(table="our place")).table == "our place"
    assert parse_hello(hello(table="")).table is None
    assert parse_hello(hello(table=None)).table is None
    assert parse_hello(hello(table="\x1b[2J" + "x" * 99)).table == "[2J" + "x" * 21


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"{",
        b"{]}",
        b"[]",
        b"null",
        b"3",
        b'"name"',
        b"\xff{}",
        b"{}",
        b'{"name": "north"}',
        b'{"order": 0}',
        b'{"name": "north", "order": NaN}',
        b'{"name": "north", "order": 1e400}',
        b'{"name": "north", "order": 0} {"x": 1}',
        *[hello(name) for name in (None, 3, True, [], {})],
        *[hello(order=order) for order in (None, "0", 2, -1, 0.5, True, False, [], {}, 10**30)],
        *[hello(table=table) for table in (3, True, [], {})],
        b'{"name": "north", "order": 0, "x": ' + b"[" * 1000 + b"]" * 1000 + b"}",
    ],
)
def test_what_is_no_hello_is_refused_with_a_sentence(written):
    with pytest.raises(Malformed) as caught:
        parse_hello(written)
    assert json.loads(wire.render_refusal(str(caught.value)))["finished"] is True


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("north", "north"),
        ("  no\trth \r\n", "no rth"),
        ("\x1b[2Jnorth", "[2Jnorth"),
        ("nor\u202eth\u2066\u200f", "north"),
        ("\x9b\x00\x7f", "player_1"),
        ("", "player_1"),
        (" \t ", "player_1"),
        ("\u0301\u0301", "player_1"),
        ("\ud800", "player_1"),
        ("x" * 900, "x" * 64),
        ('"' * 900, '"' * 32),
        ("\\" * 900, "\\" * 32),
        ("\u00e9" * 99, "\u00e9" * 10),
        (EMOJI * 50, EMOJI * 5),
        ("x" * 63 + " y", "x" * 63),
        ("x" * 59 + "\u00e9", "x" * 59),
    ],
)
def test_a_name_is_cleaned_and_cut_to_fit(name, shown):
    assert parse_hello(hello(name, 1)).name == shown


@given(st.text(max_size=200))
@example(EMOJI * 200)
def test_no_name_is_too_long_or_can_steer_a_terminal(name):
    shown = parse_hello(hello(name)).name
    assert shown.isprintable() and shown == shown.strip() and shown
    assert len(json.dumps(shown)) - 2 <= wire.NAME_LIMIT
    assert wire.fit_name(shown) == shown


# Moves


@pytest.mark.parametrize(
    ("written", "move"),
    [
        (b'{"num_stones": 3, "reset": false}', Take(3, False)),
        (b'{"order": 0, "num_stones": 3, "reset": true}', Take(3, True)),
        (b'{"num_stones": 3}', Take(3, False)),
        (b'{"num_stones": 3.0, "reset": 0}', Take(3, False)),
        (b'{"num_stones": 3, "reset": 1}', Take(3, True)),
        (b'{"num_stones": 3, "reset": 0.0}', Take(3, False)),
        (b'{"num_stones": 3, "reset": 1e400}', Take(3, True)),
        (b'{"num_stones": 1, "num_stones": 3}', Take(3, False)),
        (b'{"num_stones": 3, "reset": true, "reset": false}', Take(3, False)),
        (b'{"num_stones": 0}', Take(0)),
        (b'{"num_stones": -5, "reset": true}', Take(-5, True)),
        (b'{"num_stones": 1000000}', Take(1_000_000)),
        (b'{"num_stones": 1e6}', Take(1_000_000)),
        (b'{"num_stones": 3, "order": "?", "more": {"a": [1]}}', Take(3)),
    ],
)
def test_a_move_is_read_as_the_wire_says(written, move):
    assert parse_move(written) == move


@pytest.mark.parametrize("reset", ['"0"', '"1"', '""', "null", "[]", "{}", "NaN", "-Infinity"])
def test_a_reset_that_is_no_truth_value_is_an_illegal_move(reset):
    assert parse_move(f'{{"num_stones": 3, "reset": {reset}}}'.encode()) is NOTHING


@pytest.mark.parametrize(
    "stones",
    [
        '"3"',
        "true",
        "1.5",
        "null",
        "[]",
        "{}",
        "1000001",
        "-1000001",
        "1e7",
        "1e400",
        "-1e400",
        "NaN",
        "9" * 900,
        "1" + "0" * 5000,
        "3 4",
        "0x3",
        "03",
    ],
)
def test_stones_that_are_no_sensible_number_are_an_illegal_move(stones):
    assert parse_move(f'{{"num_stones": {stones}, "reset": false}}'.encode()) is NOTHING


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"{}",
        b"[]",
        b"3",
        b"null",
        b'{"reset": true}',
        b"{'num_stones': 3}",
        b"{" * 900,
        b'{"num_stones": 3, "x": ' + b"[" * 990 + b"]}",
        b'{"num_stones": 3, "\xff": 1}',
    ],
)
def test_what_is_no_move_is_an_illegal_move(written):
    assert parse_move(written) is NOTHING


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(st.fixed_dictionaries({}, optional={"num_stones": PLAIN, "reset": PLAIN}) | PLAIN)
def test_whatever_is_sent_a_move_is_whole_numbers_and_truth_values(written):
    move = parse_move(json.dumps(written).encode())
    assert type(move.stones) is int and type(move.reset) is bool
    assert abs(move.stones) <= wire.MOST_STONES


@given(st.binary(max_size=200))
def test_no_bytes_whatever_make_a_reader_fail(data):
    parse_move(data)
    try:
        parse_hello(data)
    except Malformed as problem:
        assert str(problem).isprintable()


# What the server writes


def test_a_state_has_its_keys_in_the_order_of_the_original():
    taken = Taken(0, 3, False, Board(17, 4, (1, 1), (0.5120821, 0)), False)
    assert wire.render([taken], NAMES) == (
        b'{"finished": false, "current_max": 4, "stones_left": 17, "stones_removed": 3,'
        b' "reset_used": false, "player_0": {"resets_left": 1, "time_taken": 0.512082,'
        b' "name": "north"}, "player_1": {"resets_left": 1, "time_taken": 0, "name": "south"}}\n'
    )


def test_a_game_begins_with_all_four_keys():
    assert wire.render([PileSet(NimOptions(20, 1, 3, 120))], NAMES) == (
        b'{"init_stones": 20, "init_resets": 1, "game_time": 120, "init_max": 3}\n'
    )


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("time", "Player south exceeded time limit"),
        ("turn", "Player south moved out of turn"),
        ("take", "Player south made an illegal move"),
        ("reset", "Player south used too many resets"),
        ("disconnected", "Player south disconnected"),
        ("left", "Player south left the game"),
        ("whatever a game says in days to come", "Player south left the game"),
    ],
)
def test_each_fault_has_its_reason_and_the_other_wins(fault, reason):
    state = json.loads(
        wire.render([Faulted(1, fault, 9, True, Board(5, 3, (0, 0), (1, 2)))], NAMES)
    )
    assert list(state)[:3] == ["finished", "winner", "reason"]
    assert (state["winner"], state["reason"]) == ("north", reason)
    assert (state["stones_removed"], state["reset_used"]) == (9, True)


def test_the_last_stone_wins():
    state = json.loads(wire.render([Taken(1, 3, False, Board(0, 4, (0, 0), (0, 0)), True)], NAMES))
    assert state["winner"] == "south"
    assert state["reason"] == "Player south won the game! Congrats!"


def test_what_this_wire_has_no_word_for_is_not_written():
    assert wire.render([Sat(0, "north", None), Left(0, "north", "left")], NAMES) == b""
    assert wire.render_padded([Sat(0, "north", None)], NAMES) == b""
    assert wire.render([], ()) == b""


@pytest.mark.parametrize("why", ["expired", "bug", "hall-full", "closing", "a reason to come"])
def test_a_table_that_closes_says_why_in_a_complete_final_state(why):
    state = json.loads(wire.render([Abandoned(why)], ("north",)))
    assert state["finished"] is True
    assert state["reason"] and state["winner"] == ""
    assert [state["player_0"]["name"], state["player_1"]["name"]] == ["north", ""]


ANY_NAME = st.text(max_size=80) | st.sampled_from([EMOJI * 30, '"' * 70, "\u2028" * 70])
TIME = st.floats(0, 1e6)
PAIR = st.tuples(st.integers(0, 1000), st.integers(0, 1000))


@given(
    names=st.tuples(ANY_NAME, ANY_NAME),
    board=st.builds(
        Board, st.integers(0, 10**6), st.integers(1, 10**6), PAIR, st.tuples(TIME, TIME)
    ),
    stones=st.integers(-(10**6), 10**6),
    fault=st.sampled_from(["", "won", "time", "turn", "take", "reset", "disconnected", "absent"]),
)
def test_every_state_fits_one_read_and_is_plain_ascii(names, board, stones, fault):
    event: Taken | Faulted = Taken(0, stones, True, board, fault == "won")
    if fault not in ("", "won"):
        event = Faulted(1, fault, stones, True, board)
    written = wire.render([event], names)
    assert written.isascii() and written.endswith(b"}\n") and written.count(b"\n") == 1
    assert len(written) < wire.LIMIT
    padded = wire.render_padded([event], names)
    assert len(padded) == wire.LIMIT and json.loads(padded) == json.loads(written)
    assert padded.endswith(b" \n")


# Both ways

NAME = st.text(min_size=1, max_size=20).map(wire.fit_name).filter(bool)
SECONDS = st.floats(0, 1e6)
BOARDS = st.builds(
    Board,
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
    st.tuples(SECONDS, SECONDS),
)
SEATS = st.integers(0, 1)
STONES = st.integers(-(10**6), 10**6)
TAKEN = st.builds(Taken, SEATS, STONES, st.booleans(), BOARDS, st.booleans())
FAULTED = st.builds(
    Faulted, SEATS, st.sampled_from([*wire._REASONS]), STONES, st.booleans(), BOARDS
)


@given(NAME, SEATS, st.none() | NAME.map(lambda name: name[:5].strip() or "x"), NAME, st.booleans())
def test_a_hello_is_read_as_it_is_written(name, order, table, password, resume):
    said = messages.write(messages.hello(name, order, table, password, resume))
    assert parse_hello(said) == Hello(name, order, table, resume, password)


@given(STONES, st.booleans())
def test_a_move_is_read_as_it_is_written(stones, reset):
    assert parse_move(messages.write(messages.move(stones, reset)).rstrip()) == Take(stones, reset)


@given(st.lists(TAKEN | FAULTED, max_size=4), NAME, NAME, st.booleans(), st.data())
def test_states_are_read_as_they_are_written_and_written_again_to_the_byte(
    events, north, south, padded, data
):
    render = wire.render_padded if padded else wire.render
    stream = b"".join(render([event], (north, south)) for event in events)
    reader, cut = messages.MessageReader(), data.draw(st.integers(0, len(stream)))
    heard = [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])]
    assert [messages.write(each) for each in heard] == [
        wire.render([event], (north, south)) for event in events
    ]
    for event, state in zip(events, heard, strict=True):
        over = isinstance(event, Faulted) or event.won
        assert messages.kind_of(state) == ("end" if over else "state")
        assert (state["stones_left"], state["current_max"]) == (event.board.left, event.board.limit)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        (wire.render_start(NimOptions()), "start"),
        (wire.render_no_start(), "start"),
        (wire.render_kept_start(NimOptions(), "K7.f0", 1, None, 2, True), "start"),
        (wire.render_wrong_count(2), "wrong-count"),
        (wire.render_pause("closing"), "pause"),
        *((wire.render_refusal(each), "refusal") for each in wire._CLOSINGS),
        *((wire.render_closing(each, NAMES), "end") for each in wire._CLOSINGS),
    ],
)
def test_whatever_else_the_server_says_is_read_and_written_again_to_the_byte(written, kind):
    (message,) = messages.MessageReader().feed(written)
    assert messages.write(message) == written
    assert messages.kind_of(message) == kind


def test_recorded_games_are_read_and_written_again_to_the_byte():
    for line in recorded("nim"):
        (message,) = messages.MessageReader().feed(line["data"].encode())
        assert messages.write(message).decode().rstrip("\n") == line["data"].rstrip("\n")
        if line["to"] == "server":
            move = "num_stones" in message
            assert (
                parse_move(messages.write(message)) if move else parse_hello(line["data"].encode())
            )
        else:
            assert messages.kind_of(message) in ("start", "state", "end")


@pytest.mark.parametrize("said", [b"[1]", b"x", b"{x}", b'{"a": ' * 9000])
def test_what_is_no_message_to_a_client_is_said_to_be_none(said):
    with pytest.raises(ValueError, match=r"JSON|begins with"):
        messages.read(said)
    assert messages.kind_of({}) is None
