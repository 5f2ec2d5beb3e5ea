"""The example sequences of the specification, section 5, played through our door and compared line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VECTORS = sorted((Path(__file__).parents[2] / "wire" / "castle").glob("*.jsonl"))


def without_room(line):
    """Leave out the code of the room: it is drawn by chance."""
    message = json.loads(line) if line else {}
    message.pop("ROOM", None)
    return message


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_sequence_of_the_specification(castle_door, path):
    head, *messages = map(json.loads, path.read_text().splitlines())
    meta = head["meta"]
    heard, expected = {}, {}
    with castle_door(*([each] for each in meta["drawn_first"]), **meta["settings"]) as door:
        clients = {}
        for message in messages:
            if message["to"] != "server":
                expected.setdefault(message["to"], []).append(without_room(message["data"]))
                continue
            client = clients.get(message["from"])
            if client is None:
                client = clients[message["from"]] = door.connect()
            said = json.loads(message["data"])
            if "ROOM" in said:
                said["ROOM"] = json.loads(clients["client0"].value().splitlines()[0])["ROOM"]
            client.say(json.dumps(said).encode() + b"\n")
        for name, client in clients.items():
            heard[name] = [without_room(line) for line in client.lines()]
            heard[name] += [{}] if client.closed else []  # an empty line stands for the end
    assert heard == expected


def test_every_sequence_is_there():
    assert len(VECTORS) == 11
