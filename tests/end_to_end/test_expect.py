"""exp-nim driven by a script of the kind that came with the first program of this name."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.patience import SECONDS

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "etc" / "sample-script.exp"
EXP_NIM = [sys.executable, "-m", "protocols.nim.exp_nim", "--classic"]
needs_expect = pytest.mark.skipif(shutil.which("expect") is None, reason="there is no expect")

SPAWNING = """
set timeout 60
spawn {words}
expect {{
    "Please enter your move: " {{ send "1 0\\r"; exp_continue }}
    "Game over" {{ expect eof; catch wait result; exit [lindex $result 3] }}
    timeout {{ exit 7 }}
    eof {{ exit 8 }}
}}
"""


def client(daemon, name, first):
    return [*EXP_NIM, *(["-f"] if first else []), "-n", name, f"127.0.0.1:{daemon.ports['nim']}"]


def answer(ask, reply):
    """Answer each prompt that ``ask`` brings, until the game is over; gives all that was said."""
    seen, answered = "", 0
    while "Game over" not in seen:
        said = ask()
        assert said, seen
        seen += said
        while answered < seen.count("Please enter your move: "):
            answered += 1
            reply("1 0\n")
    return seen


def run_in_pipes(arguments):
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as played:
        seen = answer(
            lambda: os.read(played.stdout.fileno(), 4096).decode(),
            lambda line: os.write(played.stdin.fileno(), line.encode()),
        )
        assert played.wait(SECONDS) == 0
    return seen


def in_terminal(arguments):
    """Start a client in a terminal; gives it, and our end of the terminal."""
    ours, theirs = pty.openpty()
    started = subprocess.Popen(arguments, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    return started, ours


@pytest.fixture
def daemon(start_daemon):
    return start_daemon(ini="[nim]\nstones = 7\n")


def test_a_script_that_waits_for_the_old_words_plays_through_pipes_and_in_a_terminal(daemon):
    other, keys = in_terminal(client(daemon, "second", first=False))
    with other, ThreadPoolExecutor() as pool:
        piped_in = pool.submit(run_in_pipes, client(daemon, "first", first=True))
        screen = answer(
            lambda: os.read(keys, 4096).decode(), lambda line: os.write(keys, line.encode())
        )
        assert other.wait(SECONDS) == 0
        piped = piped_in.result(SECONDS)
    os.close(keys)
    assert piped.count("Please enter your move: ") == 4
    assert "Game over. Player first won the game! Congrats!" in piped
    assert screen.count("Please enter your move: ") == 3
    assert "Game over. Player first won the game! Congrats!" in screen


@needs_expect
def test_expect_drives_one_through_a_pipe_and_spawns_the_other(daemon, tmp_path):
    spawned = tmp_path / "spawn.exp"
    words = " ".join(client(daemon, "second", first=False))
    spawned.write_text(SPAWNING.format(words=words))
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    words = " ".join(client(daemon, "first", first=True))
    around = f"expect {SCRIPT} < {fifo} | {words} > {fifo}"
    with subprocess.Popen(["expect", str(spawned)], cwd=ROOT, stdout=subprocess.PIPE) as second:
        first = subprocess.run(["bash", "-c", around], cwd=ROOT, timeout=SECONDS)
        said, _ = second.communicate(timeout=SECONDS)
    assert (first.returncode, second.returncode) == (0, 0), said
    assert b"Game over. Player first won the game!" in said
