"""`parlour play`: every game alone against a bot, in the lobby, from a real command."""

from __future__ import annotations

from argparse import Namespace
from random import Random

import pytest
from twisted.internet import reactor
from twisted.internet.defer import inlineCallbacks
from twisted.trial.unittest import TestCase

from gamecore.hall import Hall
from gamecore.rules import Registry, installed_rules
from protocols.castle import client as castle_client
from protocols.cli.main import main
from protocols.cli.play import find_play
from protocols.clients.connection import Connection
from protocols.host.door import TableDefaults
from protocols.host.host import Host
from protocols.journal.memory import MemoryJournal
from protocols.lobby import client
from protocols.lobby.server import LobbyFactory
from tests.processes import said_by

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


class TestAlone(TestCase):
    """The whole way from a terminal to a bot and back."""

    timeout = 60

    def setUp(self):
        hall = Hall(Registry(installed_rules()))
        self.host = Host(hall, MemoryJournal(reactor), reactor, lambda: 1e9, Random(1))
        self.factory = LobbyFactory(self.host, TableDefaults())
        self.port = reactor.listenTCP(0, self.factory, interface="127.0.0.1")

    @inlineCallbacks
    def tearDown(self):
        yield self.port.stopListening()
        yield self.host.close()
        yield self.factory.dismiss_all("closing")

    @inlineCallbacks
    def test_a_game_whose_own_door_has_no_bots_is_played_alone(self):
        where = f"127.0.0.1:{self.port.getHost().port}"
        words = ["play", "nim", where, "--alone", "--level", "perfect", "--name", "wren"]
        typed = "take 1\nleave\nquit\n"
        said, wrong, status = yield said_by("-m", "protocols.cli.main", *words, typed=typed)
        assert (status, wrong) == (0, b""), said
        assert b"perfect bot" in said and b"You have left" in said
