"""The example sequences of the specification, section 5, played through our door and compared line by line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.castle import handlers, wire
from tests.recorded import files, messages, read

VECTORS = files("castle")

# Fields that only some messages of their command have; the prose of the page says when.
HELD = ("IN_RESPONSE", "PENDING", "ACTION_ID", "AWAITED")
OPTIONAL = ("TOKEN", "OPTIONS", "ABILITY", "THEIR_HEALTH", "RESULT", "CODE", "MESSAGE")


def without_room(line):
    """Leave out the code of the room: it is drawn by chance."""
    message = json.loads(line) if line else {}
    message.pop("ROOM", None)
    return message


SAID = [line for line in messages("castle") if line["data"]]
FIELDS = st.dictionaries(
    st.from_regex(r"[A-Z_]{1,9}", fullmatch=True).filter(lambda key: key != "COMMAND"),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
        max_leaves=5,
    ),
    max_size=4,
)
COMMAND = st.sampled_from(["STATE", "ERROR", "TARGET_CARD", "CARD_STATE", "TURN_END"])


@given(st.lists(st.tuples(COMMAND, FIELDS), max_size=4), st.data())
def test_what_is_told_is_read_as_it_is_written(told, data):
    messages = [{"COMMAND": command, **fields} for command, fields in told]
    stream, reader = wire.render(messages), wire.MessageReader()
    cut = data.draw(st.integers(0, len(stream)))
    assert [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])] == messages


@given(COMMAND, FIELDS)
def test_what_a_client_says_is_read_as_it_is_written(command, fields):
    said = wire.write_request(command, **fields).decode()
    assert wire.parse(said) == wire.Request(command, {"COMMAND": command, **fields})


def test_each_line_of_the_sequences_is_read_and_written_again():
    assert SAID
    for line in SAID:
        message = wire.read(line["data"])
        assert list(wire.MessageReader().feed(wire.render([message]))) == [message]


def test_each_line_of_a_client_in_the_sequences_is_read_and_written_again():
    said = [line["data"] for line in SAID if line["to"] == "server"]
    assert said
    for line in said:
        message = wire.read(line)
        command = message.pop("COMMAND")
        assert wire.parse(wire.write_request(command, **message).decode()) == wire.parse(line)


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_sequence_of_the_specification(castle_door, path):
    meta, spoken = read(path)
    heard, expected = {}, {}
    with castle_door(*([each] for each in meta["drawn_first"]), **meta["settings"]) as door:
        clients = {}
        for message in spoken:
            if message["to"] != "server":
                expected.setdefault(message["to"], []).append(without_room(message["data"]))
                continue
            client = clients.get(message["from"])
            if client is None:
                client = clients[message["from"]] = door.connect()
            said = json.loads(message["data"])
            if "ROOM" in said:
                said["ROOM"] = clients["client0"].objects()[0]["ROOM"]
            client.say(json.dumps(said).encode() + b"\n")
        for name, client in clients.items():
            heard[name] = [without_room(line) for line in client.lines()]
            heard[name] += [{}] if client.closed else []  # an empty line stands for the end
    assert heard == expected


def test_every_sequence_is_there():
    assert len(VECTORS) == 12


def examples():
    """Read every object that the wire's own page shows."""
    decoder = json.JSONDecoder()
    text = " ".join(wire.__doc__.replace("[10,10,...,3]", "[10,3]").split())
    starts = [at for at in range(len(text)) if text.startswith('{"COMMAND"', at)]
    return [decoder.raw_decode(text, at)[0] for at in starts]


def test_the_page_of_the_wire_has_an_example_of_every_command_that_is_understood():
    shown = {each["COMMAND"] for each in examples()}
    understood = {*handlers._ANYWHERE, *handlers._AT_A_TABLE}
    assert understood - shown == {"CHOOSE_COST_RESP"}, "which is in the prose"


def test_the_page_of_the_wire_shows_what_is_told_with_the_fields_that_it_has():
    shown = {}
    for each in examples():
        shown.setdefault(each["COMMAND"], set()).update(each)
    for line in SAID:
        if line["to"] != "server":
            told = wire.read(line["data"])
            assert set(told) - shown[told["COMMAND"]] <= {*HELD, *OPTIONAL}, told
