"""A whole game in lynx, which knows no script, no looks, and no form but the one that a button lies in."""

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
DRAWN = b"Data transfer complete"


class Lynx:
    """One lynx in a terminal: keys are typed, and what it writes is read."""

    def __init__(self, url: str) -> None:
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            size = {"LINES": "60", "COLUMNS": "120", "TERM": "vt100"}
            os.execvpe(str(LYNX), [*COMMAND, url], {**os.environ, **size})
        self.read_until(DRAWN)

    def read_until(self, pattern: bytes) -> bytes:
        """Read until something was written."""
        read = b""
        while not re.search(pattern, read):
            ready, _, _ = select.select([self.terminal], [], [], SECONDS)
            assert ready, read[-2000:]
            read += os.read(self.terminal, 65536)
        return read

    def press(self, words: str) -> bytes:
        """Look for words, and press what stands there; gives what is written until a page was drawn."""
        os.write(self.terminal, f"/{words}\r".encode())
        self.read_until(re.escape(words[-1:].encode()) + rb".*(submit|link)")
        os.write(self.terminal, b"\r")
        return self.read_until(rb"200 OK(.|\n)*" + DRAWN)

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


@pytest.mark.skipif(LYNX is None, reason="no lynx here")
def test_a_game_is_played_to_its_end_in_lynx(tmp_path):
    daemon = open_pages(tmp_path, web="[nim]\nstones = 12\n")
    lynx = Lynx(daemon.url)
    try:
        seen = lynx.press("Play now Expanding")
        for _ in range(12):
            if b"The game is over" in seen:
                break
            seen = lynx.press('"Take"')
        assert b"The game is over" in seen
    finally:
        lynx.close()
        assert daemon.stop() == 0
    assert "Traceback" not in daemon.log
