"""The exp-nim command as people and programs start it."""

from __future__ import annotations

import os
import pty
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import pytest

from protocols.nim.exp_nim import main
from tests.patience import SECONDS

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "protocols.nim.exp_nim"]
HEAR = None
START = b'{"init_stones": 20, "init_resets": 1, "game_time": 60, "init_max": 3}\n'
STATE = b'{"finished": false, "current_max": 4, "stones_left": 17, "stones_removed": 3, \
"reset_used": false, "player_0": {"resets_left": 1, "time_taken": 0.5, "name": "north"}, \
"player_1": {"resets_left": 1, "time_taken": 0, "name": "south\\u001b[2J"}}\n'
REPLY = STATE.replace(b"17", b"16").replace(b'_removed": 3', b'_removed": 1')
END = STATE.replace(b"false", b'true, "winner": "north", "reason": "\\u009bPlayer south left"', 1)
START_LINE = (
    "start your_turn=1 stones_left=20 current_max=3 your_resets=1 their_resets=1"
    " your_seconds=60.0 their_seconds=60.0 stones_removed=0 reset_used=0"
    " finished=0 result=- reason=-\n"
)
STATE_LINE = (
    "state your_turn=0 stones_left=17 current_max=4 your_resets=1 their_resets=1"
    " your_seconds=59.5 their_seconds=60.0 stones_removed=3 reset_used=0"
    " finished=0 result=- reason=-\n"
)
REPLY_LINE = STATE_LINE.replace("turn=0", "turn=1").replace("17", "16").replace("=3", "=1")
END_LINE = STATE_LINE.replace(
    "finished=0 result=- reason=-", "finished=1 result=won reason=Player south left"
)

Serve = Callable[..., Any]


def run(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end with some input."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"} | environment,
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )


@contextmanager
def started(
    *arguments: str, stdout: int | socket.socket = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Start the command with pipes at all ends, and nothing that gathers what it writes."""
    pipe = subprocess.PIPE
    # What a test run in the background ignores, the command would ignore as well.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        command = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=ROOT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            text=True,
            stdin=pipe,
            stdout=stdout,
            stderr=pipe,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with command:
        yield command
        command.wait(SECONDS)


def interrupt(command: subprocess.Popen[Any], heard: int) -> None:
    """Interrupt, and again where that fell between Python's last look at signals and its wait for keys."""
    command.send_signal(signal.SIGINT)
    while not select.select([heard], [], [], 5)[0]:
        command.send_signal(signal.SIGINT)


class Terminal:
    """The command in a terminal, and what stands on its screen."""

    def __init__(self, *arguments: str) -> None:
        self.screen = ""
        self._keys, tty = pty.openpty()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.command = subprocess.Popen(
            [*COMMAND, *arguments], cwd=ROOT, stdin=tty, stdout=tty, stderr=tty
        )
        signal.signal(signal.SIGINT, before)
        os.close(tty)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.command.kill()
        self.command.wait(SECONDS)
        os.close(self._keys)

    def type(self, keys: str) -> None:
        os.write(self._keys, keys.encode())

    def _look(self) -> bool:
        """Wait for more to appear; False if nothing will."""
        assert select.select([self._keys], [], [], SECONDS)[0], self.screen
        seen = b""
        with suppress(OSError):  # what Linux says when the other end is gone
            seen = os.read(self._keys, 4096)
        self.screen += seen.decode(errors="replace")
        return bool(seen)

    def wait_for(self, text: str) -> None:
        while text not in self.screen and self._look():
            pass
        assert text in self.screen, self.screen

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        interrupt(self.command, self._keys)

    def status(self) -> int:
        """Wait for the end and give the exit status."""
        while self._look():
            pass
        return self.command.wait(SECONDS)


def test_moves_from_a_pipe_play_a_game(serve: Serve) -> None:
    with serve([HEAR, START, HEAR, STATE, REPLY, HEAR, END]) as stub:
        played = run("-f", "-n", "north", stub.ip_port, text="3 0\n4 1\n")
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout == START_LINE + STATE_LINE + REPLY_LINE + END_LINE
    assert stub.heard[0] == b'{"name": "north", "order": 0, "resume": true}\n'
    assert stub.moves() == [(3, False), (4, True)]


def test_who_wants_no_way_back_says_what_the_first_client_said(serve: Serve) -> None:
    with serve([HEAR, START, HEAR, END]) as stub:
        played = run("--once", "-f", "-n", "north", stub.ip_port, text="3 0\n")
    assert played.returncode == 0
    assert stub.heard[0] == b'{"name": "north", "order": 0}\n'


def test_the_second_player_waits_first(serve: Serve) -> None:
    with serve([HEAR, START + STATE, HEAR, REPLY, END]) as stub:
        played = run("-n", "south", "--table", "oak", stub.ip_port, text="1")
    assert (played.returncode, played.stderr) == (0, "")
    turns = [line.split()[1] for line in played.stdout.splitlines()]
    assert turns == ["your_turn=0", "your_turn=1", "your_turn=0", "your_turn=0"]
    assert "finished=1 result=lost" in played.stdout
    assert b'"table": "oak"' in stub.heard[0]
    assert stub.moves() == [(1, False)]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("3", (3, False)),
        ("3 0", (3, False)),
        ("3 00", (3, False)),
        ("3 FALSE", (3, False)),
        ("3 no", (3, False)),
        ("3 n", (3, False)),
        ("3 off", (3, False)),
        ("3 1", (3, True)),
        ("3 True", (3, True)),
        ("3 yes", (3, True)),
        ("3 y", (3, True)),
        ("3 on", (3, True)),
        ("3 7", (3, True)),
        ("3 -1", (3, True)),
        (" +3\t1 \r", (3, True)),
        ("-3", (-3, False)),
        ("0 0", (0, False)),
    ],
)
def test_a_move_is_a_number_and_perhaps_a_reset(
    serve: Serve, line: str, move: tuple[int, bool]
) -> None:
    with serve([HEAR, START, HEAR, END]) as stub:
        assert run("-f", "-n", "x", stub.ip_port, text=f"{line}\n").returncode == 0
    assert stub.moves() == [move]


def test_lines_that_are_no_moves_are_skipped_and_named(serve: Serve) -> None:
    lines = ["", "x", "1.5", "3 maybe", "3 0 0", "٣", "1_0", "3,1", "\x1b[2J", "1" * 10]
    with serve([HEAR, START, HEAR, END]) as stub:
        played = run("-f", "-n", "x", stub.ip_port, text="\n".join([*lines, "x" * 9000, "2 1"]))
    assert played.returncode == 0
    assert stub.moves() == [(2, True)]
    shown = [f"exp-nim: no move: {line!r}" for line in [*lines[:8], "[2J", "1" * 10, "x" * 200]]
    assert played.stderr.splitlines() == shown


def test_the_end_of_the_input_is_the_end_of_the_game(serve: Serve) -> None:
    with serve([HEAR, START, HEAR, STATE, REPLY]) as stub:
        played = run("-f", "-n", "x", stub.ip_port, text="3 0\n")
    assert played.returncode == 1
    assert played.stderr == "exp-nim: there are no more moves to make\n"
    assert played.stdout == START_LINE + STATE_LINE + REPLY_LINE


def test_a_program_gets_each_line_before_it_moves(serve: Serve) -> None:
    with serve([HEAR, START, HEAR, STATE, REPLY, HEAR, END]) as stub:
        with started("-f", "-n", "north", stub.ip_port) as command:
            assert command.stdin and command.stdout and command.stderr
            assert command.stdout.readline() == START_LINE
            command.stdin.write("3 0\n")
            command.stdin.flush()
            assert command.stdout.readline() == STATE_LINE
            assert command.stdout.readline() == REPLY_LINE
            command.stdin.write("1 0\n")
            command.stdin.flush()
            assert command.stdout.readline() == END_LINE
            assert command.stderr.read() == ""
        assert command.returncode == 0


def test_who_reads_that_the_game_is_over_has_read_all(serve: Serve) -> None:
    """A script ends at these words, and its pipe with it: nothing may be written behind them."""
    # A socket that keeps writes apart.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with serve([HEAR, START, HEAR, END]) as stub, ours:
        with theirs, started("--classic", "-f", "-n", "x", stub.ip_port, stdout=theirs) as command:
            assert command.stdin
            command.stdin.write("3 0\n")
            command.stdin.flush()
        while not (last := ours.recv(4096).decode()).startswith("Game over. "):
            pass
        assert last.endswith("\n")
        assert [ours.recv(4096) for _ in range(3)] == [b""] * 3


def test_nobody_reading_is_a_quiet_end(serve: Serve) -> None:
    with serve([HEAR, START, HEAR, STATE, REPLY]) as stub:
        with started("-f", "-n", "north", stub.ip_port) as command:
            assert command.stdin and command.stdout and command.stderr
            assert command.stdout.readline() == START_LINE
            command.stdout.close()
            command.stdin.write("3 0\n")
            command.stdin.flush()
            assert command.stderr.read() == ""
        assert command.returncode == 1


def test_an_interrupt_is_a_clean_end(serve: Serve) -> None:
    with serve([HEAR, START, HEAR]) as stub:  # it closes only behind the client
        with started("-f", "-n", "north", stub.ip_port) as command:
            assert command.stdout and command.stderr
            assert command.stdout.readline() == START_LINE
            interrupt(command, command.stderr.fileno())
            assert command.stderr.read() == "\n"
        assert command.returncode == 130


def test_letters_the_output_lacks_do_not_end_the_game(serve: Serve) -> None:
    end = END.replace(b"Player", "Zoë".encode())
    with serve([HEAR, START, end]) as stub:
        played = run("-n", "Zoë", stub.ip_port, PYTHONIOENCODING="ascii")
    assert played.returncode == 0
    assert played.stdout.endswith("reason=Zo? south left\n")


def test_a_refusal_is_one_line(serve: Serve) -> None:
    with serve([HEAR, b'{"finished": true, "reason": "no seat\\u001b[2J left"}']) as stub:
        played = run("-n", "x", stub.ip_port)
    assert (played.returncode, played.stdout) == (1, "")
    assert played.stderr == "exp-nim: no seat[2J left\n"


def test_no_server_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
    played = run("-n", "x", address)
    assert (played.returncode, played.stdout) == (1, "")
    port = address.partition(":")[2]
    assert played.stderr == f"exp-nim: Connection refused (127.0.0.1 port {port})\n"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.0.0.1:1234", ("10.0.0.1", 1234)),
        ("10.0.0.1", ("10.0.0.1", 9000)),
        ("games.example:65535", ("games.example", 65535)),
        ("[::1]:9001", ("::1", 9001)),
        ("[fe80::1%eth0]", ("fe80::1%eth0", 9000)),
        ("fe80::1%lo", ("fe80::1%lo", 9000)),
        ("::1", ("::1", 9000)),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(
    text: str,
    address: tuple[str, int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    called = []

    def refuse(address: tuple[str, int], timeout: float | None) -> socket.socket:
        called.append(address)
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "create_connection", refuse)
    assert main(["-n", "x", text]) == 1
    assert called == [address]
    host, port = address
    expected = f"exp-nim: Name or service not known ({host} port {port})\n"
    assert capsys.readouterr().err == expected


def test_a_host_that_cannot_be_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-n", "x", "a..b:1"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["host:1"],
        ["-n", "x"],
        ["-n", "x", "host:"],
        ["-n", "x", ":9000"],
        ["-n", "x", "host:0"],
        ["-n", "x", "host:65536"],
        ["-n", "x", "host:http"],
        ["-n", "x", "[::1"],
    ],
)
def test_wrong_options_are_explained(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "exp-nim: error: " in capsys.readouterr().err


def test_the_help_tells_of_lines_and_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for words in (
        "[-f] (-n NAME | --token TOKEN)",
        '"%d %d"',
        "0, false, no, n and off",
        "Exit status: 0",
        "3 0\\n",
    ):
        assert words in text
    keys = [word.partition("=")[0] for word in START_LINE.split()[1:]]
    example = text.partition("  start ")[2].split()[: len(keys)]
    assert [word.partition("=")[0] for word in example] == keys


def test_a_person_is_asked_and_told_in_words(serve: Serve) -> None:
    with (
        serve([HEAR, START, HEAR, STATE, REPLY, HEAR, END]) as stub,
        Terminal("-f", "-n", "north", stub.ip_port) as terminal,
    ):
        terminal.wait_for("Your move, 1 to 3 (resets left 1, seconds left 60.0): ")
        terminal.type("three\n")
        terminal.wait_for("Type how many stones to take, as 3, or 3 1 to reset too.")
        terminal.type("3\n")
        terminal.wait_for("Your move, 1 to 4 (resets left 1, seconds left 59.5): ")
        terminal.type("4 yes\n")
        assert terminal.status() == 0
    assert stub.moves() == [(3, False), (4, True)]
    for line in (
        "Waiting for the server and the other player.\r\n",
        "The game begins: 20 stones, at most 3 now, 1 reset and 60 seconds each. You move first.\r\n",
        "You took 3 stones. 17 stones left, at most 4 next. Waiting for south[2J.\r\n",
        "south[2J took 1 stone. 16 stones left, at most 4 next.\r\n",
        "Player south left\r\nYou won.\r\n",
    ):
        assert line in terminal.screen
    assert "\x1b" not in terminal.screen
    assert "\x9b" not in terminal.screen


def test_a_person_is_warned_of_a_move_that_loses_and_may_still_make_it(serve: Serve) -> None:
    with (
        serve([HEAR, START, HEAR, END]) as stub,
        Terminal("-f", "-n", "north", stub.ip_port) as terminal,
    ):
        for move in ("4", "0", "9", "9"):
            terminal.wait_for("Your move, 1 to 3 (resets left 1, seconds left 60.0): ")
            terminal.type(f"{move}\n")
        assert terminal.status() == 0
    assert stub.moves() == [(9, False)]
    assert terminal.screen.count("That would lose the game.") == 3


def test_a_person_may_end_the_input(serve: Serve) -> None:
    with serve([HEAR, START, HEAR]) as stub, Terminal("-f", "-n", "x", stub.ip_port) as terminal:
        terminal.wait_for("seconds left 60.0): ")
        terminal.type("\x04")
        assert terminal.status() == 1
    assert terminal.screen.endswith("\r\nexp-nim: there are no more moves to make\r\n")


def test_a_person_may_interrupt(serve: Serve) -> None:
    with serve([HEAR, START, HEAR]) as stub, Terminal("-f", "-n", "x", stub.ip_port) as terminal:
        terminal.wait_for("seconds left 60.0): ")
        terminal.interrupt()
        assert terminal.status() == 130
    assert "Traceback" not in terminal.screen
    assert terminal.screen.endswith("seconds left 60.0): \r\n")
