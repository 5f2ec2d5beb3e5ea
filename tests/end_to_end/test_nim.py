"""Whole games of Expanding Nim through the real daemon."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from protocols.nim.client import Client
from tests.patience import SECONDS
from tests.processes import run, start


def link(port: int, hello: dict[str, object], end: str = "\n") -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
    sock.sendall((json.dumps(hello) + end).encode())
    return sock


def read_line(sock: socket.socket) -> dict[str, object]:
    data = b""
    while not data.endswith(b"\n"):
        byte = sock.recv(1)
        assert byte, "the server closed"
        data += byte
    return json.loads(data)


def test_two_netcats_play_a_game_to_its_end(start_daemon):
    daemon = start_daemon(ini="[nim]\nstones = 7\n")
    with (
        link(daemon.nim, {"name": "a", "order": 0}) as a,
        link(daemon.nim, {"name": "b", "order": 1}) as b,
    ):
        starts = [read_line(a), read_line(b)]
        assert starts[0] == starts[1]
        assert starts[0]["init_stones"] == 7
        for mover, stones in ((a, 3), (b, 3), (a, 1)):
            mover.sendall(b'{"num_stones": %d, "reset": false}\n' % stones)
            states = [read_line(a), read_line(b)]
            assert states[0] == states[1]
        assert states[0]["winner"] == "a"
        assert a.recv(1) == b.recv(1) == b"", "the server closes after the last state"


def test_stock_clients_get_each_object_in_a_read_of_its_own(start_daemon):
    daemon = start_daemon(ini="[nim]\nstones = 12\n")
    with (
        link(daemon.nim, {"name": "a", "order": 0}, end="") as a,
        link(daemon.nim, {"name": "b", "order": 1}, end="") as b,
    ):
        players, state, mover = (a, b), {"finished": False}, 0
        for each in players:
            assert json.loads(each.recv(1024))["init_stones"] == 12
        while not state["finished"]:
            players[mover].sendall(b'{"order": %d, "num_stones": 3, "reset": false}' % mover)
            states = [json.loads(each.recv(1024)) for each in players]
            assert states[0] == states[1]
            state, mover = states[0], 1 - mover
        assert state["winner"] == "b"


def test_padded_objects_fill_one_read_exactly(start_daemon):
    daemon = start_daemon(ini="[nim]\nstones = 3\npad = yes\n")
    with (
        link(daemon.nim, {"name": "a", "order": 0}, end="") as a,
        link(daemon.nim, {"name": "b", "order": 1}, end="") as b,
    ):
        start = a.recv(1024, socket.MSG_WAITALL)
        b.recv(1024, socket.MSG_WAITALL)
        a.sendall(b'{"num_stones": 3}')
        last = a.recv(1024, socket.MSG_WAITALL)
        assert len(start) == len(last) == 1024
        assert json.loads(last)["winner"] == "a"


def exp_nim(bin_dir: Path, port: int, name: str, moves: str, *options: str):
    command = [str(bin_dir / "exp-nim"), *options, "-n", name, f"127.0.0.1:{port}"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ), moves


def test_two_exp_nim_processes_play_a_game(start_daemon, bin_dir):
    daemon = start_daemon(ini="[nim]\nstones = 10\n")
    one, first = exp_nim(bin_dir, daemon.nim, "one", "3\n3 0\n", "-f")
    two, second = exp_nim(bin_dir, daemon.nim, "two", "3\n3\n")
    with one, two:
        heard: list[str] = []
        reader = threading.Thread(target=lambda: heard.append(two.communicate(second)[0]))
        reader.start()
        said, problems = one.communicate(first, timeout=SECONDS)
        reader.join(SECONDS)
    assert (one.returncode, two.returncode) == (0, 0), problems
    assert "result=lost reason=Player two won the game! Congrats!" in said
    assert "result=won" in heard[0]


def test_the_blocking_client_plays_a_game_with_itself(start_daemon):
    daemon = start_daemon(ini="[nim]\nstones = 30\nresets = 1\n")
    ends: dict[str, dict[str, object]] = {}

    def play(name: str, goes_first: bool) -> None:
        with Client(name, goes_first, ("127.0.0.1", daemon.nim), table="ours") as client:
            my_turn = goes_first
            while not client.state["finished"]:
                if my_turn:
                    client.make_move(2, client.state["stones_left"] in (28, 26))
                else:
                    client.receive_move()
                my_turn = not my_turn
            ends[name] = client.state

    players = [
        threading.Thread(target=play, args=("north", True)),
        threading.Thread(target=play, args=("south", False)),
    ]
    for player in players:
        player.start()
    for player in players:
        player.join(SECONDS)
    assert ends["north"] == ends["south"]
    assert ends["north"]["reason"] == "Player north won the game! Congrats!"


def test_a_silent_player_loses_on_time(start_daemon):
    daemon = start_daemon(ini="[nim]\nseconds = 1\n")
    with (
        link(daemon.nim, {"name": "a", "order": 0}) as a,
        link(daemon.nim, {"name": "b", "order": 1}) as b,
    ):
        read_line(a), read_line(b)
        state = read_line(b)
        assert state["reason"] == "Player a exceeded time limit"
        assert (state["winner"], state["stones_removed"]) == ("b", 0)
        assert read_line(a) == state


def test_parlour_start_serves_one_game_with_a_log_and_exits(bin_dir, tmp_path):
    command = [str(bin_dir / "parlour"), "start", "nim", "-a", "127.0.0.1", "-p", "0"]
    server = start(
        [*command, "-m", "2", "-t", "60", "5", "1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with server:
        assert server.stdout is not None
        ready = server.stdout.readline()
        port = int(re.search(r"127\.0\.0\.1:(\d+)", ready)[1])
        with link(port, {"name": "early", "order": 0}) as early:
            early.shutdown(socket.SHUT_WR)  # gone before the game begins: a new one is laid
            assert early.recv(1024) == b""
        with (
            link(port, {"name": "a", "order": 0}) as a,
            link(port, {"name": "b", "order": 1}) as b,
        ):
            read_line(a), read_line(b)
            with link(port, {"name": "c", "order": 1}) as third:
                assert read_line(third)["init_stones"] == 0
                assert "begun without you" in str(read_line(third)["reason"])
            a.sendall(b'{"num_stones": 2, "reset": true}\n')
            read_line(a)
            b.sendall(b'{"num_stones": 2}\n')
            read_line(a)
            a.sendall(b'{"num_stones": 1}\n')
            assert read_line(a)["winner"] == "a"
        assert server.wait(SECONDS) == 0
    lines = (tmp_path / "game-log.txt").read_text().splitlines()
    assert len(lines) == 5
    assert "a and b play with 5 stones" in lines[0]
    assert "a takes 2 and resets; 3 left, at most 2 next" in lines[1]
    assert "a takes 1, and with that the last stone." in lines[3]
    assert "a wins" in lines[4]


@pytest.mark.parametrize(
    ("address", "shown"),
    [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("localhost", "127.0.0.1")],
)
def test_parlour_start_takes_an_address_as_people_write_it(bin_dir, tmp_path, address, shown):
    command = [str(bin_dir / "parlour"), "start", "nim", "-a", address, "-p", "0", "5", "1"]
    with start(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert f"waiting for players on {shown}:" in server.stdout.readline()
        server.terminate()


def test_who_interrupts_parlour_start_as_soon_as_it_waits_ends_it(bin_dir, tmp_path):
    command = [str(bin_dir / "parlour"), "start", "nim", "-a", "127.0.0.1", "-p", "0", "5", "1"]
    for _ in range(5):
        with start(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout.readline().startswith("waiting for players")
            server.send_signal(signal.SIGINT)
            assert server.wait(SECONDS) == 130


@pytest.mark.parametrize("address", ["a:b", "[::1]:9000", "[", "127.0.0.1:9000"])
def test_parlour_start_says_what_is_no_address_alone(bin_dir, tmp_path, address):
    command = [str(bin_dir / "parlour"), "start", "nim", "-a", address, "5", "1"]
    refused = run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)
    assert refused.returncode == 2
    assert "argument -a: an address" in refused.stderr


def test_everybody_is_told_when_the_daemon_ends(start_daemon):
    daemon = start_daemon()
    with (
        link(daemon.nim, {"name": "a", "order": 0}) as a,
        link(daemon.nim, {"name": "b", "order": 1}) as b,
        link(daemon.nim, {"name": "c", "order": 0}) as waiting,
    ):
        read_line(a), read_line(b)
        daemon.process.terminate()
        assert read_line(a)["reason"] == "The server is closing"
        assert read_line(b)["finished"] is True
        assert read_line(waiting)["init_stones"] == 0
        assert read_line(waiting)["reason"] == "The server is closing"
        assert a.recv(1) == b.recv(1) == waiting.recv(1) == b""
    assert daemon.process.wait(SECONDS) == 0


def test_exp_nim_comes_back_after_its_line_broke(start_daemon, bin_dir):
    daemon = start_daemon(ini="[nim]\nstones = 7\n")
    one, _ = exp_nim(bin_dir, daemon.nim, "one", "", "-f", "--resume")
    with one, Client("two", False, ("127.0.0.1", daemon.nim)) as two:
        assert one.stdin and one.stderr
        way_back = one.stderr.readline().split()
        one.stdin.write("3\n")
        one.stdin.flush()
        two.receive_move()
        one.kill()
        one.wait(SECONDS)
        two.make_move(3)
        back = subprocess.run(
            [bin_dir / "exp-nim", *way_back[way_back.index("--token") :]],
            input="1\n",
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert back.returncode == 0, back.stderr
        assert back.stdout.startswith("start your_turn=1 stones_left=1 ")
        assert two.receive_move()["winner"] == "one"
