"""What is told at a terminal fits its screen; what a program reads stays whole."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios

import pytest

from protocols.clients import screen
from protocols.clients.terminal import PlainTerminal

LONG = "The game begins: 100 stones, at most 3 now, 4 resets and 120 seconds each. You move first."
BACK = f"If the link breaks, come back with: parlour play gops 127.0.0.1:6070 --token {'0' * 32}"


@pytest.fixture
def stand_before(monkeypatch):
    """Put a terminal of so many columns behind standard output; gives what reads all that its screen shows."""
    opened = []
    end = b"<end>"

    def build(columns):
        far, near = pty.openpty()
        fcntl.ioctl(near, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        out = os.fdopen(near, "w")
        opened.append((far, out))
        monkeypatch.setattr("sys.stdout", out)

        def read():
            print(end.decode(), end="", file=out, flush=True)
            shown = b""
            # What was written comes in pieces, whenever the system hands it on.
            while not shown.endswith(end):
                shown += os.read(far, 4096)
            return shown.removesuffix(end).decode().splitlines()

        return read

    yield build
    monkeypatch.undo()
    for far, out in opened:
        out.close()
        os.close(far)


@pytest.mark.parametrize("columns", [40, 80])
def test_lines_are_broken_at_words_where_the_screen_ends(stand_before, columns):
    read = stand_before(columns)
    PlainTerminal().say(LONG)
    lines = read()
    assert len(lines) > 1
    assert all(len(line) <= columns for line in lines)
    assert " ".join(" ".join(lines).split()) == LONG


def test_a_command_to_come_back_by_stays_whole(stand_before):
    read = stand_before(40)
    PlainTerminal().say(BACK)
    assert read() == [BACK]


def test_nothing_is_broken_where_a_program_reads(capsys):
    PlainTerminal().say(LONG)
    assert capsys.readouterr().out == f"{LONG}\n"
    assert screen.columns() == 0


@pytest.mark.parametrize("columns", [0, 7])
def test_a_terminal_that_cannot_be_so_narrow_is_not_believed(stand_before, columns):
    read = stand_before(columns)
    PlainTerminal().say(LONG)
    assert read() == [LONG]
