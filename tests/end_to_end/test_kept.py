"""What the real daemon keeps: a game that is over is had at the doors, and a copy of the journal goes on."""

from __future__ import annotations

import json
import os
import shutil
import socket
from typing import Self

from gamecore.fairness import canonical
from tests.patience import SECONDS
from tests.processes import run


class Program:
    """A program at the door of JSON lines."""

    def __init__(self, daemon):
        self.link = socket.create_connection(("127.0.0.1", daemon.ports["json"]), timeout=SECONDS)
        self.lines = self.link.makefile("rw", encoding="utf-8", newline="\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem):
        self.lines.close()
        self.link.close()

    def ask(self, do, **fields):
        self.lines.write(json.dumps({"do": do, "id": do, **fields}) + "\n")
        self.lines.flush()
        return next(said for said in map(json.loads, self.lines) if said.get("reply") == do)


def play(program):
    """Play a game of Nim to its end, and stay; gives the code of the table."""
    code = program.ask("open", game="nim", options={"stones": 3})["table"]
    for request in (program.ask("join"), program.ask("bot")):
        assert request["ok"]
    assert program.ask("play", move={"is": "Take", "stones": 3})["ok"]
    return code


def parlour(bin_dir, *words):
    command = [str(bin_dir / "parlour"), *map(str, words)]
    return run(command, capture_output=True, text=True, timeout=SECONDS)


def test_a_game_that_is_over_is_had_before_and_after_its_players_go(
    start_daemon, tmp_path, bin_dir
):
    journal = tmp_path / "parlour.db"
    daemon = start_daemon(journal=str(journal))
    with Program(daemon) as player, Program(daemon) as stranger:
        code = play(player)
        first = stranger.ask("record", table=code)
        assert first["ok"]
        assert "wins" in parlour(bin_dir, "replay", code, "--journal", journal).stdout
        assert player.ask("leave")["ok"]
        later = stranger.ask("record", table=code)
        assert later["record"][: len(first["record"])] == first["record"]
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"".join(canonical(each) + b"\n" for each in later["record"]))
    verified = parlour(bin_dir, "verify", file, "--last", later["last"])
    assert verified.returncode == 0 and "holds: last" in verified.stdout


def test_a_copy_of_the_journal_is_taken_while_people_play_and_goes_on_elsewhere(
    start_daemon, tmp_path, bin_dir
):
    journal, copy = tmp_path / "parlour.db", tmp_path / "copy.db"
    daemon = start_daemon(journal=str(journal))
    with Program(daemon) as player:
        code = play(player)
        assert parlour(bin_dir, "backup", copy, "--journal", journal).returncode == 0
        assert player.ask("hello")["ok"]  # nobody was in the way
    assert not [each for each in os.listdir(tmp_path) if each.startswith("copy.db-")]
    back = tmp_path / "back.db"
    shutil.copy(copy, back)
    again = start_daemon(journal=str(back))
    with Program(again) as stranger:
        assert stranger.ask("record", table=code)["ok"]
