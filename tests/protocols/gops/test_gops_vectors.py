"""Games of the original programs, replayed through our door and compared byte for byte."""

from __future__ import annotations

from collections import deque

import pytest

from protocols.gops import wire
from tests.recorded import files, read

VECTORS = files("gops")
VALUES = {"A": 1, "J": 11, "Q": 12, "K": 13, **{str(n): n for n in range(2, 11)}}


def stack(monkeypatch, host, games):
    """Give the tables of a host the codes, and the prizes the order, that were recorded."""
    orders = deque([VALUES[card[:-1]] for card in game["draw_order"]] for game in games)
    codes = deque(game["id"] for game in games)
    monkeypatch.setattr(
        "gamecore.table_game.Deal",
        lambda seed, words: type("Stacked", (), {"shuffle": lambda *_: orders.popleft()})(),
    )
    monkeypatch.setattr(host._secrets, "code", lambda taken: codes.popleft())


def cut(data, pieces):
    """Cut bytes in two at every place once, or not at all."""
    return [data] if pieces == "whole" else [bytes([byte]) for byte in data]


@pytest.mark.parametrize("pieces", ["whole", "bytes"])
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
@pytest.mark.parametrize("line_greeting", [False, True])
def test_a_recorded_game_is_played_to_the_byte(path, pieces, line_greeting, gops_door, monkeypatch):
    meta, messages = read(path)
    with gops_door(line_greeting=line_greeting) as door:
        stack(monkeypatch, door.host, meta["games"])
        clients = {name: door.connect() for name in ("client0", "client1")}
        expected = dict.fromkeys(clients, b"")
        for message in messages:
            if message["from"] == "server":
                expected[message["to"]] += message["data"].encode()
                continue
            for piece in cut(message["data"].encode(), pieces):
                clients[message["from"]].link.dataReceived(piece)
            door.clock.advance(0.1)
        for name, client in clients.items():
            told = client.value()
            if line_greeting:  # the one difference: its frame, and its text, end with LF
                body = "INFO~[SUCCESS] Successfully connected to this server!"
                assert told.startswith(wire.greeting(body))
                told = wire.frame(body) + told.removeprefix(wire.greeting(body))
            assert told == expected[name]


def test_there_are_games_to_replay():
    assert len(VECTORS) == 4


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_recorded_game_says_the_same_in_lines(path, gops_door, monkeypatch):
    meta, messages = read(path)
    with gops_door() as door:
        stack(monkeypatch, door.host, meta["games"])
        clients = {name: door.connect(lines=True) for name in ("client0", "client1")}
        expected = {name: [] for name in clients}
        for message in messages:
            body = message["data"].encode()[64:].decode()
            if message["from"] != "server":
                clients[message["from"]].say(body)
                continue
            command, _, text = body.partition("~")
            expected[message["to"]].append(f"{command}~{text.lstrip()}")
        for name, client in clients.items():
            length, *told = client.hear()
            assert length.strip() == "54"
            assert [each for each in told if not each.startswith("TOKEN~")] == expected[name]
