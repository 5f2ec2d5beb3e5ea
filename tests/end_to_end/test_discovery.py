"""How the real daemon is found; all of it on loopback."""

from __future__ import annotations

import json
import socket
import time

import pytest

from gamecore.games.castle import SAMPLE_DECKS
from tests.doors import shut
from tests.patience import SECONDS
from tests.processes import run

ON_LOOPBACK = ":interface=127.255.255.255"
DECK = [*SAMPLE_DECKS["classic"].cards, SAMPLE_DECKS["classic"].castle]
SEED_PACKET = b'{"COMMAND": "FIND_SERVER", "GAME": "LastOfUs"}'


def ask(port: int, packet: bytes) -> dict[str, str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(SECONDS)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sock.sendto(packet, ("127.255.255.255", port))
        data, (host, _) = sock.recvfrom(1024)
        assert host.startswith("127.")
        return json.loads(data)


def find(
    bin_dir, port: int, host: str = "127.255.255.255", several: int = 1
) -> list[dict[str, object]]:
    """Look until several are found, each time for a moment in which a quick host answers."""
    command = [str(bin_dir / "parlour"), "find", "--json", "--port", str(port)]
    until = time.monotonic() + SECONDS
    while True:
        found = run(
            [*command, "--seconds", "0.2", host], capture_output=True, text=True, timeout=SECONDS
        )
        assert found.stderr == ""
        rooms = [json.loads(line) for line in found.stdout.splitlines()]
        if len(rooms) >= several or time.monotonic() > until:
            return rooms


def hear(link: socket.socket, command: str) -> str:
    """Read lines until one has a command."""
    with link.makefile() as lines:
        return next(line for line in lines if command in line)


def test_the_packet_of_the_seed_finds_a_room_of_castle_wars(start_daemon, free_udp_port, bin_dir):
    daemon = start_daemon(
        *shut("nim", "castle"),
        discovery=f"{free_udp_port}{ON_LOOPBACK}",
        ini="[castle]\nroom_password = xyzzy\n",
    )
    port = daemon.ports["castle"]
    empty = ask(daemon.discovery, SEED_PACKET)
    assert (empty["PLAYER_COUNT"], empty["IS_PASSWORDED"]) == ("0", "true")
    assert empty["GAME_NAME"] not in ("", "Castle Wars"), "it is called after the house"
    where = ("127.0.0.1", port)
    join = {"COMMAND": "JOIN_GAME", "USERNAME": "red", "DECK_DATA": DECK, "PASSWORD": "xyzzy"}
    join["EXTENSIONS"] = False
    with socket.create_connection(where, timeout=SECONDS) as red:
        red.sendall(json.dumps(join).encode() + b"\n")
        assert '"SUCCESS":true' in hear(red, "JOIN_GAME_RESP")
        answer = ask(daemon.discovery, SEED_PACKET)
        assert answer["COMMAND"] == "FIND_SERVER_RESP"
        assert (answer["PLAYER_COUNT"], answer["IS_PASSWORDED"]) == ("1", "true")
        assert answer["GAME_NAME"] == "red"
        assert answer["PORT"] == str(port)
        rooms = find(bin_dir, daemon.discovery, several=2)
        (room,) = (each for each in rooms if each["game"] == "castle")
        assert (room["players"], room["passworded"]) == (1, True)
        with socket.create_connection(where, timeout=SECONDS) as blue:
            blue.sendall(json.dumps({**join, "USERNAME": "blue"}).encode() + b"\n")
            assert '"SUCCESS":true' in hear(blue, "JOIN_GAME_RESP")
            assert ask(daemon.discovery, SEED_PACKET)["PLAYER_COUNT"] == "0", "another one opens"


@pytest.mark.parametrize(
    ("heard_at", "asked"),
    [
        (ON_LOOPBACK, "127.255.255.255"),
        (":interface=127.0.0.1", "127.0.0.1"),
        (":interface=::1", "::1"),
        (":interface=::1", "[::1]"),
    ],
)
def test_two_daemons_on_one_host_are_both_found(
    start_daemon, free_udp_port, bin_dir, heard_at, asked
):
    daemons = [
        start_daemon(*shut("nim"), "--name", name, discovery=f"{free_udp_port}{heard_at}")
        for name in ("attic", "cellar")
    ]
    rooms = find(bin_dir, free_udp_port, asked, 2)
    assert {(room["port"], room["server_name"]) for room in rooms} == {
        (daemons[0].nim, "attic"),
        (daemons[1].nim, "cellar"),
    }


def test_parlour_find_says_in_words_what_it_found(start_daemon, free_udp_port, bin_dir):
    daemon = start_daemon(
        *shut("nim"), "--name", "attic", discovery=f"{free_udp_port}{ON_LOOPBACK}"
    )
    command = [str(bin_dir / "parlour"), "find"]
    at = ["--seconds", "1", "--at", f"127.255.255.255:{free_udp_port}"]
    found = run([*command, *at], capture_output=True, text=True, timeout=SECONDS)
    assert found.returncode == 0
    assert f"127.0.0.1:{daemon.nim}" in found.stdout
    assert "attic" in found.stdout


def test_parlour_find_names_the_lobby(start_daemon, free_udp_port, bin_dir):
    daemon = start_daemon(*shut("lobby"), discovery=f"{free_udp_port}{ON_LOOPBACK}")
    (lobby,) = find(bin_dir, free_udp_port)
    assert (lobby["game"], lobby["port"]) == ("lobby", daemon.ports["lobby"])
