"""The `parlour` command as a whole: what it says of itself, and a reader that goes away."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from gamecore.rules import installed_rules
from protocols.cli import play as play_command
from protocols.cli.main import build_parser, main
from protocols.nim import exp_nim

ROOT = Path(__file__).parents[3]


def all_commands(parser, words=()):
    """Walk through the commands and what each can be told: the words that lead there, and what reads them."""
    yield words, parser
    for action in parser._actions:
        for name, inner in (action.choices or {}).items() if action.nargs == "A..." else ():
            yield from all_commands(inner, (*words, name))


COMMANDS = dict(all_commands(build_parser()))


def test_it_tells_its_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"parlour {version('parlour')}\n"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_says_what_it_does_and_what_each_of_its_words_is(words):
    assert COMMANDS[words].description, "what it does"
    silent = [
        each.dest for each in COMMANDS[words]._actions if not each.help and each.nargs != "A..."
    ]
    assert not silent, "nothing says what these are"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_helps_are_written_for_people(capsys, words):
    with pytest.raises(SystemExit, match="0"):
        main([*words, "--help"])
    told = capsys.readouterr().out
    assert "`" not in told
    assert "entry point" not in told


@pytest.mark.parametrize("command", ["play", "find"])
def test_helps_list_the_games(capsys, command):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    kinds = {rules.kind for rules in installed_rules()}
    assert kinds <= set(told.replace(",", " ").replace(";", " ").split())


def test_a_pipe_that_closes_is_no_error(nim_file):
    """As with `parlour replay FILE | head -0`: the reader is gone before the first line."""
    command = [sys.executable, "-m", "protocols.cli.main", "replay", nim_file]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe) as process:
        process.stdout.close()
        assert process.wait(30) == 0
        assert process.stderr.read() == b""


def test_nim_is_played_by_its_own_client(monkeypatch, capsys):
    calls = []
    monkeypatch.setattr(exp_nim, "main", lambda words: calls.append(list(words)) or 0)
    assert play_command.find_play("nim") is exp_nim.play
    assert main(["play", "nim", "host", "--name", "wren", "--first", "--table", "attic"]) == 0
    assert main(["play", "nim", "[::1]", "--token", "AB3.x"]) == 0
    assert main(["play", "nim", "host", "--watch", "AB3"]) == 2
    assert calls == [
        ["--name", "wren", "--resume", "--table", "attic", "--first", "host:9000"],
        ["--token", "AB3.x", "[::1]:9000"],
    ]
    assert "lobby" in capsys.readouterr().err
