"""`parlour play`: which game, where, and what shared terminal its client has."""

from __future__ import annotations

import pytest

from protocols.cli import play
from protocols.cli.main import main
from protocols.clients.terminal import (
    Ended,
)

# Where


@pytest.mark.parametrize("text", ["", "host:65536"])
def test_what_is_no_address_is_refused(text, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["play", "gops", text])
    assert f"{text!r} is no HOST:PORT" in capsys.readouterr().err


def test_the_usual_port_is_where_the_door_of_a_game_stands():
    assert play.usual_port("gops") == 6070
    assert play.usual_port("chess") is None


@pytest.fixture
def game(monkeypatch):
    """Let any game be played by a client that writes down how it was called."""
    calls = []

    def found(host, port, args):
        calls.append((host, port, args.name, args.table, args.watch, args.token))
        return 7

    monkeypatch.setattr(play, "find_play", lambda kind: found)
    return calls


def test_a_game_is_played_by_its_own_client(game):
    assert main(["play", "gops", "host:80", "--name", "wren", "--table", "AB3"]) == 7
    assert main(["play", "gops", "host"]) == 7
    assert game == [
        ("host", 80, "wren", "AB3", None, None),
        ("host", 6070, None, None, None, None),
    ]


def test_a_game_without_a_usual_port_needs_one(game, capsys):
    assert main(["play", "chess", "host"]) == 2
    assert "no usual port" in capsys.readouterr().err
    assert main(["play", "chess", "host:1"]) == 7


def test_a_game_that_nobody_brings_is_named_with_those_that_there_are(capsys):
    assert main(["play", "chess", "host"]) == 2
    assert "gops" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("problem", "status"), [(ConnectionRefusedError(111, "Connection refused"), 1), (Ended(), 0)]
)
def test_a_client_that_cannot_go_on_says_why(monkeypatch, capsys, problem, status):
    def fail(host, port, args):
        raise problem

    monkeypatch.setattr(play, "find_play", lambda kind: fail)
    assert main(["play", "gops", "host:80"]) == status
    said = capsys.readouterr().err
    assert said == ("" if not status else "parlour play: Connection refused (host port 80)\n")
