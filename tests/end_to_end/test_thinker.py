"""Bots that think ahead in processes of their own, at tables of the real daemon."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.end_to_end.test_json import Program, hall
from tests.patience import SECONDS

__all__ = ["hall"]

SHORT = {"gops": {"cards": 4}, "rikiki": {"players": 3, "max": 2}}


def thinkers(daemon: int) -> list[int]:
    """Name the processes of a daemon that think."""
    found = []
    for child in Path(f"/proc/{daemon}/task/{daemon}/children").read_text().split():
        if b"thinker_process" in Path(f"/proc/{child}/cmdline").read_bytes():
            found.append(int(child))
    return found


def sit_down(program: Program, kind: str) -> None:
    program.ask("open", game=kind, options=SHORT[kind], house={"start": "asked"})
    assert program.ask("join")["ok"]
    while "ok" in program.ask("bot", level="thinker-fast"):
        pass
    assert program.ask("start")["ok"]


def play(program: Program, moves: int | None = None) -> bool:
    """Make so many moves, or all to the end of the game; says whether it is over."""
    while moves is None or moves > 0:
        said = program.kept.pop(0) if program.kept else json.loads(program.lines.readline())
        if said.get("event") == "GameOver":
            return True
        if said.get("turn") and said.get("moves"):
            program.ask("play", move=said["moves"][0])
            moves = None if moves is None else moves - 1
    return False


@pytest.mark.parametrize("kind", SHORT)
def test_one_plays_a_game_to_its_end(hall, kind: str) -> None:
    port, daemon = hall()
    with Program(port) as program:
        sit_down(program, kind)
        assert play(program)
        assert len(thinkers(daemon.process.pid)) == 1


@pytest.mark.parametrize("kind", SHORT)
def test_a_hint_is_a_move_that_may_be_made(hall, kind: str) -> None:
    port, _ = hall()
    with Program(port) as program:
        sit_down(program, kind)
        hinted, late = 0, time.monotonic() + SECONDS
        while True:
            said = program.kept.pop(0) if program.kept else json.loads(program.lines.readline())
            if said.get("event") == "GameOver":
                break
            moves = said.get("moves")
            if moves:
                reply = program.ask("hint")
                while reply.get("error") == "no-thinker" and time.monotonic() < late:
                    reply = program.ask("hint")  # on a slow machine a process may be late
                assert reply.get("move") in moves or reply["error"] == "not-now", reply
                hinted += "move" in reply
                program.ask("play", move=reply.get("move", moves[0]))
        assert hinted > 1


def test_a_game_goes_on_when_those_who_think_are_killed(hall) -> None:
    port, daemon = hall()
    with Program(port) as program:
        sit_down(program, "gops")
        assert not play(program, 2)  # by then the first question was answered
        killed = thinkers(daemon.process.pid)
        assert killed
        for each in killed:
            os.kill(each, signal.SIGKILL)
        assert play(program)
        assert set(thinkers(daemon.process.pid)).isdisjoint(killed)
