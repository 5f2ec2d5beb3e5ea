"""Whole games in lynx, which knows no script, no looks, and no form but the one that a button lies in."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal

import pytest

from tests.browser.conftest import open_pages
from tests.patience import SECONDS

LYNX = shutil.which("lynx")
COMMAND = ["lynx", "-nopause", "-accept_all_cookies"]
SIZE = {"LINES": "200", "COLUMNS": "200", "TERM": "vt100"}  # a page stands on one screen
SHORT = "[nim]\nstones = 12\n[gops]\ncards = 4\n[rikiki]\nplayers = 2\nfirst = 2\n"
FULL = b"\x0c"  # draws the screen anew
DRAWN = rb"Data transfer complete"
FOOT = rb"=history list"  # the end of each screen
NEXT_LINE = re.compile(rb"\x1b\[\d+;\d+H|\r\n")
CONTROL = re.compile(rb"\x1b(\[[\d;?]*[A-Za-z]|[()].|.)")
MOVE = re.compile(r'\((\{"is":.*?\})\)')
MOST_PRESSES = 300


class Lynx:
    """One lynx in a terminal: keys are typed, and what it writes is read."""

    def __init__(self, url: str) -> None:
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe(str(LYNX), [*COMMAND, url], {**os.environ, **SIZE})
        self.read_until(FOOT)

    def read_until(self, pattern: bytes) -> bytes:
        """Read until something was written."""
        read = b""
        while not re.search(pattern, read):
            ready, _, _ = select.select([self.terminal], [], [], SECONDS)
            assert ready, read[-2000:]
            read += os.read(self.terminal, 65536)
        return read

    def type(self, keys: bytes, until: bytes) -> bytes:
        os.write(self.terminal, keys)
        return self.read_until(until)

    def look(self) -> str:
        """Read the screen, each line of it."""
        drawn = NEXT_LINE.sub(b"\n", self.type(FULL, FOOT))
        return CONTROL.sub(b"", drawn).decode(errors="replace")

    def press(self, words: str) -> None:
        """Look for words, and press what stands there, until a page was drawn."""
        self.type(f"/{words}\r".encode(), rb"(submit|link).*")
        self.type(b"\r", rb"200 OK(.|\n)*" + DRAWN)

    def load_again(self) -> None:
        self.type(b"\x12", DRAWN)

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def choose(moves: list[str], turn: int) -> str:
    """Choose one after another, but what ends a game if it can be done."""
    for word in ("Finish", "Tap", "castle"):
        for each in moves:
            if word in each:
                return each
    return moves[turn % len(moves)]


def play_out(lynx: Lynx, title: str) -> str:
    """Play a game against bots to its end; gives the last screen."""
    lynx.press(f"Play now {title}")
    for turn in range(MOST_PRESSES):
        seen = lynx.look()
        if "The game is over" in seen:
            return seen
        moves = MOVE.findall(seen)
        if moves:
            lynx.press(choose(moves, turn))
        else:
            lynx.load_again()
    raise AssertionError(seen)


@pytest.mark.skipif(LYNX is None, reason="no lynx here")
def test_games_are_played_to_their_end_in_lynx(tmp_path):
    daemon = open_pages(tmp_path, web=SHORT)
    try:
        for title in ("Expanding Nim", "Game of Pure Strategy", "Rikiki"):
            lynx = Lynx(daemon.url)
            try:
                assert "Show the game" in play_out(lynx, title)
            finally:
                lynx.close()
    finally:
        assert daemon.stop() == 0
    assert "Traceback" not in daemon.log
