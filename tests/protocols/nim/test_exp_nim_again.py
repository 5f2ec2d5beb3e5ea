"""exp-nim whose link breaks: it comes back by its token, and plays no move twice."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Callable
from typing import Any

import pytest

from protocols.nim import exp_nim
from tests.patience import SECONDS
from tests.protocols.nim.test_exp_nim import (
    COMMAND,
    END,
    HEAR,
    REPLY,
    ROOT,
    START,
    STATE,
    Terminal,
    run,
)

TOKEN = b"K7QX2.0a0a"
KEPT = START[:-2] + b', "token": "%s", "order": 0, "your_turn": true}\n' % TOKEN
BACK = KEPT.replace(b'"your_turn"', b'"resumed": true, "your_turn"')
BACK_WAITING = BACK.replace(b'turn": true', b'turn": false')
HELLO_AGAIN = b'{"token": "%s"}\n' % TOKEN
PIPES: Any = {
    **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
    "text": True,
    "bufsize": 1,
}
LOST = "The connection is lost. Trying to come back ...\n"

Serve = Callable[..., Any]


def test_a_move_that_did_not_arrive_is_sent_again(serve: Serve) -> None:
    with serve([HEAR, KEPT, HEAR], [HEAR, KEPT, HEAR, STATE, REPLY, HEAR, END]) as stub:
        played = run("-f", "-n", "north", stub.ip_port, text="3 0\n4 1\n")
    assert played.returncode == 0, played.stderr
    assert LOST in played.stderr
    first, second = stub.heard[:2], stub.heard[2:]
    assert second[0] == HELLO_AGAIN
    assert second[1] == first[1]
    told = [line.split()[0] for line in played.stdout.splitlines()]
    assert told == ["start", "state", "state", "state"]


def test_a_move_that_did_arrive_is_not(serve: Serve) -> None:
    with serve([HEAR, KEPT, HEAR], [HEAR, BACK_WAITING + STATE, REPLY, HEAR, END]) as stub:
        played = run("-f", "-n", "north", stub.ip_port, text="3 0\n4 1\n")
    assert played.returncode == 0, played.stderr
    assert [b"num_stones" in line for line in stub.heard] == [False, True, False, True]
    assert len(played.stdout.splitlines()) == 4


def test_who_waits_comes_back_to_what_the_other_did(serve: Serve) -> None:
    with serve([HEAR, KEPT, HEAR, STATE], [HEAR, BACK + REPLY, HEAR, END]) as stub:
        played = run("-f", "-n", "north", stub.ip_port, text="3 0\n4 1\n")
    assert played.returncode == 0, played.stderr
    assert played.stdout.count("your_turn=1") == 2
    assert "stones_left=16" in played.stdout


def test_a_person_at_the_prompt_notices_at_once(serve: Serve) -> None:
    with (
        serve([HEAR, KEPT], [HEAR, KEPT, HEAR, END]) as stub,
        Terminal("-f", "-n", "north", stub.ip_port) as terminal,
    ):
        terminal.wait_for(LOST.strip())
        terminal.wait_for("seconds left 60.0): ")
        terminal.type("3\n")
        assert terminal.status() == 0
    assert stub.heard[-1].startswith(b'{"order": 0, "num_stones": 3')


@pytest.mark.parametrize("more", [(), ("--classic",)])
def test_a_program_that_thinks_loses_no_time_either(serve: Serve, more: tuple[str, ...]) -> None:
    with serve([HEAR, KEPT], [HEAR, KEPT, HEAR, END]) as stub:
        arguments = [*COMMAND, *more, "-f", "-n", "north", stub.ip_port]
        with subprocess.Popen(arguments, cwd=ROOT, **PIPES) as thinking:
            assert thinking.stdin and thinking.stdout and thinking.stderr
            heard = iter(thinking.stderr.readline, "")
            assert LOST in heard, "before it has said anything"
            thinking.stdin.write("3 0\n")
            thinking.stdin.flush()
            assert thinking.wait(SECONDS) == 0
    assert stub.heard[-1].startswith(b'{"order": 0, "num_stones": 3')


def test_lines_that_were_piped_at_once_are_each_a_move(serve: Serve) -> None:
    with serve([HEAR, KEPT, HEAR, STATE + REPLY], [HEAR, BACK + REPLY, HEAR, END]) as stub:
        played = run("-f", "-n", "north", stub.ip_port, text="3 0\n" + "x" * 9000 + "\n4 1")
    assert played.returncode == 0, played.stderr
    assert stub.heard[-1].startswith(b'{"order": 0, "num_stones": 4')


def test_a_person_at_the_prompt_hears_that_the_game_is_over(serve: Serve) -> None:
    with (
        serve([HEAR, START + END]) as stub,
        Terminal("-f", "-n", "north", stub.ip_port) as terminal,
    ):
        assert terminal.status() == 0
    assert "You won." in terminal.screen


def test_the_way_back_is_told_when_nobody_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exp_nim, "WAITS", (0.0, 0.0))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        def serve_once() -> None:
            with listener.accept()[0] as link:
                listener.close()
                link.sendall(KEPT.replace(b'turn": true', b'turn": false'))
                link.shutdown(socket.SHUT_WR)
                while link.recv(1000):
                    pass

        server = threading.Thread(target=serve_once)
        server.start()
        assert exp_nim.main(["-f", "-n", "north", f"127.0.0.1:{port}"]) == 1
        server.join(SECONDS)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith(f"come back with: exp-nim --token {TOKEN.decode()} 127.0.0.1:{port}")


def test_it_is_tried_for_about_as_long_as_a_seat_is_held() -> None:
    assert 50 <= sum(exp_nim.WAITS) <= 70
