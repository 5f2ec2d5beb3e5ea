"""The words of discovery, both ways."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.discovery.wire import (
    LEAST_REPLY_BYTES,
    FoundRoom,
    Identity,
    OpenRoom,
    Query,
    parse_query,
    parse_reply,
    render_query,
    render_reply,
)

ATTIC = Identity("9c1e", "attic")
FRIDAY = OpenRoom("nim", "Friday", 1, 2, False, 9000, "K7QX")
DOOR = OpenRoom("nim", "Expanding Nim", 0, 2, False, 9000)
GOPS = OpenRoom("gops", "Cards", 0, 3, True, 6070, "ZZ42")

codes = st.text("abcXYZ019_.-", min_size=1, max_size=32)
rooms = st.builds(
    OpenRoom,
    game=codes,
    name=st.text(max_size=400),
    players=st.integers(0, 999),
    seats=st.integers(0, 999),
    passworded=st.booleans(),
    port=st.integers(1, 65535),
    table=st.none() | codes,
)
identities = st.builds(
    Identity,
    server_id=st.text("0123456789abcdef", min_size=1, max_size=64),
    name=st.text(max_size=100),
)
printable = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
queries = st.builds(
    Query,
    game=st.text(printable, min_size=1, max_size=32),
    nonce=st.none() | st.text(printable, min_size=1, max_size=64),
)


def test_the_packet_of_the_seed_is_a_query() -> None:
    assert parse_query(b'{"COMMAND": "FIND_SERVER", "GAME": "LastOfUs"}') == Query("LastOfUs")


def test_padding_behind_a_query_does_not_matter() -> None:
    assert parse_query(render_query("*", "5f3a", padded_to=512)) == Query("*", "5f3a")


@pytest.mark.parametrize(
    "datagram",
    [
        b"",
        b"\0" * 40,
        b"hello",
        b"\xff\xfe\x00",
        b"{",
        b"{}",
        b"[]",
        b'"FIND_SERVER"',
        b"{" * 500 + b"}",
        b'{"COMMAND":' + b"[" * 480 + b"}",
        b'{"COMMAND":"FIND_SERVER"}',
        b'{"GAME":"*"}',
        b'{"COMMAND":"find_server","GAME":"*"}',
        b'{"COMMAND":"FIND_SERVER_RESP","GAME":"*"}',
        b'{"COMMAND":["FIND_SERVER"],"GAME":"*"}',
        b'{"COMMAND":"FIND_SERVER","GAME":null}',
        b'{"COMMAND":"FIND_SERVER","GAME":""}',
        b'{"COMMAND":"FIND_SERVER","GAME":7}',
        b'{"COMMAND":"FIND_SERVER","GAME":["*"]}',
        b'{"COMMAND":"FIND_SERVER","GAME":"' + b"x" * 33 + b'"}',
        b'{"COMMAND":"FIND_SERVER","GAME":"*","NONCE":5}',
        b'{"COMMAND":"FIND_SERVER","GAME":"*","NONCE":"\\u001b[2J"}',
        b'{"COMMAND":"FIND_SERVER","GAME":"*","NONCE":"' + b"n" * 65 + b'"}',
        b'{"COMMAND":"FIND_SERVER","GAME":"*"}' + b" " * 512,
        b'{"COMMAND":"FIND_SERVER","GAME":"*"} {}',
    ],
    ids=lambda datagram: repr(datagram[:60]),
)
def test_what_is_no_query_gets_silence(datagram: bytes) -> None:
    assert parse_query(datagram) is None


def test_a_key_that_nobody_knows_does_not_matter() -> None:
    extra = b'{"COMMAND":"FIND_SERVER","GAME":"*","SIZE":' + b"9" * 450 + b"}"
    assert parse_query(extra) == Query("*")


@given(st.binary(max_size=600) | st.text().map(lambda text: b"{" + text.encode() + b"}"))
def test_no_bytes_whatever_make_a_parser_fail(datagram: bytes) -> None:
    assert parse_query(datagram) is None or datagram
    assert parse_reply(datagram) is None or datagram


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
KEYS = ["GAME", "NONCE", "PORT", "PLAYER_COUNT", "MAX_PLAYERS", "IS_PASSWORDED", "GAME_NAME"]


@given(
    st.sampled_from(["FIND_SERVER", "FIND_SERVER_RESP"]),
    st.dictionaries(st.sampled_from([*KEYS, "TABLE", "SERVER_ID", "SERVER_NAME"]), json_values),
)
def test_no_value_of_a_key_makes_a_parser_fail(command: str, words: dict[str, object]) -> None:
    datagram = json.dumps({"COMMAND": command, **words}).encode()
    parse_query(datagram)
    found = parse_reply(datagram)
    assert found is None or 1 <= found.port <= 65535


IN_THE_SEEDS_WORDS = {
    "COMMAND": "FIND_SERVER_RESP",
    "GAME_NAME": "Friday",
    "PLAYER_COUNT": "1",
    "IS_PASSWORDED": "false",
    "PORT": "9000",
    "MAX_PLAYERS": "2",
}


def test_the_seed_is_answered_in_its_own_words() -> None:
    assert json.loads(render_reply(FRIDAY, ATTIC, Query("LastOfUs", "n"))) == IN_THE_SEEDS_WORDS


def test_other_questions_are_told_more() -> None:
    assert json.loads(render_reply(FRIDAY, ATTIC, Query("*", "5f3a"))) == {
        **IN_THE_SEEDS_WORDS,
        "GAME": "nim",
        "TABLE": "K7QX",
        "SERVER_NAME": "attic",
        "SERVER_ID": "9c1e",
        "NONCE": "5f3a",
    }


def test_a_door_without_a_table_names_none_and_echoes_nothing_unasked() -> None:
    words = json.loads(render_reply(DOOR, ATTIC, Query("nim")))
    assert "TABLE" not in words and "NONCE" not in words


def test_a_long_name_is_cut_between_two_characters() -> None:
    room = OpenRoom("nim", "\N{GAME DIE}" * 200, 1, 2, False, 9000, "K7QX")
    reply = render_reply(room, ATTIC, Query("LastOfUs"))
    name = json.loads(reply)["GAME_NAME"]
    assert 256 - 12 < len(reply) <= 256
    assert name and set(name) == {"\N{GAME DIE}"}


@given(rooms, identities, queries)
def test_every_answer_fits_its_datagram_and_is_plain_ascii(
    room: OpenRoom, identity: Identity, query: Query
) -> None:
    reply = render_reply(room, identity, query)
    assert LEAST_REPLY_BYTES <= len(reply) <= 512
    assert all(0x20 <= byte < 0x7F for byte in reply)
    assert all(isinstance(value, str) for value in json.loads(reply).values())
    assert len(render_reply(room, identity, Query("LastOfUs"))) <= 256


@given(rooms, identities, queries)
def test_what_was_asked_and_answered_is_what_was_meant(
    room: OpenRoom, identity: Identity, query: Query
) -> None:
    assert parse_query(render_query(query.game, query.nonce)) == query
    found = parse_reply(render_reply(room, identity, query), "192.0.2.1")
    assert found is not None
    assert (found.address, found.port) == ("192.0.2.1", room.port)
    assert (found.players, found.seats) == (room.players, room.seats)
    assert found.passworded == room.passworded
    if query.game != "LastOfUs":
        assert (found.game, found.table) == (room.game, room.table)
        assert (found.server_id, found.nonce) == (identity.server_id, query.nonce)


def test_each_question_is_about_its_own_rooms() -> None:
    assert Query("*").kind is None
    assert Query("nim").kind == "nim"
    assert Query("LastOfUs").kind == "castle"
    assert Query("chess").kind == "chess"


def test_the_finder_of_the_original_is_told_who_waits_in_a_room_without_a_name() -> None:
    room = OpenRoom("castle", "Castle Wars", 1, 2, False, 3789, "K7QX2", "red")
    names = [
        json.loads(render_reply(room, ATTIC, Query(game)))["GAME_NAME"]
        for game in ("LastOfUs", "castle")
    ]
    assert names == ["red", "Castle Wars"]


EVIL = "\x1b[2J\x1b]52;c;eA==\x07a\r\n\tb\x7f\x9b\u202e\u2066\u200f\u2028\u2029\ufeffc"


@pytest.mark.parametrize("key", ["GAME_NAME", "GAME", "TABLE", "SERVER_NAME", "SERVER_ID"])
def test_a_stranger_cannot_steer_a_terminal(key: str) -> None:
    words = {"COMMAND": "FIND_SERVER_RESP", "PORT": "9000", "PLAYER_COUNT": "1"}
    escaped = json.dumps({**words, key: EVIL + "\ud800"}).encode()
    # Those codes that JSON lets through unescaped.
    unescaped = json.dumps({**words, key: EVIL}, ensure_ascii=False).encode()
    for datagram in (escaped, unescaped):
        found = parse_reply(datagram)
        assert found is not None
        texts = (found.name, found.game, found.table, found.server_name, found.server_id)
        assert [text for text in texts if text] == ["[2J]52;c;eA==a b c"]


@pytest.mark.parametrize(
    "port", [None, "", "0", "65536", "-1", "9000 ", "\u0663", 0, 70000, True, 1.5]
)
def test_an_answer_without_a_port_is_no_room(port: object) -> None:
    words = {"COMMAND": "FIND_SERVER_RESP", "GAME_NAME": "x", "PLAYER_COUNT": "0", "PORT": port}
    assert parse_reply(json.dumps(words).encode()) is None


def test_an_answer_to_the_seed_needs_no_more_than_the_seed_knows() -> None:
    reply = (
        b'{"COMMAND":"FIND_SERVER_RESP","GAME_NAME":"G","PLAYER_COUNT":"0",'
        b'"IS_PASSWORDED":"true","PORT":"3789"}'
    )
    assert parse_reply(reply + b"\0" * 30, "192.0.2.9") == FoundRoom(
        "192.0.2.9", 3789, "", "G", 0, 0, True, None, "", "", None
    )


@pytest.mark.parametrize("code", ["", "a b", "a" * 33, "\u00e9", 'x"'])
def test_a_code_that_would_not_fit_the_wire_makes_no_room(code: str) -> None:
    with pytest.raises(ValueError):
        OpenRoom(code, "x", 0, 2, False, 9000)
    with pytest.raises(ValueError):
        OpenRoom("nim", "x", 0, 2, False, 9000, code)
    with pytest.raises(ValueError):
        Identity(code if len(code) != 33 else "a" * 65, "x")
