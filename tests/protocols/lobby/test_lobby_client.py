"""`parlour play`: every game alone against a bot, in the lobby, from a real command."""

from __future__ import annotations

from argparse import Namespace

import pytest
from twisted.internet.defer import inlineCallbacks

from gamecore.rules import installed_rules
from protocols.castle import client as castle_client
from protocols.cli.main import main
from protocols.cli.play import find_play
from protocols.clients.connection import Connection
from protocols.host.door import TableDefaults
from protocols.lobby import client
from protocols.lobby.server import LobbyFactory
from tests.live_door import LiveDoor

NOTHING = {"name": None, "table": None, "watch": None, "token": None, "alone": False, "level": None}


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"game": "lobby"}, ["HELP"]),
        ({"game": "lobby", "name": "wren", "table": "ABC"}, ["NAME wren", "JOIN ABC"]),
        ({"game": "gops", "alone": True, "level": "hard"}, ["PLAY gops hard"]),
    ],
)
def test_what_was_chosen_is_said(monkeypatch, chosen, said):
    sent = []
    monkeypatch.setattr(client, "play_in_terminal", lambda link, seat: seat(link).status)
    monkeypatch.setattr(
        client.LobbyConnection, "send_line", lambda self, line: sent.append(" ".join(line.split()))
    )
    assert client.play("localhost", 1, Namespace(**{**NOTHING, **chosen})) == 0
    assert sent == said


@pytest.mark.parametrize(("columns", "said"), [(0, []), (80, []), (40, ["WIDTH 40"])])
def test_a_screen_of_another_width_is_told_of_before_anything_is_asked(monkeypatch, columns, said):
    """And once more by the link that comes back."""
    sent = []
    monkeypatch.setattr(client, "columns", lambda: columns)
    monkeypatch.setattr(client, "play_in_terminal", lambda link, seat: seat(link).status)
    monkeypatch.setattr(client.LobbyConnection, "send_line", lambda self, line: sent.append(line))
    assert client.play("localhost", 1, Namespace(**{**NOTHING, "game": "lobby"})) == 0
    client.LobbyConnection("localhost", 1).ask_again("token")
    assert sent == [*said, "HELP", *said, "RETURN token"]


def test_every_game_has_a_client_and_can_be_played_alone(monkeypatch):
    sent = []

    def seat_only(link, seat):
        seat(link)
        return link.address[1]

    for module in (client, castle_client):
        monkeypatch.setattr(module, "play_in_terminal", seat_only)
    monkeypatch.setattr(Connection, "send_line", lambda self, line: sent.append(line.split()))
    for rules in installed_rules():
        assert find_play(rules.kind) is not None
        port = main(["play", rules.kind, "host", "--alone", "--level", "hard"])
        own_door = rules.kind == "castle"
        assert port == (3789 if own_door else 4242)
        assert sent.pop() == ["PLAY", *([] if own_door else [rules.kind]), "hard"]


class TestAlone(LiveDoor):
    """The whole way from a terminal to a bot and back."""

    @staticmethod
    def build(host):
        return LobbyFactory(host, TableDefaults())

    @inlineCallbacks
    def test_a_game_whose_own_door_has_no_bots_is_played_alone(self):
        options = ["--alone", "--level", "perfect", "--name", "wren"]
        said, wrong, status = yield self.play("take 1\nleave\nquit\n", "nim", *options)
        assert (status, wrong) == (0, b""), said
        assert b"perfect bot" in said and b"You have left" in said
